/* SPDX-License-Identifier: MIT */
/* Whole files: atomic writing, directories, reading. */
#include "io/file.h"

#include "core/error.h"
#include "io/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name unlike any other program's: it contains the process id and a number for each of its files. */
#define TEMPORARY_NAME ".rill-%ld-%d.tmp"

const char *rill_io_advice(int reason) {
    switch (reason) {
    case ENOSPC:
    case EDQUOT:
        return "free some space or write to another disk";
    case EFBIG:
        return "raise the file size limit (ulimit -f) or write smaller files";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a place that you may use, or change its permissions";
    case ENOENT:
        return "check the spelling, or create the folder first";
    case ENOTDIR:
        return "a part of the path is a file, not a folder; choose another path";
    case EISDIR:
        return "this is a folder; give the name of a file";
    case ENAMETOOLONG:
        return "choose a shorter name";
    case EMFILE:
    case ENFILE:
        return "close other files or raise the limit (ulimit -n)";
    default:
        return "check the disk and try again";
    }
}

rill_status rill_io_fail(rill_error *error, int reason, const char *what, const char *path) {
    return rill_fail(error, RILL_IO, "%s: cannot %s: %s; %s", path, what, strerror(reason), rill_io_advice(reason));
}

/* Length of a path's folder, including the slash. */
static int folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

/* Creates a uniquely named file in the folder of `path`, so that the rename stays on one file system. The lock shows
   other processes that the file is still being written. File systems without locks work too. */
static int open_temporary(io_file *file) {
    const int length = folder_length(file->path);
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(file->temporary, sizeof file->temporary, "%.*s" TEMPORARY_NAME, length, file->path, (long)getpid(),
                 attempt);
        int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) (void)flock(descriptor, LOCK_EX | LOCK_NB);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
    return -1;
}

/* The id of the process that created a temporary file, or 0 for any other name. */
static pid_t temporary_owner(const char *name) {
    long owner;
    int number;
    char again[64];
    if (sscanf(name, TEMPORARY_NAME, &owner, &number) != 2 || owner < 1 || owner > INT32_MAX) return 0;
    snprintf(again, sizeof again, TEMPORARY_NAME, owner, number);
    return strcmp(name, again) == 0 ? (pid_t)owner : 0;
}

/* True if no process is writing the file: its creator has ended, and no process on another machine holds its lock. */
static bool is_stale(int folder, const char *name) {
    const pid_t owner = temporary_owner(name);
    if (!owner || kill(owner, 0) == 0 || errno != ESRCH) return false;
    struct stat status;
    const int descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool stale = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
                       flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (descriptor >= 0) close(descriptor);
    return stale;
}

void rill_io_remove_stale(const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory) return;
    for (const struct dirent *entry = readdir(directory); entry; entry = readdir(directory))
        if (is_stale(dirfd(directory), entry->d_name)) (void)unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
}

/* The folder of a path, for functions that open it. */
static const char *folder_of(const char *path, char folder[1024]) {
    const int length = folder_length(path);
    snprintf(folder, 1024, "%.*s", length ? length : 1, length ? path : ".");
    return folder;
}

void rill_io_remove_stale_beside(const char *path) {
    char folder[1024];
    rill_io_remove_stale(folder_of(path, folder));
}

/* Refuses devices and pipes, which a rename would replace by a regular file. */
static rill_status check_target(const char *path, rill_error *error) {
    struct stat status;
    if (stat(path, &status) != 0) return RILL_OK;
    if (S_ISDIR(status.st_mode)) return rill_io_fail(error, EISDIR, "write", path);
    if (!S_ISREG(status.st_mode))
        return rill_fail(error, RILL_IO, "%s: is not a regular file and will not be replaced; choose another name",
                         path);
    return RILL_OK;
}

rill_status rill_io_open(io_file *file, const char *path, rill_error *error) {
    memset(file, 0, sizeof *file);
    size_t length = strlen(path);
    if (length == 0) return rill_fail(error, RILL_INVALID, "a file to write needs a name; none was given");
    if (length >= sizeof file->path)
        return rill_fail(error, RILL_INVALID, "the path \"%.60s...\" has %zu bytes, at most %zu are allowed; %s", path,
                         length, sizeof file->path - 1, rill_io_advice(ENAMETOOLONG));
    TRY(check_target(path, error));
    memcpy(file->path, path, length + 1);
    int descriptor = open_temporary(file);
    if (descriptor < 0) return rill_io_fail(error, errno, "create", path);
    file->stream = fdopen(descriptor, "wb");
    if (file->stream) return RILL_OK;
    int reason = errno;
    close(descriptor);
    unlink(file->temporary);
    return rill_io_fail(error, reason, "create", path);
}

void rill_io_abandon(io_file *file) {
    if (!file->stream) return;
    fclose(file->stream);
    unlink(file->temporary);
    file->stream = NULL;
}

