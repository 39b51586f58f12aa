/* SPDX-License-Identifier: MIT */
/* Tables of the sections that only the tool uses: how a scene is run and drawn. */
#include "model/table.h"
#include "scene/scene.h"

#include <string.h>

static const rill_param run_rows[] = {
    ROW_NUMBER(scene_run, time, RILL_TIME, 0, 1e6, 2, "simulated time of the run", NULL),
    ROW_NUMBER(scene_run, fps, RILL_FREQUENCY, 1e-3, 1e6, 30, "frames written for each simulated second", NULL),
    ROW_NUMBER(scene_run, dt, RILL_TIME, 0, 1, 0, "fixed time step; 0: adaptive steps", NULL),
    ROW_NUMBER(scene_run, snapshot_every, RILL_TIME, 0, 1e6, 0, "simulated time between snapshots; 0: the tool chooses",
               NULL),
    ROW_NUMBER(scene_run, settle, RILL_TIME, 0, 1e6, 0,
               "simulated time before t = 0 in which the fluid comes to rest while solids and bodies stand still",
               NULL),
};
static const rill_table run_table =
    TABLE("run", "How long and how finely the tool runs the scene", scene_run, run_rows);

static const rill_param picture_rows[] = {
    ROW_INT(scene_picture, width, 16, 8192, 960, "width in pixels", NULL),
    ROW_INT(scene_picture, height, 16, 8192, 600, "height in pixels", NULL),
    ROW_CHOICE(scene_picture, color, "speed|density|pressure", 0, "quantity that the colour of a particle shows", NULL),
    ROW_NUMBER(scene_picture, color_min, RILL_PURE, -TABLE_HUGE, TABLE_HUGE, 0,
               "value at the low end of the colour scale, SI; equal to color_max: from the particles", NULL),
    ROW_NUMBER(scene_picture, color_max, RILL_PURE, -TABLE_HUGE, TABLE_HUGE, 0,
               "value at the high end of the colour scale, SI", NULL),
    PLACE_VEC(scene_picture, min, -1e9, 1e9, 0, 0, 0,
              "lower corner of the window in 2D; equal to max: from particles and solids", NULL),
    PLACE_VEC(scene_picture, max, -1e9, 1e9, 0, 0, 0, "upper corner of the window in 2D", NULL),
    PLACE_VEC(scene_picture, eye, -1e9, 1e9, 0, 0, 0,
              "position of the camera in 3D; equal to target: from the particles", NULL),
    PLACE_VEC(scene_picture, target, -1e9, 1e9, 0, 0, 0, "point in the middle of the picture in 3D", NULL),
    ROW_VEC(scene_picture, up, RILL_PURE, -1e9, 1e9, 0, 0, 1, "up in the picture in 3D", NULL),
    ROW_NUMBER(scene_picture, field_of_view, RILL_ANGLE, 0.01, 3, 0.6, "vertical field of view of the camera in 3D",
               NULL),
    ROW_NUMBER(scene_picture, orbit, RILL_ANGULAR_SPEED, -100, 100, 0,
               "angular speed of the camera about the vertical through its target in 3D", NULL),
    PLACE_POINTS(scene_picture, path, RILL_LENGTH, -1e9, 1e9,
                 "points of a smooth path of the camera in 3D, passed at equal intervals of time from the start of the "
                 "run to its end",
                 NULL),
    ROW_INT(scene_picture, samples, 1, 65536, 64, "rays through each pixel of a rendered picture in 3D", NULL),
    ROW_NUMBER(scene_picture, shutter, RILL_TIME, 0, 10, 0,
               "time of exposure: rendered water and bodies are blurred by their motion in 3D", NULL),
    ROW_NAME(scene_picture, links, "",
             "links between particles to draw as lines, such as springs, with small particles", NULL),
};
static const rill_table picture_table = TABLE("picture", "How the tool draws the scene", scene_picture, picture_rows);

static const rill_param paint_rows[] = {
    ROW_NAME(scene_paint, of, "", "name of the solid, body or fluid", NULL),
    ROW_NAME(scene_paint, color, "",
             "\"#rrggbb\"; for a liquid, the colour of white light that has passed through `depth` of it; empty: "
             "chosen by the tool",
             NULL),
    ROW_NUMBER(scene_paint, depth, RILL_LENGTH, 1e-6, 1e6, 0.1, "depth at which a liquid has its colour in 3D",
               "Beer-Lambert"),
    ROW_NUMBER(scene_paint, refraction, RILL_PURE, 0, 4, 0,
               "refractive index of a liquid in 3D, 1 or more; 0: chosen by the tool", NULL),
    ROW_BOOL(scene_paint, shown, 1, "false: pictures leave the solid or body out, such as a wall that hides the rest",
             NULL),
};
static const rill_table paint_table =
    TABLE("paint", "Appearance of a solid, body or fluid in pictures", scene_paint, paint_rows);

static const rill_param event_rows[] = {
    ROW_NUMBER(scene_event, time, RILL_TIME, 0, 1e6, 0, "time at which it happens or begins", NULL),
    ROW_NUMBER(scene_event, until, RILL_TIME, 0, 1e6, 0, "end of a gradual change; 0: the change happens at once",
               NULL),
    ROW_CHOICE(scene_event, action, "set|remove", EVENT_SET, "set a value, or remove an object", NULL),
    ROW_NAME(scene_event, of, "", "object to change: LIST.NAME (such as fluids.water), world or method", NULL),
    ROW_NAME(scene_event, key, "", "key to set, as in --set: viscosity, METHOD.KEY", NULL),
    ROW_NAME(scene_event, from, "", "value at the start of a gradual change, as text", NULL),
    ROW_NAME(scene_event, value, "", "new value, as text: \"3 kPa\"", NULL),
};
static const rill_table event_table =
    TABLE("event", "A change that happens while the scene runs", scene_event, event_rows);

const rill_table *rill_scene_event_table(void) {
    return &event_table;
}

const rill_table *rill_scene_paint_table(void) {
    return &paint_table;
}

bool rill_scene_color(const char *text, rill_vec *color) {
    float part[3] = {0, 0, 0};
    if (text[0] != '#' || strlen(text) != 7) return false;
    for (int k = 0; k < 6; k++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = strchr(digits, text[k + 1] >= 'A' && text[k + 1] <= 'F' ? text[k + 1] + 32 : text[k + 1]);
        if (!digit) return false;
        part[k / 2] += (float)(digit - digits) * (k % 2 ? 1.0f : 16.0f) / 255.0f;
    }
    *color = (rill_vec){part[0], part[1], part[2]};
    return true;
}

const rill_table *rill_scene_run_table(void) {
    return &run_table;
}

const rill_table *rill_scene_picture_table(void) {
    return &picture_table;
}
