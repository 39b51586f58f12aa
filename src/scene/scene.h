/* SPDX-License-Identifier: MIT */
/* Scenes: JSON with comments -> checked definitions -> a world, through the public API only. */
#ifndef RILL_SCENE_SCENE_H
#define RILL_SCENE_SCENE_H

#include "rill/scene.h"
#include "scene/expression.h"

#include <stdio.h>

/* How long and at what frame rate the tool runs a scene (table: rill_scene_run_table). */
typedef struct scene_run {
    float time;           /* [s] */
    float fps;            /* frames per simulated second */
    float dt;             /* fixed step [s]; 0: adaptive */
    float snapshot_every; /* simulated seconds between snapshots; 0: the tool chooses */
    float settle;         /* time for the fluid to come to rest before the run [s]; 0: start from the filled blocks */
} scene_run;

/* How the tool draws a scene (table: rill_scene_picture_table). */
typedef struct scene_picture {
    int32_t width, height;      /* pixels */
    int32_t color;              /* what the colour shows: "speed|density|pressure" */
    float color_min, color_max; /* range; if equal: chosen from the data */
    rill_vec min, max;          /* 2D: the window [m]; if equal: chosen from the data and the solids */
    rill_vec eye, target, up;   /* 3D camera; eye = target: chosen from the data */
    float field_of_view;        /* vertical [rad] */
    float orbit;                /* angular velocity of the 3D camera about the vertical through its target [rad/s] */
    rill_points path;           /* 3D: path of the eye from the start of the run to its end */
    int32_t samples;            /* rays through each pixel of a rendered picture */
    float shutter;              /* exposure time [s] */
    char links[RILL_NAME_SIZE]; /* name of a set of links to draw, or empty */
} scene_picture;

/* The appearance of one solid, body or fluid (table: rill_scene_paint_table). */
typedef struct scene_paint {
    char of[RILL_NAME_SIZE];
    char color[RILL_NAME_SIZE]; /* "#rrggbb"; empty: its default */
    float depth;                /* depth at which a liquid has this colour [m] */
    float refraction;           /* refractive index of a liquid; 0: its default */
    bool shown;                 /* false: pictures leave out this solid or body */
} scene_paint;

/* A change while the scene runs (table: rill_scene_event_table). */
enum { EVENT_SET, EVENT_REMOVE };
typedef struct scene_event {
    float time;                 /* [s] */
    float until;                /* end of a gradual change [s]; 0: immediate */
    int32_t action;             /* "set|remove" */
    char of[RILL_NAME_SIZE];    /* its target: "fluids.goo", "solids.mould", "world", "method" */
    char key[RILL_NAME_SIZE];   /* "clavet.springs" */
    char from[RILL_NAME_SIZE];  /* text of the initial value of a gradual change */
    char value[RILL_NAME_SIZE]; /* text of the new value */
} scene_event;

/* Parameters given for one method, in the order of the file. They are set when a world with that method is built. */
typedef struct scene_method {
    char name[RILL_NAME_SIZE];
    void *params; /* struct laid out by the method's table, with defaults filled in */
    bool *given;  /* for each row of the table: whether the scene gives it */
} scene_method;

/* A named number, from which other numbers of the scene were computed. */
typedef struct scene_variable {
    char name[RILL_NAME_SIZE];
    double value;
} scene_variable;

/* The scene behind the opaque pointer of rill/scene.h; the folders above this one use its members. */
typedef struct rill_scene scene;
struct rill_scene {
    char name[RILL_NAME_SIZE];
    char path[512]; /* path of its file, or the label given to the parser */
    char *about;
    rill_world_def world; /* world.method is the method that will run */
    scene_run run;
    scene_picture picture;
    rill_surface_def surface;
    rill_fluid_def *fluids;
    int fluid_count;
    rill_block_def *blocks;
    int block_count;
    rill_solid_def *solids;
    int solid_count;
    rill_body_def *bodies;
    int body_count;
    rill_joint_def *joints;
    int joint_count;
    rill_emitter_def *emitters;
    int emitter_count;
    rill_sink_def *sinks;
    int sink_count;
    rill_group_def *groups;
    int group_count;
    rill_area_def *areas;
    int area_count;
    rill_cloth_def *cloths;
    int cloth_count;
    rill_pin_def *pins;
    int pin_count;
    rill_gauge_def *gauges;
    int gauge_count;
    scene_paint *paints;
    int paint_count;
    scene_event *events;
    int event_count;
    scene_method *methods; /* one for each known method */
    int method_count;
    scene_variable *variables;
    int variable_count;
    struct scene_sections *sections; /* parameters of items for methods; private to this folder, may be NULL */
    struct scene_marks *marks;       /* positions of objects in the file; private to this folder */
};

const rill_table *rill_scene_run_table(void);
const rill_table *rill_scene_picture_table(void);
const rill_table *rill_scene_paint_table(void);
const rill_table *rill_scene_event_table(void);
/* "#rrggbb" as numbers from 0 to 1; false for anything else. */
bool rill_scene_color(const char *text, rill_vec *color);

/* Finds the file of a scene. With a '/' or the ending .json it is tried as a path first. Then NAME and NAME.json are
   searched for in ./scenes, $RILL_SCENES, the folder beside the program or else that of the source tree, and the
   installed one. */
rill_status rill_scene_find(const char *name_or_path, char *path, size_t size, rill_error *error);
/* The path of a data file of Rill, such as reference/dam_break_front.csv: beside the running program, or in the sources
   that it was built from. */
bool rill_scene_find_data(const char *name, char *path, size_t size);
/* Values for variables, which are needed while a scene is read. Of the "KEY=VALUE" assignments only those that begin
   with "variables." apply; rill_scene_set handles the others. An unknown variable is RILL_INVALID. */
typedef struct scene_sets {
    const char *const *items;
    int count;
} scene_sets;
scene *rill_scene_load_with(const char *name_or_path, scene_sets sets, rill_error *error);
bool rill_scene_sets_variable(const char *assignment);
/* The scene's variables for use in expressions; NULL: none. The scene must outlive them. */
expression_names rill_scene_names(const scene *s);

/* Adds one of the scene's blocks to a world. (rill_scene_build adds all of them.) */
rill_status rill_scene_add_block(const scene *s, rill_world *world, int index, int *added, rill_error *error);

/* Applies the events after time `after` up to `until` to a world of this scene; `after` below 0: all events up to
   `until`. A run calls it at its start and after each step. */
rill_status rill_scene_apply_events(const scene *s, rill_world *world, double after, double until, rill_error *error);
/* Whether there is an event after `after` up to `until`. */
bool rill_scene_has_events(const scene *s, double after, double until);
/* Checks event k; if it is invalid, `key` receives the row that is wrong. */
rill_status rill_scene_check_event(const scene *s, int k, char *key, size_t size, rill_error *error);

/* Like rill_scene_write, but into a stream. */
rill_status rill_scene_print(const scene *s, FILE *file, rill_error *error);
/* JSON Schema of scene files, made from the tables. */
rill_status rill_scene_write_schema(FILE *file, rill_error *error);

#endif
