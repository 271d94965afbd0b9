/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements in files of source. */
#include "reduce/dies/dies.h"
#include "reduce/guess/source.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES (16 << 20) /* larger ones aren't read */
#define LINES_BACK 5
#define LINES_ON 10

/* The file that was read last: calls come by file mostly. */
static struct {
	char path[DIES_PATH];
	char *text; /* NULL: it can't be read */
	size_t n;
} kept;

/* Read all of a file that is one.  NULL: it can't be had. */
static char *
read_file(const char *path, size_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *text = NULL;
	struct stat st;
	ssize_t got;

	*n = 0;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size <= FILE_BYTES)
		text = malloc((size_t)st.st_size);
	while (text && *n < (size_t)st.st_size &&
	       (got = read(fd, text + *n, (size_t)st.st_size - *n)) > 0)
		*n += (size_t)got;
	close(fd);
	return text;
}

static bool
open_file(const char *path)
{
	size_t n = strlen(path);

	if (n >= sizeof kept.path)
		return false;
	if (strcmp(kept.path, path) != 0) {
		free(kept.text);
		kept.text = NULL;
		memcpy(kept.path, path, n + 1);
		kept.text = read_file(path, &kept.n);
	}
	return kept.text != NULL;
}

/* Where the line starts; NULL if there is none. */
static const char *
find_line(unsigned line)
{
	const char *at = kept.text, *end = kept.text + kept.n;

	while (at && --line) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	return at && at < end ? at : NULL;
}

/* The last character before `at' that isn't blank; 0: none. */
static char
before(const char *at)
{
	while (at > kept.text && isspace((unsigned char)at[-1]))
		at--;
	return at > kept.text ? at[-1] : '\0';
}

/* Are there brackets in the line that were opened before `at'? */
static bool
is_inside(const char *at)
{
	const char *end = kept.text + kept.n;
	int depth = 0;

	for (; at < end && *at != '\n' && *at != ';' && depth >= 0; at++)
		depth += (*at == '(') - (*at == ')');
	return depth < 0;
}

/* Where the statement begins that goes on in the line. */
static const char *
go_back(const char *at)
{
	int i;

	for (i = 0; i < LINES_BACK && at > kept.text; i++) {
		char last = before(at);

		if (!last || (!strchr("=,(+*&|?:-", last) && !is_inside(at)))
			break;
		do
			at--;
		while (at > kept.text && at[-1] != '\n');
	}
	return at;
}

/* Behind a comment or string that starts at `at', or at itself. */
static const char *
skip_quiet(const char *at, const char *end)
{
	const char *stop;
	char quote = *at;

	if (end - at > 1 && at[0] == '/' && at[1] == '/') {
		stop = memchr(at, '\n', (size_t)(end - at));
		return stop ? stop : end;
	}
	if (end - at > 1 && at[0] == '/' && at[1] == '*') {
		stop = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
		return stop ? stop + 2 : end;
	}
	if (quote != '"' && quote != '\'')
		return at;
	for (at++; at < end && *at != quote && *at != '\n'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at < end ? at + 1 : end;
}

bool
guess_source_statement(const char *path, unsigned line, unsigned column,
		       char text[GUESS_STATEMENT])
{
	const char *at, *start, *end, *next, *mark;
	unsigned lines = 0;
	size_t n = 0;
	int depth = 0;

	if (!line || !open_file(path))
		return false;
	end = kept.text + kept.n;
	start = find_line(line);
	if (!start)
		return false;
	mark = column ? start + column - 1 : NULL;
	for (at = go_back(start); at < end && n + 1 < GUESS_STATEMENT;
	     at = next) {
		next = skip_quiet(at, end);
		if (next != at) {
			text[n++] = ' ';
			continue;
		}
		next = at + 1;
		lines += *at == '\n' && at >= start;
		depth += (*at == '(') - (*at == ')');
		if (lines == LINES_ON)
			break;
		text[n++] = *at == '\n' ? ' ' : *at;
		if (!strchr(";{}", *at) || depth > 0)
			continue;
		/* It ends here, or is one before that in question. */
		if (mark ? at >= mark : lines > 0)
			break;
		if (mark)
			n = 0;
	}
	text[n] = '\0';
	return n > 0;
}
