/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpreduce: from the command line to the tables. */
#include "display/cli/options.h"
#include "display/export/export.h"
#include "display/html/html.h"
#include "display/query/query.h"
#include "display/tables/tables.h"
#include "display/text/output.h"
#include "display/text/progress_line.h"
#include "display/watch/watch.h"
#include "reduce/base/clean.h"
#include "reduce/profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum status { FINE, BAD_INPUT, USAGE, FAILED, NOT_WHOLE };

/* The exit status for the files: a file that couldn't be read matters most. */
static enum status
status_of(const struct profile *p)
{
	return p->nunread ? BAD_INPUT : p->incomplete ? NOT_WHOLE : FINE;
}

static enum status
main_complain(const char *text)
{
	clean_say("mpreduce", "%s", text);
	return BAD_INPUT;
}

/*
 * Nothing could be read.  If the program's file and the data file are both
 * missing, the message names the program.
 */
static enum status
main_unread(const struct options *o, const char *text)
{
	if (!o->read.exe || access(o->read.exe, F_OK) == 0 ||
	    access(o->files.item[0], F_OK) == 0)
		return main_complain(text);
	clean_say("mpreduce",
		  "%s: no such file; give the program that was run, or "
		  "its data file",
		  o->read.exe);
	return BAD_INPUT;
}

/* Print the tables, the export or the answer that the options ask for. */
static int
print_to(const struct profile *p, const struct options *o, FILE *out,
	 struct err *e)
{
	bool json = o->json || (o->format && !strcmp(o->format, "json"));

	if (query_wanted(o) && !p->listed)
		return query_print(p, o, out, e);
	if (o->format && !o->list)
		return export_write(p, o, out, e);
	if (p->listed && !json)
		return list_print(p, o, out, e);
	/* With --sum or --html alone, no tables are printed. */
	if (!o->chosen && !o->json && (o->sum || o->html))
		return 0;
	if (!json)
		return tables_print(p, o, out, e);
	return json_print(p, o->timeline || o->growth, out) ? err_memory(e) : 0;
}

static int
main_print(const struct profile *p, const struct options *o, struct err *e)
{
	struct screen_pager pager;
	struct output out;
	int r;

	if (o->html && !p->listed && html_file(p, NULL, o, e))
		return -1;
	if (output_open(&out, o->output, e))
		return -1;
	screen_pager_begin(&pager, o);
	r = print_to(p, o, out.f, e);
	screen_pager_end(&pager);
	return output_close(&out, r == 0, e) ? -1 : r;
}

/* --diff: compare two runs. */
static enum status
main_compare(const struct options *o)
{
	struct screen_pager pager;
	struct output out;
	bool whole = true;
	struct err e;
	int r;

	if (output_open(&out, o->output, &e))
		return main_complain(e.text);
	screen_pager_begin(&pager, o);
	r = diff_run(o, out.f, &whole, &e);
	screen_pager_end(&pager);
	if (output_close(&out, r == 0, &e) || r)
		return main_complain(e.text);
	return whole ? FINE : NOT_WHOLE;
}

/*
 * --fail-if: check the limits for a data file.  child: the name of a child's
 * file, or NULL for the file that the user named.
 */
static enum status
check_limits(const struct profile *p, const struct options *o,
	     const char *child)
{
	enum status status = FINE;
	struct err e = { "" };

	for (size_t i = 0; i < o->nlimits; i++) {
		if (!fail_check(&o->limits[i], p, o, &e))
			continue;
		fflush(stdout);
		if (child)
			clean_say("mpreduce",
				  "%s: %s; see mpreduce --summary %s", child,
				  e.text, child);
		else
			main_complain(e.text);
		status = FAILED;
	}
	return status;
}

