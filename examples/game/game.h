/* SPDX-License-Identifier: MIT */
/* The rules of the game, without a window: a level with water, a lever, a wheel that drives a pump, a hand that holds
   things, and a cistern to be filled. */
#ifndef GAME_H
#define GAME_H

#include "rill/frame.h"
#include "rill/scene.h"

#define GAME_RATE 60  /* steps a second */
#define GAME_GOAL 800 /* particles in the cistern that win the game */

/* The player's input for one step. */
typedef struct game_input {
    float lever;    /* -1: tilt to the right, 1: to the left */
    bool pump;      /* the pump is worked by hand */
    bool holding;   /* holds the body at the pointer, if there is one */
    rill_vec point; /* the mouse in the level [m] */
} game_input;

/* A damped spring from a point of a body to the mouse. */
typedef struct game_hand {
    rill_body_id body; /* null: the hand is empty */
    rill_vec local;    /* the point, in the frame of the body as it was added */
    bool was_holding;
} game_hand;

/* Moves particles from the pool to the top of the bank: each keeps its id, so no water is lost or created. */
typedef struct game_pump {
    rill_vec low, high; /* corners of the intake [m] */
    rill_vec outlet;    /* its lower end [m] */
    rill_vec velocity;  /* of the water that comes out [m/s] */
    int rows;           /* particles that pass the outlet side by side */
    double due;         /* particles still to be lifted */
} game_pump;

typedef struct game {
    rill_scene *scene;
    rill_world *world;
    rill_frame frame; /* of the last step, for drawing */
    rill_body_id wheel;
    rill_joint_id lever;
    rill_gauge_id cistern;
    game_hand hand;
    game_pump pump;
    rill_vec size; /* of the level, whose lower corner is the origin [m] */
    int saved;     /* particles in the cistern */
    float turning; /* speed of the wheel [rad/s] */
    float splash;  /* largest speed at which a body and water met in the last step [m/s] */
    bool won;
} game;

/* False with an error if the level cannot be loaded or a step fails; call game_end in any case. */
bool game_begin(game *g, const char *level, rill_error *error);
bool game_step(game *g, const game_input *input, rill_error *error);
void game_end(game *g);

/* The picture of a level: `width` x `height` pixels, 0xAARRGGBB, in rows from the top. `scale`: pixels per metre. */
typedef struct canvas {
    int width, height;
    float scale;
    uint32_t *pixels;
    float *water;      /* amount of water at each pixel */
    uint32_t *scenery; /* everything that never moves, drawn once */
} canvas;

bool canvas_make(canvas *c, const game *g, int width, int height);
void canvas_draw(canvas *c, const game *g);
void canvas_free(canvas *c);
rill_vec canvas_point(const canvas *c, float x, float y); /* the point of the level at a pixel [m] */

#endif
