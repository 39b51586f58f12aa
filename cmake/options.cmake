# SPDX-License-Identifier: MIT
# One interface target with the language rules that every target of the project follows.
add_library(rill_options INTERFACE)
target_compile_definitions(rill_options INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(rill_options INTERFACE
  # The same bits on every machine: no fused multiply-add behind our back, no value-changing maths.
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
  -Wpointer-arith -Wcast-qual -Wdouble-promotion -Wno-psabi
  # gcc counts a local named like a type as shadowing; clang does not.
  $<$<C_COMPILER_ID:GNU>:-Wshadow=local> $<$<NOT:$<C_COMPILER_ID:GNU>>:-Wshadow>
  $<$<BOOL:${RILL_WERROR}>:-Werror>)
if(MINGW)
  # printf of C99, with %zu and %lld.
  target_compile_definitions(rill_options INTERFACE __USE_MINGW_ANSI_STDIO=1)
  # Its isfinite and isnan of a double have a branch for float that the compiler warns of.
  target_compile_options(rill_options INTERFACE -Wno-float-conversion)
endif()
if(EMSCRIPTEN)
  target_compile_options(rill_options INTERFACE -msimd128)
  if(RILL_THREADS)
    target_compile_options(rill_options INTERFACE -pthread)
  endif()
endif()
if(RILL_SANITIZE)
  # Reports name lines, not variables, hence -g1. A target's RILL_NO_SANITIZE names the checks it goes without.
  set(without $<TARGET_PROPERTY:RILL_NO_SANITIZE>)
  target_compile_options(rill_options INTERFACE -fsanitize=${RILL_SANITIZE} -fno-sanitize-recover=all
    $<$<BOOL:${without}>:-fno-sanitize=${without}> -fno-omit-frame-pointer -g1)
  target_link_options(rill_options INTERFACE -fsanitize=${RILL_SANITIZE})
endif()
if(RILL_FUZZ)
  # The library reports its branches to libFuzzer, but not the targets with RILL_NO_FUZZ: what computes, draws or tests
  # does not guide the fuzzers, whose inputs end in the readers, and would take longer (tests of bodies twice as long).
  # Only the fuzz programs link libFuzzer's main.
  target_compile_options(rill_options INTERFACE
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:RILL_NO_FUZZ>>>:-fsanitize=fuzzer-no-link>)
endif()
