/* SPDX-License-Identifier: MIT */
/* The PLAIN tables of monrec.h: facts known when the file is written. */
#include "monitor/file/plain.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

#include "monitor/base/put.h"
#include "monitor/base/process.h"
#include "monitor/costs/costs_put.h"
#include "monitor/file/codes_put.h"
#include "monitor/file/moments.h"
#include "monitor/memory/memory.h"

/* How long the name of the variable NAME=VALUE is; 0: it has no value. */
static size_t
name_of(const char *s)
{
	const char *end = strchr(s, '=');

	return end ? (size_t)(end - s) : 0;
}

static void
put_setting(struct mmi_emit *o, const char *s, size_t name)
{
	if (name >= 7 && !memcmp(s, "MEMMON_", 7))
		mmi_put_setting(o, &(struct monrec_setting){
					   .name = s,
					   .namelen = name,
					   .value = s + name + 1,
					   .valuelen = strlen(s + name + 1) });
}

static void
put_fact(struct mmi_emit *o, const char *name, size_t n, const char *value)
{
	if (*value)
		mmi_put_system(o, &(struct monrec_system){
					  .name = name,
					  .namelen = n,
					  .value = value,
					  .valuelen = strlen(value) });
}

/* Variables that set an allocator. */
static void
put_tunable(struct mmi_emit *o, const char *s, size_t name)
{
	static const char prefix[][15] = { "GLIBC_TUNABLES", "MALLOC_",
					   "MIMALLOC_", "TCMALLOC_" };

	for (unsigned i = 0; name && i < sizeof(prefix) / sizeof(*prefix); i++)
		if (!strncmp(s, prefix[i], strlen(prefix[i])))
			put_fact(o, s, name, s + name + 1);
}

static char text[16384]; /* no variable that is written is longer */

/*
 * Call put() for the variables of the environment that the kernel gave the
 * program.  Later changes by the program don't count.
 */
static void
put_variables(struct mmi_emit *o,
	      void (*put)(struct mmi_emit *o, const char *s, size_t name))
{
	size_t have = 0;
	long fd, r;

	if (mmi_process.secure)
		return;
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/environ",
		      O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	while ((r = ARCH_SYS(SYS_read, fd, text + have, sizeof(text) - 1 - have,
			     0, 0, 0)) > 0) {
		char *s = text, *end = text + have + r;

		/*
		 * The last variable may be incomplete: the rest hasn't been
		 * read yet.
		 */
		for (*end = '\0'; s + strlen(s) < end; s += strlen(s) + 1)
			put(o, s, name_of(s));
		have = (size_t)(end - s);
		memmove(text, s, have);
		if (have == sizeof(text) - 1)
			have = 0;
	}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
}

static void
put_settings(struct mmi_emit *o)
{
	put_variables(o, put_setting);
}

/* Read a short file into text[]; NULL: that isn't possible. */
static char *
read_text(const char *path)
{
	return mmi_process_text(path, text, sizeof(text)) >= 0 ? text : NULL;
}

/* The number that the file begins with; UINT64_MAX: none. */
static uint64_t
read_number(const char *path)
{
	const char *s = read_text(path);
	uint64_t n = 0;

	if (!s || *s < '0' || *s > '9')
		return UINT64_MAX;
	for (; *s >= '0' && *s <= '9'; s++)
		n = n * 10 + (uint64_t)(*s - '0');
	return n;
}

/* How many characters of s come before c, or before the end. */
static size_t
before(const char *s, int c)
{
	const char *end = strchr(s, c);

	return end ? (size_t)(end - s) : strlen(s);
}

/*
 * The folder of a process's control group, of n characters, below the first
 * `root' ones; old: version 1 of control groups.  n 0: unknown.
 */
struct cgroup {
	char path[2000];
	size_t root, n;
	bool old;
};

