/* SPDX-License-Identifier: MIT */
#include "io/xml.h"

void rill_xml_put(FILE *stream, const char *text) {
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
