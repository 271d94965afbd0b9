/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find and read source files: see source_text.h. */
#include "display/text/source_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -------------------------------------------------------------- finding -- */

/*
 * If there is a file DIR/NAME, set a->path.  The search goes on only if that
 * isn't a regular file.  -1: out of memory.
 */
static int
try(struct source_text *a, const char *dir, size_t len, const char *name)
{
	struct stat st;
	char *path;

	if (asprintf(&path, "%.*s%s%s", (int)len, dir,
		     len && dir[len - 1] != '/' && *name != '/' ? "/" : "",
		     name) < 0)
		return -1;
	if (stat(path, &st)) {
		free(path);
		return 0;
	}
	free(a->path);
	a->path = path;
	a->changed = st.st_mtim;
	a->problem = S_ISREG(st.st_mode) ? NULL : "not a regular file";
	return 0;
}

static bool
source_text_found(const struct source_text *a)
{
	return a->path && !a->problem;
}

/* Look in a directory for the end of a path, the longest end first. */
static int
try_ends(struct source_text *a, const char *dir, size_t len, const char *plain)
{
	const char *s = plain;

	while (s && len && !source_text_found(a)) {
		s += strspn(s, "/");
		/* The path must not lead out of the directory. */
		if (*s && !strstr(s, "../") && try(a, dir, len, s))
			return -1;
		s = strchr(s, '/');
	}
	return 0;
}

/* The same for directories that are separated by colons. */
static int
try_list(struct source_text *a, const char *list, const char *plain)
{
	size_t n;

	for (; !source_text_found(a); list += n + 1) {
		n = strcspn(list, ":");
		if (try_ends(a, list, n, plain))
			return -1;
		if (!list[n])
			break;
	}
	return 0;
}

/* Look for the file in all places; a->path stays NULL if there is none. */
static int
source_text_find(struct source_text *a, const struct source_text_places *at,
		 const char *recorded, const char *plain)
{
	const char *slash = at->exe ? strrchr(at->exe, '/') : NULL;
	int status = 0;

	for (size_t i = 0; i < at->ndirs && !status; i++)
		status = try_list(a, at->dirs[i], plain);
	if (!status && !source_text_found(a) && at->sysroot && *recorded == '/')
		status = try(a, at->sysroot, strlen(at->sysroot), recorded);
	if (!status && !source_text_found(a) && *recorded == '/')
		status = try(a, "", 0, recorded);
	if (!status && slash)
		status = try_ends(a, at->exe, (size_t)(slash - at->exe) + 1,
				  plain);
	return status ? status : try_ends(a, ".", 1, plain);
}

bool
source_text_changed(const char *path, const char *sysroot,
		    struct timespec *when)
{
	struct stat st;
	char *below;
	int status = -1;

	if (sysroot && asprintf(&below, "%s%s", sysroot, path) >= 0) {
		status = stat(below, &st);
		free(below);
	}
	if (status)
		status = stat(path, &st);
	if (!status)
		*when = st.st_mtim;
	return !status;
}

/* -------------------------------------------------------------- reading -- */

/* Read the whole file, if it isn't too large.  -1: out of memory. */
static int
source_text_read_all(struct source_text *a, int fd, size_t *size)
{
	size_t room = 0;
	ssize_t n = 1;
	char *more;

	while (n > 0 && *size <= SOURCE_TEXT_LARGEST) {
		if (*size == room) {
			room = room ? room * 2 : 16384;
			more = realloc(a->bytes, room);
			if (!more)
				return -1;
			a->bytes = more;
		}
		n = read(fd, a->bytes + *size, room - *size);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			*size += (size_t)n;
	}
	if (n < 0)
		a->problem = strerror(errno);
	else if (*size > SOURCE_TEXT_LARGEST)
		a->problem = "is too large to be shown";
	return 0;
}

/* Find the ends of the lines. */
static int
source_text_cut(struct source_text *a, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < size; i++)
		n += a->bytes[i] == '\n';
	n += size && a->bytes[size - 1] != '\n';
	a->line = malloc((n + 1) * sizeof *a->line);
	if (!a->line)
		return -1;
	a->line[0] = 0;
	for (size_t i = 0; i < size; i++)
		if (a->bytes[i] == '\n' || i + 1 == size)
			a->line[++a->n] = (uint32_t)i + 1;
	return 0;
}

int
source_text_read(struct source_text *a, const struct source_text_places *at,
		 const char *recorded, const char *plain)
{
	struct stat st;
	size_t size = 0;
	int fd, status = 0;

	memset(a, 0, sizeof *a);
	if (source_text_find(a, at, recorded, plain))
		return -1;
	if (!a->path)
		a->problem = "not found";
	if (a->problem)
		return 0;
	/* It may have become a pipe since, say: never wait for it. */
	fd = open(a->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0) {
		a->problem = strerror(errno);
		return 0;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		a->problem = "not a regular file";
	else
		status = source_text_read_all(a, fd, &size);
	close(fd);
	return status || a->problem ? status : source_text_cut(a, size);
}

void
source_text_fini(struct source_text *a)
{
	free(a->path);
	free(a->bytes);
	free(a->line);
	memset(a, 0, sizeof *a);
}

/* ------------------------------------------------------------- printing -- */

void
source_text_add(const struct source_text *a, size_t n, struct line *l)
{
	const char *s = a->bytes + a->line[n - 1];
	const char *end = a->bytes + a->line[n];
	/* A character has at most 4 bytes. */
	char out[4 * SOURCE_TEXT_LONGEST + 8];
	size_t column = 0, len = 0;

	while (end > s && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	for (; s < end && len < 4 * SOURCE_TEXT_LONGEST; s++) {
		bool starts = ((unsigned char)*s & 0xc0) != 0x80;

		if (starts && column >= SOURCE_TEXT_LONGEST)
			break;
		column += starts;
		/* line_end() replaces other control characters. */
		out[len++] = *s == '\t' ? ' ' : *s ? *s : '?';
		while (*s == '\t' && column % 8) {
			out[len++] = ' ';
			column++;
		}
	}
	out[len] = '\0';
	line_add(l, "%s%s", out, s < end ? "..." : "");
}
