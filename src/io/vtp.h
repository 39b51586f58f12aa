/* SPDX-License-Identifier: MIT */
/* The parts that all VTP files share, whether they contain frames, surfaces or bodies. */
#ifndef RILL_IO_VTP_H
#define RILL_IO_VTP_H

#include <stdint.h>
#include <stdio.h>

/* Writes the beginning up to the time. More field data may follow. */
static inline void vtp_begin(FILE *stream, double time) {
    fprintf(stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
            "<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n",
            time);
}

/* Writes the tags up to the points, which are declared next. */
static inline void vtp_piece(FILE *stream, int64_t points, int64_t single, int64_t lines, int64_t polygons) {
    fprintf(stream,
            "</FieldData>\n"
            "<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" NumberOfStrips=\"0\" "
            "NumberOfPolys=\"%lld\">\n<Points>\n",
            (long long)points, (long long)single, (long long)lines, (long long)polygons);
}

/* Writes the tags after the appended data. */
static inline void vtp_end(FILE *stream) {
    fputs("\n</AppendedData>\n</VTKFile>\n", stream);
}

#endif