static void
find_cgroup(struct cgroup *g)
{
	static const char root[2][24] = { "/sys/fs/cgroup",
					  "/sys/fs/cgroup/memory" };
	const char *s = read_text("/proc/self/cgroup"), *path = NULL, *v1;

	/* A line has "number:controllers:path". */
	for (size_t n; s && *s; s += n + (s[n] == '\n')) {
		n = before(s, '\n');
		v1 = strstr(s, ":memory:");
		if (v1 && v1 < s + n)
			g->old = true;
		else if (g->old || strncmp(s, "0::", 3) != 0)
			continue;
		path = g->old ? v1 + 8 : s + 3;
		g->n = n - (size_t)(path - s);
	}
	if (!path || strstr(path, "/..") ||
	    g->n + sizeof(root[0]) > sizeof(g->path)) {
		g->n = 0;
		return;
	}
	g->root = strlen(root[g->old]);
	memcpy(g->path, root[g->old], g->root);
	memcpy(g->path + g->root, path, g->n);
	g->n = g->root + (g->n > 1 ? g->n : 0);
}

/* Write the least limit of the group and of those that it is in. */
static void
put_cgroup_limit(struct mmi_emit *o, const struct cgroup *g, const char *name,
		 const char *file)
{
	static char path[sizeof(g->path) + 32];
	uint64_t least = UINT64_MAX, limit;
	char digits[24];

	for (size_t i = g->n + 1; i-- > g->root;) {
		if (i != g->n && g->path[i] != '/')
			continue;
		memcpy(path, g->path, i);
		path[i] = '/';
		memcpy(path + i + 1, file, strlen(file) + 1);
		limit = read_number(path);
		least = limit < least ? limit : least;
	}
	/* Version 1 has a number for "no limit". */
	if (least >> 62)
		return;
	mmi_process_decimal(digits, least);
	put_fact(o, name, strlen(name), digits);
}

/* Write what the file begins with; or its word in brackets, if it has one. */
static void
put_file(struct mmi_emit *o, const char *name, const char *path)
{
	char *s = read_text(path), *word = s ? strchr(s, '[') : NULL;

	if (!s)
		return;
	s = word ? word + 1 : s;
	s[before(s, word ? ']' : '\n')] = '\0';
	put_fact(o, name, strlen(name), s);
}

static void
put_systems(struct mmi_emit *o)
{
	static struct cgroup g;

	g = (struct cgroup){ .n = 0 };
	find_cgroup(&g);
	if (g.n)
		put_cgroup_limit(o, &g, "memory.max",
				 g.old ? "memory.limit_in_bytes"
				       : "memory.max");
	if (g.n && !g.old) {
		put_cgroup_limit(o, &g, "memory.high", "memory.high");
		put_cgroup_limit(o, &g, "memory.swap.max", "memory.swap.max");
	}
	put_file(o, "overcommit_memory", "/proc/sys/vm/overcommit_memory");
	put_file(o, "transparent_hugepage",
		 "/sys/kernel/mm/transparent_hugepage/enabled");
	put_variables(o, put_tunable);
}

static void
put_limits(struct mmi_emit *o)
{
	static const struct {
		char name[16];
		int number;
	} limits[] = { { "RLIMIT_AS", RLIMIT_AS },
		       { "RLIMIT_DATA", RLIMIT_DATA },
		       { "RLIMIT_STACK", RLIMIT_STACK } };
	struct rlimit r;

	for (unsigned i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (ARCH_SYS(SYS_prlimit64, 0, limits[i].number, 0, &r, 0, 0) ==
			    0 &&
		    r.rlim_cur != RLIM_INFINITY)
			mmi_put_limit(o,
				      &(struct monrec_limit){
					      .name = limits[i].name,
					      .namelen = strlen(limits[i].name),
					      .soft = r.rlim_cur });
}

#define put_costs mmi_costs_put
#define put_codes mmi_codes_put
#define put_memories mmi_memory_put
#define put_memory_snapshots mmi_moments_put

void
mmi_plain_put(struct mmi_emit *o, struct mmi_tables_sums *s)
{
#define P(name, item, items) \
	mmi_emit_table(o, MONOUT_##name, 0); \
	put_##items(o); \
	s->items = o->head.first + o->head.count; \
	mmi_emit_flush(o);
	MONREC_TABLES(MONREC_PLAIN)
#undef P
}
