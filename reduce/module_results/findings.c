/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read files of results: lines of fields that are separated by tabs. */
#include "reduce/module_results/findings.h"
#include "reduce/base/clean.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reduce/base/sort.h"
#include "reduce/base/str.h"

static const char magic[] = "memmon-module\t";
enum { FIELDS = 64, COLUMNS = 60 };

/* A file that is being read: the current line and its fields. */
struct reading {
	struct findings *r;
	struct arena *a;
	char *at, *end;
	char *field[FIELDS];
	size_t n;
};

/* ------------------------------------------------------------- fields -- */

/* Replace \t and \n by blanks, \\ by \, and other control characters by '?'. */
static char *
findings_plain(char *s)
{
	char *to = s;

	for (char *p = s; *p; p++) {
		char c = *p;

		if (c == '\\' && p[1]) {
			c = *++p;
			c = c == 't' || c == 'n' ? ' ' : c;
		}
		*to++ = c;
	}
	*to = '\0';
	return clean_controls(s);
}

/* Split the next line into fields.  False at the end of the file. */
static bool
next_line(struct reading *x)
{
	char *end = x->at < x->end
			    ? memchr(x->at, '\n', (size_t)(x->end - x->at))
			    : NULL;

	if (!end)
		return false;
	*end = '\0';
	x->n = 0;
	for (char *p = x->at; p && x->n < FIELDS; x->n++) {
		char *tab = strchr(p, '\t');

		if (tab)
			*tab++ = '\0';
		x->field[x->n] = findings_plain(p);
		p = tab;
	}
	x->at = end + 1;
	return true;
}

/* Read field i as a number.  False if it isn't one. */
static bool
findings_number(const struct reading *x, size_t i, uint64_t *n)
{
	char *end;

	*n = 0;
	if (i >= x->n || *x->field[i] < '0' || *x->field[i] > '9')
		return false;
	errno = 0;
	*n = strtoull(x->field[i], &end,
		      str_starts(x->field[i], "0x") ? 16 : 10);
	return !*end && !errno;
}

static const char *
findings_text(const struct reading *x, size_t i)
{
	return i < x->n ? x->field[i] : "";
}

/* ---------------------------------------------------- kinds of lines -- */

static bool
line_run(struct reading *x)
{
	findings_number(x, 2, &x->r->workers);
	findings_number(x, 4, &x->r->lost);
	findings_number(x, 5, &x->r->lost_at);
	findings_number(x, 6, &x->r->start);
	return findings_number(x, 1, &x->r->pid);
}

static bool
line_table(struct reading *x)
{
	struct findings *r = x->r;
	uint64_t n;

	if (!findings_number(x, 2, &n) || n == 0 || n > COLUMNS)
		return false;
	ARRAY_ADD(r->table, r->tables_room, r->ntables,
		  (struct finding_table){ .name = findings_text(x, 1),
					  .title = findings_text(x, 3) });
	r->table[r->ntables - 1].column =
		arena_array(x->a, COLUMNS, sizeof(struct finding_column));
	return r->table[r->ntables - 1].column != NULL;
}

static bool
line_column(struct reading *x)
{
	static const char *const types[FINDING_NTYPES] = {
		"place", "count", "bytes", "ratio", "text", "histogram"
	};
	struct findings *r = x->r;
	struct finding_table *t;
	struct finding_column c = { findings_text(x, 1), findings_text(x, 3),
				    0 };
	const char *names[COLUMNS];

	if (!r->ntables)
		return false;
	t = &r->table[r->ntables - 1];
	while (c.type < FINDING_NTYPES &&
	       strcmp(types[c.type], findings_text(x, 2)) != 0)
		c.type++;
	if (c.type == FINDING_NTYPES || t->nrows || t->ncolumns == COLUMNS ||
	    !*c.name)
		return false;
	for (size_t i = 0; i < t->ncolumns; i++)
		names[i] = t->column[i].name;
	/* SQL uses these names, so no two may differ only in case. */
	c.name = str_distinct(x->a, c.name, names, t->ncolumns, strcasecmp);
	if (!c.name)
		return false;
	t->column[t->ncolumns++] = c;
	return true;
}

/* Read "0.25" as millionths. */
static bool
ratio(const char *s, uint64_t *n)
{
	char *end;
	double real = strtod(s, &end);

	if (*end || !(real >= 0) || real > 1e9)
		return false;
	*n = (uint64_t)(real * 1e6 + 0.5);
	return true;
}

static bool
line_row(struct reading *x)
{
	struct findings *r = x->r;
	struct finding_table *t = r->ntables ? &r->table[r->ntables - 1] : NULL;
	struct finding_cell *c;

	if (!t || !t->ncolumns || x->n != t->ncolumns + 1)
		return false;
	ARRAY_ROOM(t->cell, t->room, (t->nrows + 1) * t->ncolumns);
	c = t->cell + t->nrows++ * t->ncolumns;
	for (size_t i = 0; i < t->ncolumns; i++) {
		const char *s = x->field[i + 1];
		enum finding_type type = t->column[i].type;

		c[i] = (struct finding_cell){
			.known = type == FINDING_TEXT ? *s != '\0'
						      : strcmp(s, "-") != 0,
			.text = s
		};
		if (!c[i].known || type >= FINDING_TEXT)
			continue;
		if (type == FINDING_RATIO ? !ratio(s, &c[i].n)
					  : !findings_number(x, i + 1, &c[i].n))
			return false;
	}
	return true;
}

