/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of --html. */
#ifndef MEMMON_DISPLAY_HTML_H
#define MEMMON_DISPLAY_HTML_H

#include "display/settings/settings.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Write the page of --html to out, or to the file that o names.  *old: the run
 * to compare *p with, or NULL.  0, or -1 with *e set.
 */
int html_write(const struct profile *p, const struct profile *old,
	       const struct options *o, FILE *out, struct err *e);
int html_file(const struct profile *p, const struct profile *old,
	      const struct options *o, struct err *e);

#endif
