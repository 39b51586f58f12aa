/* SPDX-License-Identifier: MIT */
/* run_hash DIM METHOD STEPS: what the WebAssembly build is held against. Prints the scene, and the state hash after so
   many steps of a session. */
#include "play/play_test.h"

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    const char *text = argv[1][0] == '2' ? PLAY_SCENE_2D : PLAY_SCENE_3D;
    char method[100];
    play_session *s = make_session();
    open_scene(s, text);
    snprintf(method, sizeof method, "{\"do\": \"method\", \"name\": \"%.40s\"}", argv[2]);
    say(s, method);
    take_steps_of(s, atoi(argv[3]));
    say(s, "{\"do\": \"hash\"}");
    char *hash = last_reply(s, "hash");
    printf("%s\n%s", text, hash ? hash : "");
    free(hash);
    rill_play_destroy(s);
    return 0;
}
