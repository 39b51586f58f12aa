/* SPDX-License-Identifier: MIT */
/* A small game with Rill and SDL: bring the water into the cistern.
     game [LEVEL.json] [--frames N] [--shot FILE.bmp]
   With --frames it plays by itself for N frames, without waiting for the clock, and prints the result. */
#include "game.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEIGHT    540
#define DEAD_ZONE 8000 /* of a gamepad's stick */

typedef struct words {
    const char *level, *shot;
    int frames; /* 0: a person plays */
} words;

typedef struct screen {
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    SDL_GameController *pad; /* NULL: none */
    SDL_AudioDeviceID audio; /* 0: silent */
    float loudness;          /* of the splashing, 0 to 1; read by the audio thread */
    canvas canvas;
} screen;

/* ---- sound: noise through a filter, as loud as the water splashes ---- */

static void make_noise(void *context, Uint8 *stream, int size) {
    static uint32_t seed = 1;
    static float filtered, level;
    const screen *s = context;
    float *out = (float *)(void *)stream;
    for (int k = 0; k < size / (int)sizeof *out; k++) {
        seed = seed * 1664525u + 1013904223u;
        level += (s->loudness - level) * 0.0005f;
        filtered += ((float)(int32_t)seed / 2147483648.0f - filtered) * 0.12f;
        out[k] = filtered * level * 0.5f;
    }
}

static void open_audio(screen *s) {
    const SDL_AudioSpec wanted = {
        .freq = 44100, .format = AUDIO_F32SYS, .channels = 1, .samples = 1024, .callback = make_noise, .userdata = s};
    s->audio = SDL_OpenAudioDevice(NULL, 0, &wanted, NULL, 0);
    if (s->audio) SDL_PauseAudioDevice(s->audio, 0);
}

static void set_loudness(screen *s, const game *g) {
    if (!s->audio) return;
    SDL_LockAudioDevice(s->audio);
    s->loudness = fminf(0.08f * g->splash + 0.05f * fabsf(g->turning), 1.0f);
    SDL_UnlockAudioDevice(s->audio);
}

/* ---- window ---- */

static bool open_screen(screen *s, const game *g) {
    const int width = (int)(g->size.x / g->size.y * HEIGHT);
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) != 0) return false;
    if (SDL_InitSubSystem(SDL_INIT_AUDIO) == 0) open_audio(s);
    s->window = SDL_CreateWindow("Millrace", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, HEIGHT,
                                 SDL_WINDOW_RESIZABLE);
    s->renderer = s->window ? SDL_CreateRenderer(s->window, -1, SDL_RENDERER_PRESENTVSYNC) : NULL;
    if (!s->renderer) return false;
    SDL_RenderSetLogicalSize(s->renderer, width, HEIGHT); /* mouse positions are in these pixels too */
    s->texture = SDL_CreateTexture(s->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STREAMING, width, HEIGHT);
    return s->texture && canvas_make(&s->canvas, g, width, HEIGHT);
}

static void show(screen *s, const game *g) {
    canvas_draw(&s->canvas, g);
    SDL_UpdateTexture(s->texture, NULL, s->canvas.pixels, s->canvas.width * (int)sizeof *s->canvas.pixels);
    SDL_RenderClear(s->renderer);
    SDL_RenderCopy(s->renderer, s->texture, NULL, NULL);
    SDL_RenderPresent(s->renderer);
}

static bool save_shot(const screen *s, const char *path) {
    const canvas *c = &s->canvas;
    SDL_Surface *picture =
        SDL_CreateRGBSurfaceWithFormatFrom(c->pixels, c->width, c->height, 32, c->width * 4, SDL_PIXELFORMAT_ARGB8888);
    const bool done = picture && SDL_SaveBMP(picture, path) == 0;
    SDL_FreeSurface(picture);
    return done;
}

static void close_screen(screen *s) {
    if (s->audio) SDL_CloseAudioDevice(s->audio);
    if (s->pad) SDL_GameControllerClose(s->pad);
    canvas_free(&s->canvas);
    SDL_DestroyTexture(s->texture);
    SDL_DestroyRenderer(s->renderer);
    SDL_DestroyWindow(s->window);
    SDL_Quit();
}

/* ---- input ---- */

