/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files that appear only when they are complete. */
#include "display/text/output.h"

#include "reduce/profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
failed(struct err *e, const char *path, int error)
{
	snprintf(e->text, sizeof e->text, "%.800s: %s",
		 path ? path : "standard output",
		 error ? strerror(error) : "could not be written");
	return -1;
}

/* A special file such as /dev/null can't be replaced. */
static bool
special(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

int
output_open(struct output *o, const char *path, struct err *e)
{
	int fd;

	*o = (struct output){ .f = stdout };
	if (!path || !strcmp(path, "-"))
		return 0;
	o->path = path;
	if (err_if_program(e, path))
		return -1;
	if (special(path)) {
		o->f = fopen(path, "w");
		return o->f ? 0 : failed(e, path, errno);
	}
	if (profile_begins_data(path)) {
		snprintf(e->text, sizeof e->text,
			 "%.800s: is a data file and is not overwritten; "
			 "choose another file for the output",
			 path);
		return -1;
	}
	fd = replace_open(&o->file, path);
	if (fd < 0)
		return failed(e, path, errno);
	o->replaces = true;
	o->f = fdopen(fd, "w");
	if (o->f)
		return 0;
	close(fd);
	replace_close(&o->file, false);
	return err_memory(e);
}

int
output_close(struct output *o, bool keep, struct err *e)
{
	int error = 0, r = 0, before;

	/* main() checks standard output at the end. */
	if (!o->path)
		return 0;
	before = ferror(o->f);
	if (before) {
		/* The reason is lost: write again to learn it. */
		clearerr(o->f);
		fputc('\n', o->f);
	}
	errno = 0;
	if (fflush(o->f) || before)
		error = errno ? errno : EIO;
	if (fclose(o->f) && !error)
		error = errno;
	if (o->replaces && replace_close(&o->file, keep && !error))
		error = errno;
	if (error && keep)
		r = failed(e, o->path, error);
	return r;
}
