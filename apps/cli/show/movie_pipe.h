/* SPDX-License-Identifier: MIT */
/* Writes pictures to a movie file, through ffmpeg. */
#ifndef RILL_CLI_SHOW_MOVIE_PIPE_H
#define RILL_CLI_SHOW_MOVIE_PIPE_H

#include "io/io.h"

#include <sys/types.h>

typedef struct movie_pipe {
    io_file file; /* the file that ffmpeg writes */
    int width, height;
    int to;         /* pipe for the pixels, or -1 */
    int complaints; /* pipe with ffmpeg's error messages, or -1 */
    pid_t pid;      /* of ffmpeg */
} movie_pipe;

/* Whether movies can have the file's ending: .mp4, .webm, .gif or .png (animated). */
rill_status movie_pipe_check(const char *path, rill_error *error);
/* The file's ending decides its format. Width and height must be even. */
rill_status movie_pipe_open(movie_pipe *pipe, const char *path, int width, int height, double fps, rill_error *error);
rill_status movie_pipe_write(movie_pipe *pipe, const uint32_t *pixels, rill_error *error);
/* The file gets its final name only once it is complete. */
rill_status movie_pipe_close(movie_pipe *pipe, rill_error *error);
void movie_pipe_abandon(movie_pipe *pipe);

#endif
