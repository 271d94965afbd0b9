/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saved queries: see query.h. */
#include "display/query/caret.h"
#include "display/query/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Larger files aren't read, bytes; nor files with more queries. */
enum { LARGEST = 1 << 20, MOST = 1000 };

struct reader {
	struct queries *all;
	const char *path;
	unsigned line;
	struct query *q; /* of the section */
	struct err *e;
};

/* -------------------------------------------------------------- the file -- */

static int
fail(struct err *e, const char *path, const char *why)
{
	return err_set(e, "%.600s: %s", path, why);
}

/* All of the file, with a NUL behind it; NULL with *e set. */
static char *
slurp(const char *path, struct err *e)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	char *text = NULL;
	size_t n;

	if (!f) {
		fail(e, path, strerror(errno));
		return NULL;
	}
	if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
		fail(e, path, "is a directory, not a file of queries");
		fclose(f);
		return NULL;
	}
	text = malloc(LARGEST + 2);
	n = text ? fread(text, 1, LARGEST + 1, f) : 0;
	if (!text)
		fail(e, path, "out of memory");
	else if (ferror(f))
		fail(e, path, strerror(errno));
	else if (n > LARGEST)
		fail(e, path, "is too large for a file of queries");
	else if (memchr(text, '\0', n))
		fail(e, path, "isn't a file of queries, but something binary");
	else
		text[n] = '\0';
	if (!text || ferror(f) || n > LARGEST || memchr(text, '\0', n)) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

/* ------------------------------------------------------------- its lines -- */

/* "FILE:LINE", or "FILE:LINE: key", which lives as long as the queries. */
static const char *
place(struct reader *r, const char *key)
{
	struct queries *all = r->all;
	char **v = reallocarray(all->what, all->nwhat + 1, sizeof *v), *text;

	if (v)
		all->what = v;
	if (!v || asprintf(&text, "%s:%u%s%s", r->path, r->line,
			   key ? ": " : "", key ? key : "") < 0) {
		snprintf(r->e->text, sizeof r->e->text, "out of memory");
		return NULL;
	}
	v[all->nwhat++] = text;
	return text;
}

static int
complain(struct reader *r, const char *line, size_t at, const char *message)
{
	const char *what = place(r, NULL);

	if (what)
		caret_complain(r->e, what, line, at, message);
	return -1;
}

/* Without blanks at its ends, in place. */
static char *
trim(char *s)
{
	size_t n;

	s += strspn(s, " \t\r");
	for (n = strlen(s); n && strchr(" \t\r", s[n - 1]); n--)
		;
	s[n] = '\0';
	return s;
}

/* "[name]" */
static int
section(struct reader *r, char *line)
{
	size_t n = strcspn(line, "]");
	char *name;

	if (line[n] != ']' || line[n + 1 + strspn(line + n + 1, " \t\r")])
		return complain(r, line, 0,
				"a query begins with its name in [ and ]");
	line[n] = '\0';
	name = trim(line + 1);
	if (!*name) {
		line[n] = ']';
		return complain(r, line, 0, "this query has no name");
	}
	for (size_t i = 0; i < r->all->n; i++)
		if (!strcmp(r->all->query[i].name, name))
			return complain(r, name, 0,
					"there is a query of that name above");
	if (r->all->n == MOST)
		return complain(r, name, 0, "these are too many queries");
	r->q = queries_add(r->all, r->e);
	if (!r->q)
		return -1;
	r->q->name = name;
	return 0;
}

/* "key = value" */
static int
value(struct reader *r, char *line)
{
	char *equal = strchr(line, '='), *key, *text;
	const char *what;

	if (!equal)
		return complain(r, line, 0, "here must be KEY = VALUE");
	if (!r->q)
		return complain(r, line, 0,
				"a query begins with its name in [ and ]");
	*equal = '\0';
	key = trim(line);
	text = trim(equal + 1);
	what = place(r, key);
	return what ? query_set(r->q, key, text, what, r->e) : -1;
}

/* Put lines that end in a backslash and the next together; how many. */
static unsigned
join_lines(char *text)
{
	unsigned joined = 0;

	for (size_t n;
	     (n = strcspn(text, "\n")) > 0 && text[n] && text[n - 1] == '\\';
	     joined++)
		text[n - 1] = text[n] = ' ';
	return joined;
}

static int
read_lines(struct reader *r, char *text)
{
	unsigned joined;
	char *line;

	while (text) {
		joined = join_lines(text);
		line = strsep(&text, "\n");
		r->line++;
		line += strspn(line, " \t\r");
		if (*line && *line != '#' &&
		    (*line == '[' ? section(r, line) : value(r, line)))
			return -1;
		r->line += joined;
	}
	return 0;
}

/* ------------------------------------------------------------- all of it -- */

/* Leave the query of that name alone. */
static int
pick(struct queries *all, const char *path, const char *name, struct err *e)
{
	size_t i;

	for (i = 0; i < all->n; i++)
		if (!strcmp(all->query[i].name, name))
			break;
	if (i == all->n)
		return err_set(e, "%.500s: there is no query [%.100s] in it",
			       path, name);
	for (size_t k = 0; k < all->n; k++)
		if (k != i)
			query_fini(&all->query[k]);
	all->query[0] = all->query[i];
	all->n = 1;
	return 0;
}

int
queries_read(struct queries *all, const char *path, struct err *e)
{
	const char *colon = strrchr(path, ':');
	struct reader r = { .all = all, .path = path, .e = e };
	struct stat st;
	char *file = NULL;
	int status = -1;

	all->saved = true;
	/* A file may have a colon in its name. */
	if (colon && stat(path, &st) != 0) {
		file = strndup(path, (size_t)(colon - path));
		if (!file)
			return fail(e, path, "out of memory");
		r.path = file;
	}
	all->text = slurp(r.path, e);
	if (all->text && read_lines(&r, all->text) == 0)
		status = 0;
	if (!status && !all->n)
		status = fail(e, r.path, "there is no query in it");
	if (!status && file)
		status = pick(all, r.path, colon + 1, e);
	free(file);
	return status;
}
