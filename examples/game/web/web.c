/* SPDX-License-Identifier: MIT */
/* The game in a browser: the same rules and picture as in main.c, behind functions for the page, which has the canvas,
   the clock and the input. */
#include "../game.h"

#include <emscripten.h>
#include <stdio.h>

#define HEIGHT 540

/* The functions for the page. */
bool web_begin(void); /* starts, or starts over; false: web_message has the reason */
bool web_step(void);
void web_draw(void);
const char *web_message(void);
int web_width(void);
int web_height(void);
const uint32_t *web_pixels(void);
void web_point(float x, float y, bool holding);
void web_controls(float lever, bool pump);
int web_particles(void);
int web_saved(void);
float web_turning(void);

static game level;
static canvas picture;
static game_input input;
static rill_error error;

EMSCRIPTEN_KEEPALIVE const char *web_message(void) {
    return error.text;
}

EMSCRIPTEN_KEEPALIVE bool web_begin(void) {
    game_end(&level);
    canvas_free(&picture);
    input = (game_input){0};
    return game_begin(&level, "mill.json", &error) &&
           canvas_make(&picture, &level, (int)(level.size.x / level.size.y * HEIGHT), HEIGHT);
}

EMSCRIPTEN_KEEPALIVE int web_width(void) {
    return picture.width;
}

EMSCRIPTEN_KEEPALIVE int web_height(void) {
    return picture.height;
}

EMSCRIPTEN_KEEPALIVE const uint32_t *web_pixels(void) {
    return picture.pixels;
}

EMSCRIPTEN_KEEPALIVE void web_point(float x, float y, bool holding) {
    input.point = canvas_point(&picture, x, y);
    input.holding = holding;
}

EMSCRIPTEN_KEEPALIVE void web_controls(float lever, bool pump) {
    input.lever = lever, input.pump = pump;
}

EMSCRIPTEN_KEEPALIVE bool web_step(void) {
    return game_step(&level, &input, &error);
}

/* A canvas stores bytes as red, green, blue, alpha. */
EMSCRIPTEN_KEEPALIVE void web_draw(void) {
    canvas_draw(&picture, &level);
    for (int k = 0; k < picture.width * picture.height; k++) {
        const uint32_t p = picture.pixels[k];
        picture.pixels[k] = (p & 0xff00ff00u) | (p >> 16 & 0xffu) | (p & 0xffu) << 16;
    }
}

EMSCRIPTEN_KEEPALIVE int web_saved(void) {
    return level.saved;
}

EMSCRIPTEN_KEEPALIVE float web_turning(void) {
    return level.turning;
}

EMSCRIPTEN_KEEPALIVE int web_particles(void) {
    return level.frame.count;
}
