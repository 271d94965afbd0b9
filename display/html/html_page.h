/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files in page/, which the build puts into the program: the page with its
 * marks, all styles, all scripts.
 */
#ifndef MEMMON_HTML_PAGE_H
#define MEMMON_HTML_PAGE_H

#include <stddef.h>

extern const unsigned char html_page[], html_style[], html_script[];
extern const size_t html_page_size, html_style_size, html_script_size;

#endif
