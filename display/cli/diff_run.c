/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --diff: read the two profiles that the operands name, and compare them. */
#include "display/cli/options.h"
#include "display/diff/diff.h"
#include "display/html/html.h"
#include "reduce/base/clean.h"
#include "reduce/base/str.h"

#include <stdio.h>
#include <string.h>

/* Percentage of functions that two runs must have in common: if the programs
 * have different names, and if they have the same name.  Programs of the same
 * name with fewer functions than FEW always match. */
enum { OTHERS = 30, NAMESAKES = 5, FEW = 8 };

/* The program and data files of each run, from the operands. */
struct operands {
	const char *exe[DIFF_NRUN]; /* NULL: as recorded */
	const char *const *files[DIFF_NRUN];
	size_t n[DIFF_NRUN];
};

static int
usage(struct err *e)
{
	return err_set(e, "--diff needs two runs: mpreduce --diff [executable] "
			  "old-data [executable] new-data ...");
}

/* Sort the operands into runs.  0, or -1 with *e set. */
static int
sort_out(struct operands *a, const struct options *o, struct err *e)
{
	const char *const *v = o->files.item;
	size_t n = o->files.n, i = 0;

	*a = (struct operands){ .exe = { NULL, NULL } };
	if (i < n && !profile_is_data(v[i]))
		a->exe[DIFF_OLD] = v[i++];
	if (i == n || !profile_is_data(v[i]))
		return usage(e);
	a->files[DIFF_OLD] = &v[i++];
	a->n[DIFF_OLD] = 1;
	/* If one program is named, both runs are of it. */
	a->exe[DIFF_NEW] = a->exe[DIFF_OLD];
	if (i < n && !profile_is_data(v[i]))
		a->exe[DIFF_NEW] = v[i++];
	a->files[DIFF_NEW] = &v[i];
	a->n[DIFF_NEW] = n - i;
	for (; i < n; i++)
		if (!profile_is_data(v[i]))
			return err_set(e,
				       "%s: not a data file; --diff takes "
				       "[executable] old-data [executable] "
				       "new-data ...",
				       v[i]);
	return a->n[DIFF_NEW] ? 0 : usage(e);
}

/*
 * Check the key of --sort.  option_rows.c has all other conflicts of options.
 */
static int
diff_run_check(const struct options *o, struct err *e)
{
	enum diff_figure f;

	if (o->order && !diff_figure_of(o->order, &f))
		return err_set(
			e,
			"--sort=%s: the keys of --diff are bytes, allocs, "
			"kept and peak",
			o->order);
	return 0;
}

static int
read_run(struct profile *p, const struct options *o, const struct operands *a,
	 int run, struct err *e)
{
	struct profile_options read = o->read;

	read.exe = a->exe[run];
	read.files = a->files[run];
	read.nfiles = a->n[run];
	/* Compare functions by name only: two builds have different lines and
	 * offsets.  The page shows the lines beside the functions. */
	read.offsets = o->html != NULL;
	read.lines = read.sources = false;
	read.no_types = read.no_guess = false;
	read.several = PROFILE_SUM;
	read.either = a->exe[DIFF_OLD] == a->exe[DIFF_NEW];
	if (profile_read(p, &read, e))
		return -1;
	for (size_t i = 0; i < p->nwarnings; i++)
		clean_say("mpreduce", "%s", p->warnings[i]);
	return 0;
}

/* ------------------------------------------------------------- likeness -- */

static const char *
diff_run_program(const struct profile *p)
{
	const char *path = "";

	for (size_t i = 0; i < p->nruns && !*path; i++)
		path = p->runs[i].program;
	return str_basename(path);
}

/* Are both runs of one program, or of two versions of it? */
static int
diff_run_alike(const struct diff *d, const struct options *o, struct err *e)
{
	const char *old = diff_run_program(d->run[DIFF_OLD]);
	const char *new = diff_run_program(d->run[DIFF_NEW]);
	bool namesakes = !strcmp(old, new);
	size_t common, of;
	bool enough;

	diff_likeness(d, &common, &of);
	enough = common * 100 >= of * (namesakes ? NAMESAKES : OTHERS) &&
		 (of || namesakes);
	if (o->force || !*old || !*new || enough || (namesakes && of < FEW))
		return 0;
	return err_set(
		e,
		"the programs differ: %s is of %.100s, %s of %.100s, with %zu "
		"of %zu functions in both; --diff=force compares them anyway",
		d->run[DIFF_OLD]->runs[0].path, old,
		d->run[DIFF_NEW]->runs[0].path, new, common, of);
}

/* ------------------------------------------------------------------- all -- */

static int
diff_run_compare(const struct profile *old, const struct profile *new,
		 const struct options *o, FILE *out, struct err *e)
{
	struct diff d;
	int status =
		diff_init(&d, old, new, o->depth, o->own_diff, o->normalize);

	err_memory(e);
	if (!status)
		status = diff_run_alike(&d, o, e);
	if (!status && o->html)
		status = html_file(new, old, o, e);
	else if (!status)
		status = o->json ? diff_json(&d, out) : diff_print(&d, o, out);
	diff_fini(&d);
	return status;
}

int
diff_run(const struct options *o, FILE *out, bool *whole, struct err *e)
{
	struct profile old, new;
	struct operands a;
	int status;

	if (diff_run_check(o, e) || sort_out(&a, o, e) ||
	    read_run(&old, o, &a, DIFF_OLD, e))
		return -1;
	status = read_run(&new, o, &a, DIFF_NEW, e);
	if (!status) {
		if (old.other_exe && new.other_exe)
			clean_say("mpreduce", "%s", new.other_exe);
		*whole = !old.incomplete && !new.incomplete;
		status = diff_run_compare(&old, &new, o, out, e);
		profile_fini(&new);
	}
	profile_fini(&old);
	return status;
}
