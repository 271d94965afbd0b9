/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The views besides the tables, each in a file of its name.  They return 0, or
 * -1 with *e set, without "mpreduce: ".
 */
#ifndef MEMMON_SEE_H
#define MEMMON_SEE_H

#include "display/options.h"
#include "display/tables.h"
#include "reduce/profile.h"

#include <stdio.h>

/* Rows that are asked for by --where, --group-by, --columns, --query. */
int query_print(const struct profile *p, const struct options *o, FILE *out,
		struct err *e);
/* Does o ask for such? */
bool query_wanted(const struct options *o);

/* What --export asks for.  export_check(): before anything is read. */
int export_check(const char *format, struct err *e);
int export_write(const struct profile *p, const struct options *o, FILE *out,
		 struct err *e);

/* The page of --html; *old: the run that *p is compared with, or NULL. */
int html_write(const struct profile *p, const struct profile *old,
	       const struct options *o, FILE *out, struct err *e);

/* --diff and --common: reads the data files of o->files itself. */
int diff_run(const struct options *o, FILE *out, struct err *e);

/* --watch: again and again, until a signal. */
int watch_run(const struct options *o, struct err *e);

/* Tables, as those in tables.h. */
int timeline_print(struct tables *t);
int chunks_print(struct tables *t);
/* Is there what --chunks names?  0, or -1 with *e set. */
int chunks_check(const struct profile *p, const struct options *o,
		 struct err *e);
int addresses_print(struct tables *t);
int quantiles_print(struct tables *t);

#endif