/* False when the player quits; `again` is set to start over. */
static bool take_events(screen *s, game_input *input, bool *again) {
    for (SDL_Event e; SDL_PollEvent(&e);) {
        if (e.type == SDL_QUIT || (e.type == SDL_KEYDOWN && e.key.keysym.sym == SDLK_ESCAPE)) return false;
        if (e.type == SDL_KEYDOWN && e.key.keysym.sym == SDLK_r) *again = true;
        if (e.type == SDL_CONTROLLERDEVICEADDED && !s->pad) s->pad = SDL_GameControllerOpen(e.cdevice.which);
        if (e.type == SDL_MOUSEBUTTONDOWN || e.type == SDL_MOUSEBUTTONUP) {
            input->holding = e.type == SDL_MOUSEBUTTONDOWN;
            input->point = canvas_point(&s->canvas, (float)e.button.x, (float)e.button.y);
        }
        if (e.type == SDL_MOUSEMOTION) input->point = canvas_point(&s->canvas, (float)e.motion.x, (float)e.motion.y);
    }
    return true;
}

static void take_controls(const screen *s, game_input *input) {
    const Uint8 *keys = SDL_GetKeyboardState(NULL);
    input->lever = (float)(keys[SDL_SCANCODE_LEFT] - keys[SDL_SCANCODE_RIGHT]);
    input->pump = keys[SDL_SCANCODE_SPACE];
    if (!s->pad) return;
    const Sint16 stick = SDL_GameControllerGetAxis(s->pad, SDL_CONTROLLER_AXIS_LEFTX);
    if (abs(stick) > DEAD_ZONE) input->lever = -(float)stick / 32768.0f;
    input->pump |= SDL_GameControllerGetButton(s->pad, SDL_CONTROLLER_BUTTON_A) != 0;
}

/* The moves of a patient player: leads the water over the wheel, and lifts the bucket a little to see it float. */
static void play_alone(const game *g, game_input *input, int frame) {
    const rill_vec bucket = {0.55f, 0.9f, 0.0f};
    const float seconds = (float)frame / GAME_RATE;
    (void)g;
    input->lever = -1.0f;
    input->holding = seconds > 1.0f && seconds < 4.0f;
    input->point =
        (rill_vec){bucket.x + 0.5f * fmaxf(seconds - 1.0f, 0.0f), bucket.y + 0.15f * fmaxf(seconds - 1.0f, 0.0f), 0.0f};
}

/* ---- the loop ---- */

static int play(screen *s, game *g, const words *w, rill_error *error) {
    game_input input = {0};
    Uint64 next = SDL_GetTicks64();
    for (int frame = 0; !w->frames || frame < w->frames; frame++) {
        bool again = false;
        if (!take_events(s, &input, &again)) return 0;
        if (again) {
            game_end(g);
            if (!game_begin(g, w->level, error)) return 1;
        }
        if (w->frames)
            play_alone(g, &input, frame);
        else
            take_controls(s, &input);
        if (!game_step(g, &input, error)) return 1;
        set_loudness(s, g);
        show(s, g);
        next += 1000 / GAME_RATE;
        const Uint64 now = SDL_GetTicks64();
        if (!w->frames && now < next) SDL_Delay((Uint32)(next - now));
        if (now > next + 250) next = now; /* on a slow machine the game slows down instead of catching up */
    }
    printf("%d particles, %d of %d in the cistern, the wheel turns at %.1f rad/s\n", g->frame.count, g->saved,
           GAME_GOAL, (double)g->turning);
    return w->shot && !save_shot(s, w->shot) ? (snprintf(error->text, sizeof error->text, "%s", SDL_GetError()), 1) : 0;
}

static bool read_words(words *w, int argc, char **argv) {
    *w = (words){.level = "mill.json"};
    for (int k = 1; k < argc; k++) {
        const bool more = k + 1 < argc;
        if (!strcmp(argv[k], "--frames") && more)
            w->frames = atoi(argv[++k]);
        else if (!strcmp(argv[k], "--shot") && more)
            w->shot = argv[++k];
        else if (argv[k][0] != '-')
            w->level = argv[k];
        else
            return false;
    }
    return w->frames >= 0;
}

int main(int argc, char **argv) {
    words w;
    game g;
    screen s = {0};
    rill_error error = {0};
    if (!read_words(&w, argc, argv)) {
        fprintf(stderr,
                "usage: game [LEVEL.json] [--frames N] [--shot FILE.bmp]\n"
                "Arrows or stick: tilt the lever. Space or A: pump. Mouse: carry things. R: again. Escape: leave.\n");
        return 2;
    }
    int status = 1;
    if (game_begin(&g, w.level, &error)) {
        if (open_screen(&s, &g))
            status = play(&s, &g, &w, &error);
        else
            snprintf(error.text, sizeof error.text, "%s", SDL_GetError());
        close_screen(&s);
    }
    if (status) fprintf(stderr, "game: %s\n", error.text);
    game_end(&g);
    return status;
}