/* Check the data files of child processes, too, each file alone. */
static enum status
check_family(const struct profile *p, const struct options *o)
{
	struct profile_options read = o->read;
	enum status status = FINE;
	struct profile child;
	struct err e = { "" };

	if (p->family.unknown) {
		main_complain(
			"--fail-if: the files of the program's children were "
			"not looked at, as there are too many; name them, too");
		return FAILED;
	}
	read.exe = NULL;
	read.nfiles = 1;
	/* What the process ran before is gone, and nothing of it is lost. */
	for (size_t i = 0; i < p->family.n - p->family.before; i++) {
		read.files = &p->family.file[i];
		if (profile_read(&child, &read, &e)) {
			main_complain(e.text);
			status = FAILED;
			continue;
		}
		if (check_limits(&child, o, p->family.file[i]))
			status = FAILED;
		profile_fini(&child);
	}
	return status;
}

/* --fail-if: check after the tables are printed, so that users can see them. */
static enum status
main_check(const struct profile *p, const struct options *o)
{
	enum status own, family;

	if (!o->nlimits)
		return FINE;
	own = check_limits(p, o, NULL);
	family = check_family(p, o);
	return own ? own : family;
}

static void
warn(const struct profile *p)
{
	for (size_t i = 0; i < p->nwarnings; i++)
		main_complain(p->warnings[i]);
}

/*
 * Write mon.sum, or, without other output, the file of -o.  If tables follow,
 * warnings are left to them.  *status gets the result of status_of().  0, or -1
 * with *e set.
 */
static int
main_sum(const struct options *o, bool more, enum status *status, struct err *e)
{
	const char *path = !more && o->output ? o->output : "mon.sum";
	struct profile p;

	if (profile_sum(&p, &o->read, path, e))
		return -1;
	*status = status_of(&p);
	if (!more && *status)
		warn(&p);
	profile_fini(&p);
	return 0;
}

static enum status
main_run(const struct options *o)
{
	bool more = o->chosen || o->json || o->nlimits || o->list;
	enum status status = FINE, limits;
	struct profile p;
	struct err e = { "" };

	if (o->format && !strcmp(o->format, "list")) {
		export_list(stdout);
		return FINE;
	}
	if (o->sql && !strcmp(o->sql, "list")) {
		schema_list(stdout);
		return FINE;
	}
	if (o->format && !query_wanted(o) && export_check(o->format, &e))
		return main_complain(e.text);
	if (o->watch > 0)
		return watch_run(o, &e) ? main_complain(e.text) : FINE;
	if (o->diff || o->common)
		return main_compare(o);
	if (o->info)
		return profile_info(&o->read, stdout, &e)
			       ? main_complain(e.text)
			       : FINE;
	if (o->sum && main_sum(o, more, &status, &e))
		return main_complain(e.text);
	if (o->sum && !more)
		return status;
	if (profile_read(&p, &o->read, &e))
		return main_unread(o, e.text);
	warn(&p);
	status = status_of(&p);
	if (main_print(&p, o, &e))
		status = main_complain(e.text);
	limits = main_check(&p, o);
	profile_fini(&p);
	/* The user asked for the limits: they matter more than the files. */
	return limits ? limits : status;
}

/* A failed write is an error.  A closed pipe needs no message. */
static enum status
main_finish(enum status status)
{
	int error;

	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	error = errno;
	if (error == EPIPE)
		return BAD_INPUT;
	clean_say("mpreduce", "standard output: %s",
		  error ? strerror(error) : "could not be written");
	return BAD_INPUT;
}

int
main(int argc, char **argv)
{
	struct progress_line line;
	struct options o;
	enum status status = FINE;
	bool shows =
		progress_line_init(&line, STDERR_FILENO, progress_line_clock());

	switch (options_parse(&o, argc, argv)) {
	case OPTIONS_GO:
		if (shows) {
			o.read.progress = progress_line_say;
			o.read.progress_arg = &line;
		}
		status = main_run(&o);
		break;
	case OPTIONS_DONE:
		break;
	case OPTIONS_USAGE:
		status = USAGE;
		break;
	case OPTIONS_FAILED:
		status = BAD_INPUT;
		break;
	}
	options_fini(&o);
	return main_finish(status);
}
