/* SPDX-License-Identifier: MIT */
/* The kind of file that a word on the command line names. */
#ifndef RILL_CLI_SHOW_FILE_KIND_H
#define RILL_CLI_SHOW_FILE_KIND_H

typedef enum file_kind {
    FILE_NONE, /* no such file: perhaps the name of a scene */
    FILE_FOLDER,
    FILE_SCENE,
    FILE_SNAPSHOT,
    FILE_VTP,
    FILE_PLY
} file_kind;

/* Decides by the first bytes; text of any other kind counts as a scene. */
file_kind file_kind_of(const char *path);

#endif
