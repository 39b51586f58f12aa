# SPDX-License-Identifier: MIT
# The SIMD widths that the simulation is compiled for, from portable C to the widest: rill_widths. Code that asks which
# there are is compiled with rill_width_definitions.
if(EMSCRIPTEN) # whoever has no SIMD128 could not use a build without it either: it is many times slower
  set(rill_widths wasm)
else()
  set(rill_widths scalar)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND rill_widths sse avx2)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(APPEND rill_widths neon)
  endif()
  if(RILL_WIDTHS STREQUAL ends)
    list(GET rill_widths -1 widest)
    set(rill_widths scalar ${widest})
    list(REMOVE_DUPLICATES rill_widths)
  elseif(RILL_WIDTHS STREQUAL scalar)
    set(rill_widths scalar)
  elseif(NOT RILL_WIDTHS STREQUAL all)
    message(FATAL_ERROR "RILL_WIDTHS is '${RILL_WIDTHS}'; expected all, ends or scalar")
  endif()
endif()
list(TRANSFORM rill_widths PREPEND RILL_HAS_ OUTPUT_VARIABLE rill_width_definitions)

set(rill_width_options_sse -msse4.2 -mpopcnt) # what processors have since 2008; older ones take the portable width
set(rill_width_options_avx2 -mavx2)