/* "file:line:column name (function)" */
static const char *
place_text(struct reading *x)
{
	const char *file = findings_text(x, 3), *slash = strrchr(file, '/');
	const char *function = findings_text(x, 7), *name = findings_text(x, 8);
	bool known = strcmp(findings_text(x, 4), "0") != 0;

	return arena_print(x->a, "%s%s%s%s%s%s%s%s%s%s%s%s",
			   slash ? slash + 1 : file, known ? ":" : "",
			   known ? findings_text(x, 4) : "",
			   strcmp(findings_text(x, 5), "0") != 0 ? ":" : "",
			   strcmp(findings_text(x, 5), "0") != 0
				   ? findings_text(x, 5)
				   : "",
			   strcmp(findings_text(x, 6), "0") != 0 ? "." : "",
			   strcmp(findings_text(x, 6), "0") != 0
				   ? findings_text(x, 6)
				   : "",
			   *name ? " " : "", name, *function ? " (" : "",
			   function, *function ? ")" : "");
}

static bool
line_place(struct reading *x, bool code)
{
	struct findings *r = x->r;
	struct finding_place p = { .text = "" };

	if (!findings_number(x, 1, &p.number) ||
	    (code && !findings_number(x, 2, &p.code)))
		return false;
	p.text = code ? findings_text(x, 2) : place_text(x);
	if (!p.text)
		return false;
	ARRAY_ADD(r->place, r->places_room, r->nplaces, p);
	return true;
}

static bool
line(struct reading *x)
{
	struct findings *r = x->r;
	const char *tag = x->field[0];

	if (!strcmp(tag, "row"))
		return line_row(x);
	if (!strcmp(tag, "place") || !strcmp(tag, "code"))
		return line_place(x, *tag == 'c');
	if (!strcmp(tag, "column"))
		return line_column(x);
	if (!strcmp(tag, "table"))
		return line_table(x);
	if (!strcmp(tag, "run"))
		return line_run(x);
	if (!strcmp(tag, "options"))
		r->options = findings_text(x, 1);
	else if (!strcmp(tag, "failed"))
		r->failed = findings_text(x, 1);
	else if (!strcmp(tag, "note")) {
		ARRAY_ADD(r->note, r->notes_room, r->nnotes,
			  findings_text(x, 1));
		return true;
	}
	/* Ignore lines that a later version may add. */
	return true;
}

/* --------------------------------------------------------------- files -- */

/* Is there memory for a file of that size?  No: errno is ENOMEM. */
static bool
findings_has_room(size_t n)
{
	void *p = malloc(n);

	free(p);
	return p != NULL;
}

/* Read the whole file, and add a 0.  NULL with errno set. */
static char *
findings_read_all(struct arena *a, const char *path, size_t *n)
{
	FILE *f = fopen(path, "re");
	struct stat st;
	char *v = NULL;

	if (!f)
		return NULL;
	errno = 0;
	if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) &&
	    findings_has_room((size_t)st.st_size + 1)) {
		v = arena_alloc(a, (size_t)st.st_size + 1);
		*n = fread(v, 1, (size_t)st.st_size, f);
	} else if (!errno) {
		errno = EINVAL;
	}
	fclose(f);
	return v;
}

/* Is the checksum in the last line right?  The line is then removed. */
static bool
findings_whole(struct reading *x)
{
	uint64_t sum = 0xcbf29ce484222325u;
	char *p = x->end, *end;

	if (x->end - x->at < 8 || p[-1] != '\n')
		return false;
	for (p--; p > x->at && p[-1] != '\n';)
		p--;
	if (strncmp(p, "end\t", 4) != 0)
		return false;
	for (char *s = x->at; s < p; s++)
		sum = (sum ^ (unsigned char)*s) * 0x100000001b3u;
	x->end = p;
	return strtoull(p + 4, &end, 16) == sum && *end == '\n';
}

static int
damaged(const char *path, struct err *e)
{
	return err_set(e, "%s: the file is damaged; run the program again",
		       path);
}

/* The file is missing: say what to do, or which files exist. */
static int
findings_missing(struct arena *a, const char *path, const char *data,
		 const char *module, struct err *e)
{
	const char **all = findings_list(a, data), *names = "";

	for (size_t i = 0; all && all[i]; i++)
		names = arena_print(a, "%s%s%s", names, i ? ", " : "", all[i]);
	free(all);
	return err_set(e,
		       "%s: no results of module %s; build the program with "
		       "memmon-cc --module=%s, and run it%s%s",
		       path, module, module,
		       names && *names ? "; there are results of " : "", names);
}

