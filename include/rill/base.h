/* SPDX-License-Identifier: MIT */
/* Ground rules shared by every public header: export, status, errors, host hooks. */
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

/* Most worker threads one world may use. */
#define RILL_MAX_WORKERS 64
/* Bytes of a name (fluid, solid, gauge, method, choice), the final zero included. */
#define RILL_NAME_SIZE 48
/* Bytes of a file's name in a definition. */
#define RILL_FILE_SIZE 256

/* The result of a call that can fail. Zero is success; the message that comes with a failure says what to do next. */
typedef enum rill_status {
    RILL_OK = 0,
    RILL_INVALID,   /* an argument makes no sense */
    RILL_MEMORY,    /* the allocator returned NULL */
    RILL_NOT_FOUND, /* no object has this name, key or handle */
    RILL_FORMAT,    /* a file or buffer is not in the expected format */
    RILL_IO,        /* the operating system refused to read or write */
    RILL_BLOW_UP,   /* a value is not finite, or a particle is faster than anything in the scene can make it */
    RILL_LIMIT      /* a documented limit is reached */
} rill_status;

/* A status with its message. Functions that take one accept NULL. */
typedef struct rill_error {
    rill_status status;
    char text[500];
} rill_error;

RILL_API const char *rill_status_name(rill_status status);
RILL_API const char *rill_version(void);

/* Memory from the host. `allocate` returns memory aligned to `alignment` (a power of two, at least 16) or
   NULL; `release` gets the size back. Both may be called from the thread that calls Rill only. */
typedef struct rill_allocator {
    void *(*allocate)(size_t size, size_t alignment, void *context);
    void (*release)(void *memory, size_t size, void *context);
    void *context;
} rill_allocator;

/* Threads from the host, as Box2D v3 has them: Rill hands out `task` once for every worker index in
   [0, worker_count) through `run` and expects `run` to return when all of them are done. Every index must be
   run exactly once, on any thread. Results never depend on how they are scheduled. */
typedef void rill_task_fn(int worker, void *task_context);
typedef struct rill_tasks {
    void (*run)(rill_task_fn *task, int worker_count, void *task_context, void *context);
    void *context;
} rill_tasks;

/* A store of the host for data that take long to make and depend on their key alone, such as the distance field of a
   mesh. `load` returns the bytes of a key or NULL; `release` gets them back; damaged bytes are noticed. Called from the
   thread that calls Rill only. */
typedef struct rill_cache {
    const void *(*load)(uint64_t key, size_t *size, void *context);
    void (*release)(const void *bytes, size_t size, void *context);
    void (*save)(uint64_t key, const void *bytes, size_t size, void *context);
    void *context;
} rill_cache;

#endif
