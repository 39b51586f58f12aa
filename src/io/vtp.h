/* SPDX-License-Identifier: MIT */
/* What all VTP files begin and end with, whatever they hold: frames, surfaces, bodies. */
#ifndef RILL_IO_VTP_H
#define RILL_IO_VTP_H

#include <stdint.h>
#include <stdio.h>

/* Up to the time; more data of the whole file may follow. */
static inline void vtp_begin(FILE *stream, double time) {
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n",
            time);
}

/* Up to the points, which are declared next. */
static inline void vtp_piece(FILE *stream, int64_t points, int64_t single, int64_t lines, int64_t polygons) {
    fprintf(stream,
            "</FieldData>\n"
            "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%lld\">\n<Points>\n",
            (long long)points, (long long)single, (long long)lines, (long long)polygons);
}

/* Behind the appended data. */
static inline void vtp_end(FILE *stream) {
    fputs("\n</AppendedData>\n</VTKFile>\n", stream);
}

#endif
