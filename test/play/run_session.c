/* SPDX-License-Identifier: MIT */
/* run_session SCENE METHOD STEPS [WORKERS [WARM_UP]]: the reference for the WebAssembly build (test_wasm.mjs,
   bench/play.mjs). SCENE is a file, or 2 or 3 for the tests' scene in that dimension. METHOD replaces the scene's
   method at the start, unless it is "-". Prints the scene, the state hash after STEPS steps of a session, and how long
   the steps after the first WARM_UP took. */
#include "core/timer.h"
#include "play/play_test.h"

/* The whole file as text on one line, as messages need it; NULL: it cannot be read. */
static char *read_text(const char *path) {
    FILE *in = fopen(path, "rb");
    char *text = in ? calloc(1, PLAY_TEXT_MAX) : NULL;
    if (text && fread(text, 1, PLAY_TEXT_MAX - 1, in) == 0) text[0] = '\0';
    if (in) fclose(in);
    for (char *end = text; end && (end = strpbrk(end, "\r\n\t"));) *end = ' ';
    return text;
}

static char *scene_of(const char *name) {
    return !strcmp(name, "2") ? strdup(PLAY_SCENE_2D) : !strcmp(name, "3") ? strdup(PLAY_SCENE_3D) : read_text(name);
}

static void switch_to(play_session *s, const char *method) {
    char message[100];
    snprintf(message, sizeof message, "{\"do\": \"method\", \"name\": \"%.40s\"}", method);
    say(s, message);
}

static void print_reply(play_session *s, const char *what) {
    char *reply = last_reply(s, what);
    printf("%s\n", reply ? reply : "{}");
    free(reply);
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    const int workers = argc > 4 ? atoi(argv[4]) : 1, warm_up = argc > 5 ? atoi(argv[5]) : 0;
    const play_def def = {
        .engine = "native", .workers = workers, .particle_limit = 400000, .rewind_bytes = (size_t)64 << 20};
    play_session *s = rill_play_create(&def, NULL);
    char *text = scene_of(argv[1]);
    if (!s || !text) return 1;
    open_scene(s, text);
    if (strcmp(argv[2], "-") != 0) switch_to(s, argv[2]);
    char *error = last_reply(s, "error");
    if (error) fprintf(stderr, "%s\n", error);
    take_steps_of(s, warm_up);
    forget_replies(s);
    const double start = rill_timer_now();
    take_steps_of(s, atoi(argv[3]) - warm_up);
    const double seconds = rill_timer_now() - start;
    printf("%s\n", text);
    say(s, "{\"do\": \"hash\"}");
    print_reply(s, "hash");
    rill_play_tell_numbers(s, 1);
    print_reply(s, "numbers");
    printf("{\"seconds\": %.9g}\n", seconds);
    free(error);
    free(text);
    rill_play_destroy(s);
    return 0;
}
