/* SPDX-License-Identifier: MIT */
/* The list of a series' frames with their times, as ParaView's collection file. */
#include "core/error.h"
#include "io/io.h"

static void put_escaped(FILE *stream, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*text, stream);
        }
    }
}

rill_status io_write_pvd(const char *path, const io_series_entry *entries, int count, rill_error *error) {
    io_file file;
    rill_status status = io_open(&file, path, error);
    if (status != RILL_OK) return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
          "<Collection>\n",
          file.stream);
    for (int k = 0; k < count; k++) {
        fprintf(file.stream, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", entries[k].time);
        put_escaped(file.stream, entries[k].file);
        fputs("\"/>\n", file.stream);
    }
    fputs("</Collection>\n</VTKFile>\n", file.stream);
    return io_commit(&file, error);
}
