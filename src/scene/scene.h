/* SPDX-License-Identifier: MIT */
/* Scenes: JSON with comments -> checked definitions -> a world through the public API only. */
#ifndef RILL_SCENE_SCENE_H
#define RILL_SCENE_SCENE_H

#include "rill/scene.h"
#include "scene/expression.h"

#include <stdio.h>

/* How long and how finely the tool runs a scene (table: rill_scene_run_table). */
typedef struct scene_run {
    float time;           /* [s] */
    float fps;            /* frames per simulated second */
    float dt;             /* fixed step [s]; 0: adaptive */
    float snapshot_every; /* simulated seconds between snapshots; 0: at the end only */
    float settle;         /* that the fluid may come to rest before the run begins [s]; 0: it begins as it was filled */
} scene_run;

/* How the tool draws a scene (table: rill_scene_picture_table). */
typedef struct scene_picture {
    int32_t width, height;      /* pixels */
    int32_t color;              /* "speed|density|pressure" */
    float color_min, color_max; /* equal: from the data */
    rill_vec min, max;          /* 2D: the window [m]; equal: from the data and the solids */
    rill_vec eye, target, up;   /* 3D camera; eye = target: chosen from the data */
    float field_of_view;        /* vertical [rad] */
    float orbit;                /* of the 3D camera about the vertical through its target [rad/s] */
    rill_points path;           /* that the eye takes in 3D, from the start of the run to its end */
    int32_t samples;            /* rays through each pixel of a rendered picture */
    float shutter;              /* how long it is open [s] */
    char links[RILL_NAME_SIZE]; /* name of a set of links to draw, or empty */
} scene_picture;

/* How one solid, body or fluid looks (table: rill_scene_paint_table). */
typedef struct scene_paint {
    char of[RILL_NAME_SIZE];
    char color[RILL_NAME_SIZE]; /* "#rrggbb", or empty: its own */
    float depth;                /* of a liquid that shows this colour [m] */
    float refraction;           /* of a liquid; 0: its own */
    bool shown;                 /* false: a solid or body that pictures leave out */
} scene_paint;

/* An event while the scene runs (table: rill_scene_event_table). */
enum { EVENT_SET, EVENT_REMOVE };
typedef struct scene_event {
    float time;                 /* [s] */
    float until;                /* end of a change that takes time [s]; 0: it happens at once */
    int32_t action;             /* "set|remove" */
    char of[RILL_NAME_SIZE];    /* "fluids.goo", "solids.mould", "world", "method" */
    char key[RILL_NAME_SIZE];   /* "clavet.springs" */
    char from[RILL_NAME_SIZE];  /* text of the value at `time`, if the change takes time */
    char value[RILL_NAME_SIZE]; /* text of the new value */
} scene_event;

/* Parameters given for one method, in the order of the file, still to be set on a world of that method. */
typedef struct scene_method {
    char name[RILL_NAME_SIZE];
    void *params; /* laid out by the method's table, defaults filled in */
    bool *given;  /* one for each row of the table */
} scene_method;

/* A number with a name that other numbers of the scene were computed from. */
typedef struct scene_variable {
    char name[RILL_NAME_SIZE];
    double value;
} scene_variable;

/* The scene behind the pointer of rill/scene.h; the folders above read its members. */
typedef struct rill_scene scene;
struct rill_scene {
    char name[RILL_NAME_SIZE];
    char path[512]; /* or the label it was parsed under */
    char *about;
    rill_world_def world; /* world.method is the method it will run with */
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
    struct scene_sections *sections; /* what items give for methods; private to this folder, may be NULL */
    struct scene_marks *marks;       /* where everything stands in the file; private to this folder */
};

const rill_table *rill_scene_run_table(void);
const rill_table *rill_scene_picture_table(void);
const rill_table *rill_scene_paint_table(void);
const rill_table *rill_scene_event_table(void);
/* "#rrggbb" as numbers from 0 to 1; false for anything else. */
bool rill_scene_color(const char *text, rill_vec *color);

/* Finds NAME, NAME.json or a path, in: the working directory, ./scenes, $RILL_SCENES, the source tree's and the
   installed scene folder. */
rill_status rill_scene_find(const char *name_or_path, char *path, size_t size, rill_error *error);
/* The path of a file that comes with Rill, such as reference/dam_break_front.csv: beside the program that runs, or in
   the sources it was built from. */
bool rill_scene_find_data(const char *name, char *path, size_t size);
/* Variables have their say while a scene is read. Among "KEY=VALUE" assignments those that begin with "variables." give
   variables other values; others are left to rill_scene_set. An unknown variable is RILL_INVALID. */
typedef struct scene_sets {
    const char *const *items;
    int count;
} scene_sets;
scene *rill_scene_load_with(const char *name_or_path, scene_sets sets, rill_error *error);
bool rill_scene_sets_variable(const char *assignment);
/* The scene's variables for expressions; NULL: none. The scene outlives them. */
expression_names rill_scene_names(const scene *s);

/* Adds one of the scene's blocks to a world; rill_scene_build adds them all. */
rill_status rill_scene_add_block(const scene *s, rill_world *world, int index, int *added, rill_error *error);

/* Lets the events after one moment and up to another happen to a world that the scene describes; `after` below 0: all
   up to the other. A run calls it at its start and after each step. */
rill_status rill_scene_apply_events(const scene *s, rill_world *world, double after, double until, rill_error *error);
/* Whether any event happens there. */
bool rill_scene_has_events(const scene *s, double after, double until);
/* Whether event k makes sense; if not, `key` is the row that is wrong. */
rill_status rill_scene_check_event(const scene *s, int k, char *key, size_t size, rill_error *error);

/* rill_scene_write into a stream. */
rill_status rill_scene_print(const scene *s, FILE *file, rill_error *error);
/* JSON Schema of scene files, made from the tables. */
rill_status rill_scene_write_schema(FILE *file, rill_error *error);

#endif
