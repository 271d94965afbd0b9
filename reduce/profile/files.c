/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data files that operands name. */
#include "reduce/profile/files.h"
#include "reduce/base/err.h"
#include "reduce/base/sort.h"
#include "reduce/base/spool.h"
#include "reduce/base/str.h"
#include "reduce/module_results/findings.h"
#include "reduce/image/open.h"
#include "reduce/profile/data_files.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of data files in a directory, without sums. */
static const char *const names[] = { "mon.out*", "mon.*.out", "*.mon" };

static bool
files_is_name(const char *name)
{
	size_t i;

	/* The name of a log. */
	if (fnmatch("*.log", name, 0) == 0)
		return false;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (fnmatch(names[i], name, FNM_PERIOD) == 0)
			return true;
	}
	return false;
}

static bool
files_is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
profile_begins_data(const char *path)
{
	FILE *f = fopen(path, "re");
	char head[8];
	size_t n = f ? fread(head, 1, sizeof(head), f) : 0;

	if (f)
		fclose(f);
	return open_is_data(head, n);
}

bool
profile_is_data(const char *path)
{
	static const char elf[4] = { '\177', 'E', 'L', 'F' };
	char head[8];
	ssize_t n;
	int fd;

	if (files_is_directory(path) || !strcmp(path, "-"))
		return true;
	fd = spool_open(path, open_is_data);
	if (fd < 0)
		return files_is_name(str_basename(path));
	n = pread(fd, head, sizeof(head), 0);
	close(fd);
	if (n > 0 && open_is_data(head, (size_t)n))
		return true;
	return files_is_name(str_basename(path)) &&
	       (n < (ssize_t)sizeof(elf) ||
		memcmp(head, elf, sizeof(elf)) != 0);
}

/* ----------------------------------------------------------- which files -- */

/* path must live as long as *f. */
static void
files_add(struct files *f, const char *path, bool picked)
{
	ARRAY_ADD(f->v, f->room, f->n, (struct files_one){ path, picked });
}

SORT_BY(files_by_path, struct files_one, SORT_TEXT(path))

SORT_BY(files_by_all, struct files_one, SORT_TEXT(path) SORT_UP(picked))

void
files_sort(struct files *f)
{
	SORT(f->v, f->n, files_by_all);
}

/* Add a directory's data files.  Are there any? */
static bool
files_pick(struct files *f, struct arena *a, const char *path, DIR *d)
{
	size_t first = f->n, n = strlen(path);
	const struct dirent *entry;
	const char *slash = n && path[n - 1] == '/' ? "" : "/";
	char *name;

	while ((entry = readdir(d))) {
		if (!files_is_name(entry->d_name))
			continue;
		name = arena_print(a, "%s%s%s", path, slash, entry->d_name);
		if (!files_is_directory(name) && !findings_is(name))
			files_add(f, name, true);
	}
	SORT(f->v + first, f->n - first, files_by_path);
	return f->n > first;
}

static int
files_directory(struct files *f, struct arena *a, const char *path,
		struct err *e)
{
	DIR *d = opendir(path);
	bool some;

	if (!d)
		return err_set(
			e,
			"%s: %s; give a readable directory, or the data files",
			path, strerror(errno));
	some = files_pick(f, a, path, d);
	closedir(d);
	if (some)
		return 0;
	return err_set(e,
		       "%s: the directory has no data file (mon.out*, "
		       "mon.*.out, *.mon); give others by their names",
		       path);
}

int
files_find(struct files *f, struct arena *a, const struct profile_options *o,
	   struct err *e)
{
	size_t i;

	*f = (struct files){ 0 };
	for (i = 0; i < o->nfiles; i++) {
		if (files_is_directory(o->files[i])) {
			if (files_directory(f, a, o->files[i], e))
				return -1;
		} else
			files_add(f, o->files[i], false);
	}
	return 0;
}

void
files_fini(struct files *f)
{
	free(f->v);
	*f = (struct files){ 0 };
}
