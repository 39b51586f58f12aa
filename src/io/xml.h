/* SPDX-License-Identifier: MIT */
/* Escapes text for XML: in elements and, between double quotes, in attributes. */
#ifndef RILL_IO_XML_H
#define RILL_IO_XML_H

#include <stdio.h>

void rill_xml_put(FILE *stream, const char *text);

#endif
