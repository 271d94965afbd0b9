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

/* NAME=VALUE. */
static void
put_setting(struct mmi_emit *o, const char *s)
{
	size_t n = strlen(s), name = 0;

	if (n < 7 || memcmp(s, "MEMMON_", 7) != 0)
		return;
	while (name < n && s[name] != '=')
		name++;
	if (name < n)
		mmi_put_setting(o, &(struct monrec_setting){
					   .name = s,
					   .namelen = name,
					   .value = s + name + 1,
					   .valuelen = n - name - 1 });
}

/*
 * The MEMMON_* variables of the environment that the kernel gave the program.
 * Later changes by the program don't count.
 */
static void
put_settings(struct mmi_emit *o)
{
	static char buffer[16384]; /* no MEMMON_ variable is longer */
	size_t have = 0;
	long fd, r;

	if (mmi_process.secure)
		return;
	fd = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/environ",
		      O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	while ((r = ARCH_SYS(SYS_read, fd, buffer + have,
			     sizeof(buffer) - 1 - have, 0, 0, 0)) > 0) {
		char *s = buffer, *end = buffer + have + r;

		/*
		 * The last variable may be incomplete: the rest hasn't been
		 * read yet.
		 */
		for (*end = '\0'; s + strlen(s) < end; s += strlen(s) + 1)
			put_setting(o, s);
		have = (size_t)(end - s);
		memmove(buffer, s, have);
		if (have == sizeof(buffer) - 1)
			have = 0;
	}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
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
