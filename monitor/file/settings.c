/* SPDX-License-Identifier: MIT */
/* The table of settings: MEMMON_* of the environment that the program got. */
#include "monitor/file/settings.h"

#include <fcntl.h>
#include <string.h>

#include "monitor/file/put.h"
#include "monitor/base/process.h"

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
		mmi_put_setting(o, NULL,
				&(struct monrec_setting){ .name = s,
							  .namelen = name,
							  .value = s + name + 1,
							  .valuelen = n - name -
								      1 });
}

uint64_t
mmi_settings_put(struct mmi_emit *o)
{
	static char buffer[16384]; /* what is longer is none of ours */
	size_t have = 0, n;
	long fd, r;

	mmi_emit_table(o, MONOUT_SETTINGS, 0);
	if (mmi_process.secure)
		return 0;
	fd = ARCH_SYS(SYS_open, "/proc/self/environ", O_RDONLY | O_CLOEXEC, 0,
		      0, 0, 0);
	if (fd < 0)
		return 0;
	while ((r = ARCH_SYS(SYS_read, fd, buffer + have,
			     sizeof(buffer) - 1 - have, 0, 0, 0)) > 0) {
		char *s = buffer, *end = buffer + have + r;

		/* The last one may go on in what isn't read yet. */
		for (*end = '\0'; s + strlen(s) < end; s += strlen(s) + 1)
			put_setting(o, s);
		have = (size_t)(end - s);
		memmove(buffer, s, have);
		if (have == sizeof(buffer) - 1)
			have = 0;
	}
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	n = o->head.first + o->head.count;
	mmi_emit_flush(o);
	return n;
}
