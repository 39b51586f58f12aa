/* SPDX-License-Identifier: MIT */
/* ffmpeg as a child process that reads raw pixels; without a shell. */
#include "apps/cli/show/movie_pipe.h"

#include "core/error.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ffmpeg's arguments for each kind of file: high quality, playable everywhere. */
typedef struct movie_kind {
    const char *ending, *format, *words[12];
} movie_kind;

static const movie_kind kinds[] = {
    {"mp4",
     "mp4",
     {"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart"}},
    {"webm", "webm", {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-pix_fmt", "yuv420p", "-row-mt", "1"}},
    {"gif",
     "gif",
     {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer", "-loop", "0"}},
    {"png", "apng", {"-plays", "0", "-pred", "mixed"}},
};

static const movie_kind *find_kind(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(dot + 1, kinds[k].ending) == 0) return &kinds[k];
    return NULL;
}

rill_status movie_pipe_check(const char *path, rill_error *error) {
    if (find_kind(path)) return RILL_OK;
    return rill_fail(error, RILL_INVALID, "%s: the ending must be .mp4, .webm, .gif or .png (animated)", path);
}

/* Replaces the child process by ffmpeg; never returns. Exit code 127: there is no ffmpeg. */
static void become_ffmpeg(const movie_pipe *m, const movie_kind *kind, double fps, int from, int complaints) {
    char size[32], rate[32], target[sizeof m->file.temporary + 8];
    const char *words[40] = {"ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr0"};
    int count = 9;
    snprintf(size, sizeof size, "%dx%d", m->width, m->height);
    snprintf(rate, sizeof rate, "%.6g", fps);
    const char *input[] = {"-s", size, "-r", rate, "-i", "pipe:0", "-an"};
    for (size_t k = 0; k < sizeof input / sizeof *input; k++) words[count++] = input[k];
    for (int k = 0; k < 12 && kind->words[k]; k++) words[count++] = kind->words[k];
    /* Without the protocol, a name such as -x or pipe:x would have a special meaning. */
    snprintf(target, sizeof target, "file:%s", m->file.temporary);
    const char *output[] = {"-f", kind->format, target, NULL};
    memcpy(words + count, output, sizeof output);
    dup2(from, STDIN_FILENO);
    dup2(complaints, STDERR_FILENO);
    /* execvp wants words that are not const, but does not change them. */
    char *arguments[40];
    memcpy(arguments, words, sizeof arguments);
    execvp("ffmpeg", arguments);
    _exit(127);
}

rill_status movie_pipe_open(movie_pipe *m, const char *path, int width, int height, double fps, rill_error *error) {
    const movie_kind *kind = find_kind(path);
    int ends[2], complaints[2];
    *m = (movie_pipe){.width = width, .height = height, .to = -1, .complaints = -1, .pid = -1};
    TRY(movie_pipe_check(path, error));
    /* Fails now if the file cannot be written, not after an hour of drawing. */
    rill_io_remove_stale_beside(path);
    TRY(rill_io_open(&m->file, path, error));
    if (pipe(ends) != 0) {
        const int reason = errno;
        rill_io_abandon(&m->file);
        return rill_io_fail(error, reason, "make a pipe for", path);
    }
    m->to = ends[1];
    if (pipe(complaints) == 0) {
        m->complaints = complaints[0];
        fcntl(m->to, F_SETFD, FD_CLOEXEC);
        fcntl(m->complaints, F_SETFD, FD_CLOEXEC);
        /* The pipe is read only at the end. Non-blocking, it loses messages when full, but never blocks ffmpeg. */
        fcntl(complaints[1], F_SETFL, O_NONBLOCK);
        m->pid = fork();
        if (m->pid == 0) become_ffmpeg(m, kind, fps, ends[0], complaints[1]);
        close(complaints[1]);
    }
    const int reason = errno;
    close(ends[0]);
    if (m->pid > 0) return RILL_OK;
    movie_pipe_abandon(m);
    return rill_io_fail(error, reason, "start ffmpeg for", path);
}

/* The last line of ffmpeg's output: it names the error in plain words. */
static void read_complaint(movie_pipe *m, char *text, size_t size) {
    char all[4096];
    ssize_t length = m->complaints >= 0 ? read(m->complaints, all, sizeof all - 1) : 0;
    if (m->complaints >= 0) close(m->complaints);
    m->complaints = -1;
    while (length > 0 && strchr("\r\n ", all[length - 1])) length--;
    all[length > 0 ? length : 0] = '\0';
    const char *last = strrchr(all, '\n');
    snprintf(text, size, "%.250s", last ? last + 1 : all);
}

/* Waits for ffmpeg and checks its result. ffmpeg may print an error about a full disk and still exit with 0. */
static rill_status finish(movie_pipe *m, rill_error *error) {
    int result = 0;
    char complaint[300];
    if (m->to >= 0) close(m->to);
    m->to = -1;
    while (m->pid > 0 && waitpid(m->pid, &result, 0) < 0 && errno == EINTR) {}
    m->pid = -1;
    read_complaint(m, complaint, sizeof complaint);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0 && !complaint[0]) return RILL_OK;
    rill_io_abandon(&m->file);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 127)
        return rill_fail(error, RILL_NOT_FOUND, "%s: there is no ffmpeg to make movies with: apt-get install ffmpeg",
                         m->file.path);
    return rill_fail(error, RILL_IO, "%s: ffmpeg could not write the movie: %s", m->file.path,
                     complaint[0] ? complaint : "it was stopped");
}

rill_status movie_pipe_write(movie_pipe *m, const uint32_t *pixels, rill_error *error) {
    const char *bytes = (const char *)pixels;
    size_t left = (size_t)m->width * (size_t)m->height * 4;
    while (left > 0) {
        const ssize_t written = write(m->to, bytes, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) {
            const rill_status status = finish(m, error);
            return status != RILL_OK ? status : rill_fail(error, RILL_IO, "%s: ffmpeg stopped early", m->file.path);
        }
        bytes += written, left -= (size_t)written;
    }
    return RILL_OK;
}

/* ffmpeg has written to the temporary file by its name; it is the file held open here. */
rill_status movie_pipe_close(movie_pipe *m, rill_error *error) {
    const rill_status status = finish(m, error);
    return status == RILL_OK ? rill_io_commit(&m->file, error) : status;
}

void movie_pipe_abandon(movie_pipe *m) {
    if (m->pid > 0 || m->to >= 0) finish(m, NULL);
    rill_io_abandon(&m->file);
}
