/* SPDX-License-Identifier: MIT */
/* The elastic rows of a step as one matrix, sum D^T w H D, in blocks of DIM x DIM: B_kj is the response of particle k
   to a displacement of particle j. A round applies the matrix about 25 times, and a particle of a sheet has 12 blocks
   instead of two dozen parts of rows, so assembly pays off within the round.

   Shares of an elastic row sum up to 0, for no row resists a translation of the cloth. So a particle's own block is
   minus the sum of its others, and its response is sum B_kj (d_j - d_k). Only the other blocks are stored: a common
   displacement then gives exactly 0, while rounding of blocks a hundred thousand times as stiff as inertia would make
   forces of it. */
#include "sim/cloth/cloth.h"

#include <string.h>

/* ---- which particles have blocks ---- */

/* Finds the end of each particle's elastic parts; they come first, as the elastic rows do. */
static void find_elastic_parts(cloth_job *job) {
    for (int k = 0; k < job->cloth_count; k++) {
        int n = job->part_first[k];
        while (n < job->part_first[k + 1] && job->part[n].row < job->first_pair) n++;
        job->elastic_end[k] = n;
    }
}

/* Gives every end of every elastic part the block that it adds to: one block for all parts of particle k with the same
   other particle. `latest` is the block that a particle got last; it belongs to k if it is not before k's first. */
static void give_blocks(cloth_job *job) {
    int count = 0;
    for (int k = 0; k < job->cloth_count; k++) job->latest[k] = -1;
    for (int k = 0; k < job->cloth_count; k++) {
        const int first = job->block_first[k] = count;
        for (int n = job->part_first[k]; n < job->elastic_end[k]; n++)
            for (int e = 0; e < ROW_ENDS; e++) {
                const int other = job->row[job->part[n].row].end[e];
                if (other != k && job->latest[other] < first) job->latest[other] = count++;
                job->part_block[ROW_ENDS * n + e] = other != k ? job->latest[other] : -1;
            }
    }
    job->block_first[job->cloth_count] = count;
}

static void name_columns(cloth_job *job) {
    for (int k = 0; k < job->cloth_count; k++)
        for (int n = job->part_first[k]; n < job->elastic_end[k]; n++)
            for (int e = 0; e < ROW_ENDS; e++) {
                const int block = job->part_block[ROW_ENDS * n + e];
                if (block >= 0) job->column[block] = job->row[job->part[n].row].end[e];
            }
}

void rill_cloth_list_blocks(cloth_job *job) {
    find_elastic_parts(job);
    give_blocks(job);
    name_columns(job);
}

/* Upper bound of the number of blocks. A bend lies on two existing pieces (tear.c), and joins one pair of particles
   that no piece joins. */
int rill_cloth_blocks_most(const rill_world *w) {
    const int pieces = 2 * links_in(w, CLOTH_SEGMENTS)->count + 6 * links_in(w, CLOTH_TRIANGLES)->count;
    return pieces + 2 * (links_in(w, CLOTH_HINGES)->count + links_in(w, CLOTH_CURVES)->count);
}

/* ---- values ---- */

/* Adds a times the transpose of b. */
static void add_outer(cloth_block *to, vec a, vec b) {
    for (int axis = 0; axis < DIM; axis++) to->column[axis] = vec_along(to->column[axis], vec_get(b, axis), a);
}

static void add_scaled(cloth_block *to, float s, const cloth_block *b) {
    for (int axis = 0; axis < DIM; axis++) to->column[axis] = vec_along(to->column[axis], s, b->column[axis]);
}

/* Adds a part of a row that responds along its axis and across it. */
static void add_row_part(const cloth_job *job, int n) {
    const cloth_part *part = &job->part[n];
    const cloth_row *r = &job->row[part->row];
    const cloth_answer *a = &job->answer[part->row];
    const float force = r->weight * part->share;
    cloth_block felt = {0};
    add_outer(&felt, a->axis, vec_scale(a->axis, force * a->along));
    for (int axis = 0; axis < DIM; axis++) (&felt.column[axis].x)[axis] += force * a->across;
    for (int e = 0; e < ROW_ENDS; e++) {
        const int block = job->part_block[ROW_ENDS * n + e];
        if (block >= 0) add_scaled(&job->block[block], r->share[e], &felt);
    }
}

#if DIM == 3
/* Adds a part of a triangle's row. Its response to displacements of the triangle's two columns (triangle_answer):
     first row    own column  t1 t1 + (1 - h) t2 t2 + g11 n n   other column  h t2 t1 + g12 n n
     second row               t2 t2 + (1 - h) t1 t1 + g22 n n                 h t1 t2 + g12 n n
   where t1 t1 stands for the outer product. */
static void add_triangle_part(const cloth_job *job, int n) {
    const cloth_part *part = &job->part[n];
    const int of = part->row - links_in(job->world, CLOTH_SEGMENTS)->count;
    const bool second = of % 2 != 0;
    const triangle_answer *t = &job->triangle[of / 2];
    const cloth_row *rows = &job->row[second ? part->row - 1 : part->row];
    const float force = rows->weight * part->share, h = 0.5f * t->turned;
    const vec own = vec_scale(second ? t->t2 : t->t1, force), other = vec_scale(second ? t->t1 : t->t2, force);
    const vec normal = vec_scale(t->normal, force);
    cloth_block same = {0}, cross = {0};
    add_outer(&same, own, second ? t->t2 : t->t1);
    add_outer(&same, other, vec_scale(second ? t->t1 : t->t2, 1.0f - h));
    add_outer(&same, normal, vec_scale(t->normal, second ? t->g22 : t->g11));
    add_outer(&cross, other, vec_scale(second ? t->t2 : t->t1, h));
    add_outer(&cross, normal, vec_scale(t->normal, t->g12));
    for (int e = 0; e < 3; e++) {
        const int block = job->part_block[ROW_ENDS * n + e];
        if (block < 0) continue;
        add_scaled(&job->block[block], rows[second ? 1 : 0].share[e], &same);
        add_scaled(&job->block[block], rows[second ? 0 : 1].share[e], &cross);
    }
}
#endif

static void assemble_block(int begin, int end, void *context) {
    const cloth_job *job = context;
    for (int k = begin; k < end; k++) {
        const int first = job->block_first[k], count = job->block_first[k + 1] - first;
        memset(job->block + first, 0, sizeof *job->block * (size_t)count);
        for (int n = job->part_first[k]; n < job->elastic_end[k]; n++)
#if DIM == 3
            if (cloth_row_is_triangle(job, job->part[n].row))
                add_triangle_part(job, n);
            else
#endif
                add_row_part(job, n);
    }
}

void rill_cloth_assemble(cloth_job *job) {
    rill_parallel_for(job->world->workers, job->cloth_count, CLOTH_GRAIN, assemble_block, job);
}

cloth_block rill_cloth_own_block(const cloth_job *job, int k) {
    cloth_block own = {0};
    for (int n = job->block_first[k]; n < job->block_first[k + 1]; n++) add_scaled(&own, -1.0f, &job->block[n]);
    return own;
}
