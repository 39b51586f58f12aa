/* SPDX-License-Identifier: MIT */
/* Text in XML: of elements and, between double quotes, of attributes. */
#ifndef RILL_IO_XML_H
#define RILL_IO_XML_H

#include <stdio.h>

void rill_xml_put(FILE *stream, const char *text);

#endif
