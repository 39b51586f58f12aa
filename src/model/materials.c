/* SPDX-License-Identifier: MIT */
/* Named materials: Newtonian liquids at about 20 C in SI units. Pure liquids are from the CRC Handbook of Chemistry and
   Physics (Lide, ed.), sections "Viscosity of liquids", "Density of liquids" and "Surface tension of common liquids";
   natural products vary by tens of per cent and are rounded. Other sources are beside their row. */
#include "model/materials.h"

#include "core/error.h"

#include <stdio.h>
#include <string.h>

typedef struct material {
    const char *name;
    float density, viscosity, surface_tension; /* [kg/m^3] [Pa s] [N/m] */
} material;

static const material materials[] = {
    {"water", 998.2F, 1.002e-3F, 0.0728F},
    /* Salinity 35 g/kg. Density and viscosity: Landolt-Boernstein, New Series V/3a (1986); surface tension: Nayar,
       Panchanathan, McKinley and Lienhard, J. Phys. Chem. Ref. Data 43 (2014) 043103. */
    {"sea_water", 1024.8F, 1.07e-3F, 0.0738F},
    /* Olive oil. */
    {"oil", 913, 0.084F, 0.032F},
    /* 16 % of water. White, "Honey", Advances in Food Research 24 (1978), with Munro's viscosities. Sources disagree
       about its surface tension. It is left out, because viscosity dominates at any size worth simulating. */
    {"honey", 1430, 19, 0},
    {"glycerol", 1261, 1.412F, 0.063F},
    /* Whole milk. Walstra and Jenness, Dairy Chemistry and Physics (1984); surface tension: Bertsch, J. Dairy Research
       50 (1983) 259. */
    {"milk", 1030, 2.0e-3F, 0.052F},
    {"mercury", 13546, 1.554e-3F, 0.4865F},
    {"ethanol", 789.3F, 1.2e-3F, 0.0224F},
    {"acetone", 790, 3.2e-4F, 0.0237F},
};
enum { MATERIAL_COUNT = sizeof materials / sizeof materials[0] };

const char *rill_material_name(int index) {
    return index >= 0 && index < MATERIAL_COUNT ? materials[index].name : NULL;
}

/* All names, separated by `between`. */
static const char *join_names(const char *between, char *buffer, size_t size) {
    size_t length = 0;
    buffer[0] = '\0';
    for (int i = 0; i < MATERIAL_COUNT && length < size; ++i) {
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", i ? between : "", materials[i].name);
    }
    return buffer;
}

static rill_status unknown_material(const char *name, rill_error *error) {
    char choices[300];
    char list[300];
    char nearest[RILL_NAME_SIZE];
    join_names("|", choices, sizeof choices);
    join_names(", ", list, sizeof list);
    if (rill_choices_nearest(choices, name, nearest, sizeof nearest)) {
        return rill_fail(error, RILL_NOT_FOUND, "unknown material '%.48s'; did you mean '%s'? Known: %s", name, nearest,
                         list);
    }
    return rill_fail(error, RILL_NOT_FOUND, "unknown material '%.48s'; known: %s", name, list);
}

rill_status rill_material_find(const char *name, rill_fluid_def *def, rill_error *error) {
    if (!name || !def)
        return rill_fail(error, RILL_INVALID, "rill_material_find needs a name and a definition to fill");
    for (int i = 0; i < MATERIAL_COUNT; ++i) {
        const material *found = &materials[i];
        if (strcmp(found->name, name) != 0) continue;
        *def = rill_fluid_def_default();
        snprintf(def->name, sizeof def->name, "%s", name);
        def->density = found->density;
        def->viscosity = found->viscosity;
        def->surface_tension = found->surface_tension;
        return RILL_OK;
    }
    return unknown_material(name, error);
}

bool rill_material_brings_viscosity(const rill_fluid_def *def) {
    for (int i = 0; i < MATERIAL_COUNT; ++i)
        if (materials[i].viscosity == def->viscosity) return true;
    return rill_fluid_def_default().viscosity == def->viscosity;
}

bool rill_material_brings_tension(const rill_fluid_def *def) {
    for (int i = 0; i < MATERIAL_COUNT; ++i)
        if (materials[i].surface_tension == def->surface_tension) return true;
    return rill_fluid_def_default().surface_tension == def->surface_tension;
}