/* stdio records that a write failed but not why. Writing one more byte to the file, which is discarded anyway, fails
   again and sets errno. */
static int reason_of_failure(io_file *file) {
    errno = 0;
    ssize_t written = write(fileno(file->stream), "", 1);
    return written < 0 && errno ? errno : EIO;
}

/* After a rename the folder itself must reach the disk. Failure is ignored, since not all file systems support it. */
static void sync_folder_of(const char *path) {
    char folder[1024];
    int descriptor = open(folder_of(path, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    close(descriptor);
}

rill_status rill_io_commit(io_file *file, rill_error *error) {
    int reason = 0;
    if (ferror(file->stream)) {
        reason = reason_of_failure(file);
    } else if (fflush(file->stream) != 0 || fsync(fileno(file->stream)) != 0) {
        reason = errno;
    }
    if (fclose(file->stream) != 0 && !reason) reason = errno;
    file->stream = NULL;
    if (!reason && rename(file->temporary, file->path) != 0) reason = errno;
    if (reason) {
        unlink(file->temporary);
        return rill_io_fail(error, reason, "write", file->path);
    }
    sync_folder_of(file->path);
    return RILL_OK;
}

/* mkdir, but an existing folder is not an error. */
static bool make_one(const char *path) {
    if (mkdir(path, 0777) == 0) return true;
    int reason = errno;
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return true;
        reason = ENOTDIR;
    }
    errno = reason;
    return false;
}

rill_status rill_io_make_directory(const char *path, rill_error *error) {
    char part[1024];
    size_t length = strlen(path);
    if (length == 0) return rill_fail(error, RILL_INVALID, "a folder to create needs a name; none was given");
    if (length >= sizeof part)
        return rill_fail(error, RILL_INVALID, "the path \"%.60s...\" has %zu bytes, at most %zu are allowed; %s", path,
                         length, sizeof part - 1, rill_io_advice(ENAMETOOLONG));
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (!make_one(part)) return rill_io_fail(error, errno, "create the folder", part);
    }
    return RILL_OK;
}

int rill_io_open_input(const char *path, rill_error *error) {
    /* Without O_NONBLOCK, opening a pipe would wait for a writer. */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        rill_io_fail(error, errno, "read", path);
        return -1;
    }
    struct stat status = {0};
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) return descriptor;
    if (S_ISDIR(status.st_mode))
        rill_io_fail(error, EISDIR, "read", path);
    else
        rill_fail(error, RILL_IO, "%s: is a pipe or a device; give the name of a regular file", path);
    close(descriptor);
    return -1;
}

static rill_status too_large(const char *path, size_t most, rill_error *error) {
    return rill_fail(error, RILL_LIMIT, "%s: has more than %zu bytes, the most that are read from such a file", path,
                     most);
}

/* Reads to the end, whatever size was reported: files may grow, and those of /proc report size 0. */
static rill_status read_all(int descriptor, const char *path, size_t guess, size_t most, char **data, size_t *size,
                            rill_error *error) {
    size_t capacity = guess + 1, used = 0;
    char *bytes = malloc(capacity);
    while (bytes) {
        const ssize_t got = read(descriptor, bytes + used, capacity - used);
        if (got < 0 && errno == EINTR) continue;
        const int reason = got < 0 ? errno : 0;
        used += got > 0 ? (size_t)got : 0;
        if (reason || used > most) {
            free(bytes);
            return reason ? rill_io_fail(error, reason, "read", path) : too_large(path, most, error);
        }
        if (got == 0) {
            bytes[used] = '\0';
            *data = bytes;
            *size = used;
            return RILL_OK;
        }
        if (used < capacity) continue;
        char *larger = capacity <= SIZE_MAX / 2 ? realloc(bytes, capacity * 2) : NULL;
        if (!larger) free(bytes);
        bytes = larger;
        capacity *= 2;
    }
    return rill_fail(error, RILL_MEMORY, "%s: not enough memory to read %zu bytes; close other programs", path,
                     capacity);
}

rill_status rill_io_read_at_most(const char *path, size_t most, char **data, size_t *size, rill_error *error) {
    *data = NULL;
    *size = 0;
    const int descriptor = rill_io_open_input(path, error);
    if (descriptor < 0) return RILL_IO;
    struct stat status;
    const size_t told = fstat(descriptor, &status) == 0 && status.st_size > 0 ? (size_t)status.st_size : 0;
    const rill_status result = told > most ? too_large(path, most, error)
                                           : read_all(descriptor, path, told ? told : 4095, most, data, size, error);
    close(descriptor);
    return result;
}

rill_status rill_io_read_whole(const char *path, void **data, size_t *size, rill_error *error) {
    char *bytes;
    const rill_status status = rill_io_read_at_most(path, IO_FILE_MAX, &bytes, size, error);
    *data = bytes;
    return status;
}
