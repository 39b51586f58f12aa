/* SPDX-License-Identifier: MIT */
/* Combines a scene's "picture" section with the options of the command line. */
#include "apps/cli/show/scene_picture.h"

#include "core/error.h"

rill_status scene_picture_make(picture_def *def, const scene *s, const picture_options *words, const char *title,
                               rill_error *error) {
    scene_picture section;
    if (s)
        section = s->picture;
    else
        rill_table_defaults(rill_scene_picture_table(), &section);
    TRY(picture_options_apply(words, &section, error));
    TRY(rill_scene_picture_make(def, s, &section, title, error));
    if (words->look) def->look = rill_choice_index(PICTURE_LOOKS, words->look);
    return RILL_OK;
}
