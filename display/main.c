/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpreduce: from the command line to the tables. */
#include "display/json.h"
#include "display/options.h"
#include "display/tables.h"
#include "reduce/profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum status { FINE, BAD_INPUT, USAGE };

static enum status
complain(const char *text)
{
	fprintf(stderr, "mpreduce: %s\n", text);
	return BAD_INPUT;
}

static int
print(const struct profile *p, const struct options *o, struct err *e)
{
	if (!o->json)
		return tables_print(p, o, stdout, e);
	if (json_print(p, stdout) == 0)
		return 0;
	snprintf(e->text, sizeof e->text, "out of memory");
	return -1;
}

static enum status
run(const struct options *o)
{
	struct profile p;
	struct err e = { "" };
	bool unread = false;
	int failed;

	if (o->info)
		return profile_info(&o->read, stdout, &e) ? complain(e.text)
							  : FINE;
	if (o->sum) {
		if (profile_sum(&p, &o->read, "mon.sum", &e))
			return complain(e.text);
		unread = p.nunread > 0;
		for (size_t i = 0; i < p.nwarnings && unread; i++)
			complain(p.warnings[i]);
		profile_fini(&p);
	}
	if (o->sum && !o->chosen && !o->json)
		return unread ? BAD_INPUT : FINE;
	if (profile_read(&p, &o->read, &e))
		return complain(e.text);
	for (size_t i = 0; i < p.nwarnings; i++)
		complain(p.warnings[i]);
	failed = print(&p, o, &e);
	profile_fini(&p);
	return failed ? complain(e.text) : FINE;
}

/* What could not be written counts, but who closed the pipe knows it. */
static enum status
finish(enum status status)
{
	int error;

	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	error = errno;
	if (error == EPIPE)
		return BAD_INPUT;
	fprintf(stderr, "mpreduce: standard output: %s\n",
		error ? strerror(error) : "could not be written");
	return BAD_INPUT;
}

int
main(int argc, char **argv)
{
	struct options o;
	enum status status = FINE;

	switch (options_parse(&o, argc, argv)) {
	case OPTIONS_GO:
		status = run(&o);
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
	return finish(status);
}