int
findings_read(struct findings *r, struct arena *a, const char *data,
	      const char *module, struct err *e)
{
	struct reading x = { .r = r, .a = a };
	size_t n = 0;

	*r = (struct findings){ .module = module, .about = "", .options = "" };
	r->path = arena_print(a, "%s.%s", data, module);
	errno = 0;
	x.at = findings_read_all(a, r->path, &n);
	if (!x.at && errno == ENOENT)
		return findings_missing(a, r->path, data, module, e);
	if (!x.at)
		return err_set(e, "%s: %s", r->path, strerror(errno));
	x.end = x.at + n;
	if (!str_starts(x.at, magic))
		return err_set(e, "%s: not a file with results of a module",
			       r->path);
	if (strlen(x.at) != n || !findings_whole(&x))
		return damaged(r->path, e);
	next_line(&x);
	if (strcmp(findings_text(&x, 1), "1") != 0)
		return err_set(e,
			       "%s: written by a newer memmon than this "
			       "mpreduce; use the mpreduce of that version",
			       r->path);
	r->module = findings_text(&x, 2);
	r->about = findings_text(&x, 3);
	while (next_line(&x))
		if (!line(&x))
			return damaged(r->path, e);
	for (size_t i = 0; i < r->ntables; i++)
		if (!r->table[i].ncolumns)
			return damaged(r->path, e);
	return 0;
}

void
findings_fini(struct findings *r)
{
	for (size_t i = 0; i < r->ntables; i++)
		free(r->table[i].cell);
	free(r->table);
	free(r->place);
	free(r->note);
	*r = (struct findings){ .path = "" };
}

bool
findings_is(const char *path)
{
	char head[sizeof(magic) - 1];
	FILE *f = fopen(path, "re");
	bool is;

	if (!f)
		return false;
	is = fread(head, 1, sizeof(head), f) == sizeof(head) &&
	     !memcmp(head, magic, sizeof(head));
	fclose(f);
	return is;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **
findings_list(struct arena *a, const char *data)
{
	const char *slash = strrchr(data, '/'), *base = data, **v = NULL;
	char *dir = slash ? arena_copy(a, data, (size_t)(slash - data) + 1)
			  : arena_print(a, ".");
	size_t n = 0, room = 0, len;
	struct dirent *entry;
	DIR *d;

	ARRAY_ROOM(v, room, 1);
	if (slash)
		base = slash + 1;
	len = strlen(base);
	d = opendir(dir);
	while (d && (entry = readdir(d))) {
		char *path, *name;

		if (strncmp(entry->d_name, base, len) != 0 ||
		    entry->d_name[len] != '.')
			continue;
		path = arena_print(a, "%s/%s", dir, entry->d_name);
		name = arena_print(a, "%s", entry->d_name + len + 1);
		if (findings_is(path))
			ARRAY_ADD(v, room, n, name);
	}
	if (d)
		closedir(d);
	if (n > 1)
		qsort(v, n, sizeof(*v), by_text);
	ARRAY_ADD(v, room, n, NULL);
	return v;
}

SORT_BY(by_number, struct finding_place, SORT_UP(number))

/*
 * Order of rows: by the first count or bytes, the largest first, then by the
 * other cells.  Places are compared by their texts, because their numbers
 * differ between builds.
 */
static int
findings_by_row(const void *va, const void *vb, void *arg)
{
	const struct finding_table *t = arg;
	const struct finding_cell *a = va, *b = vb;
	size_t key = 0;

	while (key < t->ncolumns && t->column[key].type != FINDING_COUNT &&
	       t->column[key].type != FINDING_BYTES)
		key++;
	if (key < t->ncolumns && a[key].n != b[key].n)
		return a[key].n > b[key].n ? -1 : 1;
	for (size_t i = 0; i < t->ncolumns; i++) {
		int c = strcmp(a[i].text, b[i].text);

		if (t->column[i].type == FINDING_PLACE && c)
			return c;
		if (a[i].n != b[i].n)
			return a[i].n < b[i].n ? -1 : 1;
		if (c)
			return c;
	}
	return 0;
}

void
findings_place(struct findings *r)
{
	SORT(r->place, r->nplaces, by_number);
	for (size_t i = 0; i < r->ntables; i++) {
		struct finding_table *t = &r->table[i];

		for (size_t k = 0; k < t->nrows * t->ncolumns; k++) {
			struct finding_cell *c = &t->cell[k];
			struct finding_place key = { .number = c->n }, *p;

			if (t->column[k % t->ncolumns].type != FINDING_PLACE ||
			    !c->known)
				continue;
			p = r->nplaces ? bsearch(&key, r->place, r->nplaces,
						 sizeof(key), by_number)
				       : NULL;
			if (p)
				c->text = p->text;
		}
		if (t->nrows > 1)
			qsort_r(t->cell, t->nrows,
				t->ncolumns * sizeof(*t->cell), findings_by_row,
				t);
	}
}
