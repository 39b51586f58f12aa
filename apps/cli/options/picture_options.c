/* SPDX-License-Identifier: MIT */
/* Picture options of the command line, read by the table of the scene's section. */
#include "apps/cli/options/picture_options.h"

#include "core/error.h"
#include "picture/picture.h"

#include <stdio.h>

/* The quantities of the choice "speed|density|pressure", in its order. */
static const rill_quantity quantities[] = {RILL_SPEED, RILL_DENSITY, RILL_PRESSURE};
#define QUANTITIES ((int)(sizeof quantities / sizeof *quantities))

static rill_status set_row(scene_picture *section, const char *key, const char *text, rill_error *error) {
    const rill_param *row = rill_table_find(rill_scene_picture_table(), key);
    return rill_param_set_text(row, section, text, error);
}

rill_status picture_options_size(const char *size, scene_picture *section, rill_error *error) {
    char width[16], height[16], rest;
    if (sscanf(size, "%15[0-9]x%15[0-9]%c", width, height, &rest) != 2) {
        return rill_fail(error, RILL_INVALID, "--size %s: expected WIDTHxHEIGHT in pixels, such as 960x600", size);
    }
    rill_status status = set_row(section, "width", width, error);
    return status == RILL_OK ? set_row(section, "height", height, error) : status;
}

rill_status picture_options_range(const char *const range[2], int color, float *low, float *high, rill_error *error) {
    double from, to;
    TRY(rill_parse_number(range[0], quantities[color], &from, error));
    TRY(rill_parse_number(range[1], quantities[color], &to, error));
    if (!(from < to))
        return rill_fail(error, RILL_INVALID, "--range %s %s: the first value must be below the second", range[0],
                         range[1]);
    *low = (float)from, *high = (float)to;
    return RILL_OK;
}

rill_status picture_options_apply(const picture_options *words, scene_picture *section, rill_error *error) {
    rill_status status = RILL_OK;
    if (words->color) status = set_row(section, "color", words->color, error);
    if (status == RILL_OK && words->size) status = picture_options_size(words->size, section, error);
    if (status == RILL_OK && words->range[0])
        status = picture_options_range(words->range, section->color, &section->color_min, &section->color_max, error);
    const struct {
        const char *key, *text;
    } rows[] = {{"samples", words->samples},
                {"eye", words->eye},
                {"target", words->target},
                {"field_of_view", words->view},
                {"shutter", words->shutter}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows && status == RILL_OK; k++)
        if (rows[k].text) status = set_row(section, rows[k].key, rows[k].text, error);
    return status;
}

/* The scene may choose the quantity, and with it the unit of the range: without --color every unit is accepted here. */
static rill_status check_range(const picture_options *words, int color, rill_error *error) {
    float low, high;
    if (!words->range[0]) return RILL_OK;
    rill_status status = picture_options_range(words->range, color, &low, &high, error);
    for (int other = 0; status != RILL_OK && !words->color && other < QUANTITIES; other++)
        status = picture_options_range(words->range, other, &low, &high, NULL);
    return status;
}

rill_status picture_options_check(const picture_options *words, rill_error *error) {
    scene_picture section;
    picture_options rest = *words;
    rest.range[0] = NULL;
    rill_table_defaults(rill_scene_picture_table(), &section);
    TRY(picture_options_apply(&rest, &section, error));
    TRY(check_range(words, section.color, error));
    if (!words->look || rill_choice_index(PICTURE_LOOKS, words->look) >= 0) return RILL_OK;
    return rill_fail(error, RILL_INVALID, "--look %s: expected one of particles, surface, water", words->look);
}
