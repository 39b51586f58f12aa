/* SPDX-License-Identifier: MIT */
/* Export macros, version, status codes, errors and hooks of the host, for all public headers. */
#ifndef RILL_BASE_H
#define RILL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define RILL_EXTERN extern "C"
#else
#define RILL_EXTERN extern
#endif
#if defined(__GNUC__)
#define RILL_API RILL_EXTERN __attribute__((visibility("default")))
#else
#define RILL_API RILL_EXTERN
#endif

#define RILL_VERSION_MAJOR 0
#define RILL_VERSION_MINOR 2
#define RILL_VERSION_PATCH 0
#define RILL_VERSION_TEXT  "0.2.0"

/* Most worker threads that one world may use. */
#define RILL_MAX_WORKERS 64
/* Bytes of a name (of a fluid, solid, gauge, method or choice), including the final zero. */
#define RILL_NAME_SIZE 48
/* Bytes of a file name in a definition, including the final zero. */
#define RILL_FILE_SIZE 256

/* The result of a call that can fail. Zero is success. The message of a failure says what was expected. */
typedef enum rill_status {
    RILL_OK = 0,
    RILL_INVALID,   /* an argument is invalid */
    RILL_MEMORY,    /* the allocator returned NULL */
    RILL_NOT_FOUND, /* no object has this name, key or handle */
    RILL_FORMAT,    /* a file or buffer is not in the expected format */
    RILL_IO,        /* the operating system refused to read or write */
    RILL_BLOW_UP,   /* a value is not finite, or a particle is faster than anything in the scene could make it */
    RILL_LIMIT      /* a documented limit has been reached */
} rill_status;

/* A status with its message, owned by the caller. Functions that fill one accept NULL. */
typedef struct rill_error {
    rill_status status;
    char text[500];
} rill_error;

/* A few words for a status, such as "out of memory". Static text, never NULL. */
RILL_API const char *rill_status_name(rill_status status);
/* The version of the library that is running: RILL_VERSION_TEXT when it was built. Static text. */
RILL_API const char *rill_version(void);

/* Memory from the host. `allocate` returns memory aligned to `alignment` (a power of two, at least 16), or NULL if
   there is none left. `release` receives the size that was asked for. Rill calls both only from the thread that calls
   Rill. */
typedef struct rill_allocator {
    void *(*allocate)(size_t size, size_t alignment, void *context);
    void (*release)(void *memory, size_t size, void *context);
    void *context;
} rill_allocator;

/* Threads from the host, as in Box2D v3. Rill calls `run` with a `task` and a number of workers. `run` must call the
   task exactly once for each worker index in [0, worker_count), on any threads, and return when all of these calls have
   returned. Results never depend on how the calls are scheduled. */
typedef void rill_task_fn(int worker, void *task_context);
typedef struct rill_tasks {
    void (*run)(rill_task_fn *task, int worker_count, void *task_context, void *context);
    void *context;
} rill_tasks;

/* A cache of the host for data that take long to compute and depend only on their key, such as the distance field of a
   mesh. `load` returns the bytes stored under a key, or NULL; Rill gives them back through `release`. Rill notices
   damaged bytes and computes the data again. All three are called only from the thread that calls Rill. */
typedef struct rill_cache {
    const void *(*load)(uint64_t key, size_t *size, void *context);
    void (*release)(const void *bytes, size_t size, void *context);
    void (*save)(uint64_t key, const void *bytes, size_t size, void *context);
    void *context;
} rill_cache;

#endif
