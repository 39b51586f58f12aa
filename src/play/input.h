/* SPDX-License-Identifier: MIT */
/* Inputs: the requests of a page, as one table of words and their members. Messages are read and checked, and entries
   of a recording are written, by this table. */
#ifndef RILL_PLAY_INPUT_H
#define RILL_PLAY_INPUT_H

#include "io/json.h"
#include "scene/tree.h"

#include "rill/param.h"

#define PLAY_POINTS_MAX 256
#define PLAY_PATH_SIZE  (4 * RILL_NAME_SIZE)
#define PLAY_VALUE_SIZE 256

typedef enum play_word {
    /* These words change the state and are recorded. */
    PLAY_RATE_OF_TIME,
    PLAY_METHOD,
    PLAY_GRAVITY,
    PLAY_SET,
    PLAY_GRAB,
    PLAY_DRAG,
    PLAY_DROP,
    PLAY_PUSH,
    PLAY_POUR,
    PLAY_ERASE,
    PLAY_WALL,
    PLAY_BOX,
    PLAY_REMOVE,
    PLAY_GAUGE,
    PLAY_CUT,
    PLAY_RECORDED, /* number of recorded words */
    /* These do not change the state. */
    PLAY_PLAY = PLAY_RECORDED,
    PLAY_PAUSE,
    PLAY_STEP,
    PLAY_RESET,
    PLAY_REWIND,
    PLAY_SAVE,
    PLAY_RECORD,
    PLAY_RECORDING,
    PLAY_HASH,
    PLAY_INFO,
    PLAY_SCENE,
    PLAY_FRAME,
    PLAY_LINKS,
    PLAY_OPEN,
    PLAY_REPLAY,
    PLAY_WORD_COUNT
} play_word;

/* The members of all words; each word has some of them. SI units; a vector has as many components as the world. */
typedef struct play_input {
    play_word word;
    unsigned given; /* bits of the members that were given */
    rill_vec at, to, ray, velocity, size, vector;
    double radius, thickness, density, seconds, rate, after;
    double body, solid, gauge; /* numbers of objects */
    bool on;
    char fluid[RILL_NAME_SIZE], name[RILL_NAME_SIZE], kind[RILL_NAME_SIZE];
    char path[PLAY_PATH_SIZE], value[PLAY_VALUE_SIZE];
    rill_vec points[PLAY_POINTS_MAX];
    int point_count;
} play_input;

const char *rill_play_word_name(play_word word);
/* The word of a message, or PLAY_WORD_COUNT. */
play_word rill_play_word_find(const char *name);
bool rill_play_given(const play_input *input, const char *member);

/* Makes the input that ends the next step early, after this many steps of the world. */
void rill_play_input_cut(play_input *input, int after);

/* Reads a message or an entry of a recording. Vectors have `dim` components; 0: there is no world yet, and words with
   vectors are refused. Unknown members and numbers that are not finite are refused. */
rill_status rill_play_input_read(play_input *input, const tree *t, const tree_node *object, int dim, rill_error *error);
/* Writes a vector as a list; each float as the shortest number that reads back to it. */
void rill_play_json_vec(json *j, const char *key, rill_vec v, int dim);
/* Writes an input as an entry of a recording. */
void rill_play_input_write(const play_input *input, int64_t step, int dim, json *j);

#endif
