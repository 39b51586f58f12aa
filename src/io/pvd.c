/* SPDX-License-Identifier: MIT */
/* The list of a series' frames with their times, as ParaView's collection file. After its last element the file keeps
   spare room inside a processing instruction, which XML parsers skip; a new entry overwrites the closing tags and part
   of that room. A write within one page is done completely or not at all if the process is killed, so no write crosses
   a page boundary and the file is readable at any moment. When the room is used up, a file with twice the room replaces
   it. */
#include "core/error.h"
#include "io/file.h"
#include "io/io.h"
#include "io/xml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The smallest page size of any processor; larger pages are multiples of it. */
#define PAGE 4096
/* Most bytes of an entry: every byte of the file name may be escaped. */
#define ENTRY_SIZE (6 * sizeof(((io_series_entry *)0)->file) + 128)

#define CLOSING_TAGS "</Collection>\n</VTKFile>\n"
static const char series_end[] = CLOSING_TAGS "<?room ", room_end[] = "?>\n";

static void put_entry(FILE *stream, const io_series_entry *entry) {
    fprintf(stream, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", entry->time);
    rill_xml_put(stream, entry->file);
    fputs("\"/>\n", stream);
}

static bool in_one_page(off_t begin, size_t size) {
    return begin / PAGE == (begin + (off_t)size - 1) / PAGE;
}

static void put_blanks(FILE *stream, off_t count) {
    for (; count > 0; count--) fputc('\n', stream);
}

/* Writes the end of the file, with `room` bytes for further entries; a finished file has none. */
static void put_end(io_series *series, FILE *stream, off_t room) {
    const size_t length = sizeof series_end - 1;
    series->end = (off_t)ftell(stream);
    if (room == 0) {
        fputs(CLOSING_TAGS, stream);
        return;
    }
    if (!in_one_page(series->end, length)) {
        put_blanks(stream, PAGE - series->end % PAGE);
        series->end += PAGE - series->end % PAGE;
    }
    fputs(series_end, stream);
    put_blanks(stream, room);
    fputs(room_end, stream);
    series->room_end = series->end + (off_t)length + room;
}

static rill_status write_whole(io_series *series, off_t room, rill_error *error) {
    io_file file;
    rill_status status = rill_io_open(&file, series->path, error);
    if (status != RILL_OK) return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
          "<Collection>\n",
          file.stream);
    for (int k = 0; k < series->count; k++) put_entry(file.stream, &series->entries[k]);
    put_end(series, file.stream, room);
    status = rill_io_commit(&file, error);
    if (series->open) close(series->descriptor);
    series->open = false;
    if (status != RILL_OK || room == 0) return status;
    series->descriptor = open(series->path, O_WRONLY | O_CLOEXEC);
    series->open = series->descriptor >= 0;
    return series->open ? RILL_OK : rill_io_fail(error, errno, "append to", series->path);
}

static bool write_at(int descriptor, const char *bytes, size_t size, off_t at) {
    for (size_t done = 0; done < size;) {
        const ssize_t written = pwrite(descriptor, bytes + done, size - done, at + (off_t)done);
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) done += (size_t)written;
    }
    return true;
}

/* Writes the new entry and a new end on the next page, which readers still skip as part of the room. Then blanks out
   the old end in front of it. The writes reach the disk in this order. */
static bool write_on_next_page(io_series *series, const char *text, size_t size, off_t next) {
    char blanks[sizeof series_end - 1];
    memset(blanks, '\n', sizeof blanks);
    return write_at(series->descriptor, text, size, next) && fdatasync(series->descriptor) == 0 &&
           write_at(series->descriptor, blanks, sizeof blanks, series->end);
}

/* Writes the last entry over the end of the file, followed by a new end. */
static rill_status write_last(io_series *series, rill_error *error) {
    char text[ENTRY_SIZE + sizeof series_end];
    FILE *stream = fmemopen(text, sizeof text, "w");
    if (!stream) return rill_fail(error, RILL_MEMORY, "%s: not enough memory for an entry", series->path);
    put_entry(stream, &series->entries[series->count - 1]);
    const off_t entry = (off_t)ftell(stream);
    fputs(series_end, stream);
    const size_t size = (size_t)ftell(stream);
    fclose(stream);

    const off_t next = (series->end / PAGE + 1) * PAGE;
    const bool fits = in_one_page(series->end, size);
    const off_t begin = fits ? series->end : next;
    if (begin + (off_t)size > series->room_end) return write_whole(series, 2 * series->room_end, error);
    if (!(fits ? write_at(series->descriptor, text, size, begin) : write_on_next_page(series, text, size, next)))
        return rill_io_fail(error, errno, "append to", series->path);
    series->end = begin + entry;
    return RILL_OK;
}

rill_status rill_io_series_restore(io_series *series, double time, const char *file, rill_error *error) {
    if (series->count == series->capacity) {
        const int capacity = series->capacity ? 2 * series->capacity : 64;
        io_series_entry *entries = realloc(series->entries, (size_t)capacity * sizeof *entries);
        if (!entries) return rill_fail(error, RILL_MEMORY, "%s: out of memory for the list of files", series->path);
        series->entries = entries, series->capacity = capacity;
    }
    io_series_entry *entry = &series->entries[series->count++];
    entry->time = time;
    snprintf(entry->file, sizeof entry->file, "%s", file);
    return RILL_OK;
}

rill_status rill_io_series_add(io_series *series, double time, const char *file, rill_error *error) {
    TRY(rill_io_series_restore(series, time, file, error));
    return series->open ? write_last(series, error) : write_whole(series, PAGE, error);
}

rill_status rill_io_series_close(io_series *series, rill_error *error) {
    const rill_status status = series->open ? write_whole(series, 0, error) : RILL_OK;
    free(series->entries);
    *series = (io_series){0};
    return status;
}
