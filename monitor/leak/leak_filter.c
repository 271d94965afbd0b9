/* SPDX-License-Identifier: MIT */
/*
 * A seccomp filter that was set before the program started may end the process
 * for a system call that the program doesn't make itself: a fork, or a signal
 * to a thread.  (process/seccomp.h knows what filters that are set later
 * allow.)
 */
#include "monitor/leak/leak.h"
#include "monitor/leak/leak_check.h"

#include <string.h>

#include "monitor/base/process.h"

/*
 * How many filters a process has, from /proc; -1: unknown.  text: room for
 * MMI_LEAK_STATUS bytes.
 */
static long
filters(long pid, char *text)
{
	const char *s;
	long n = 0;

	if (mmi_process_file("/proc/", pid, "/status", text, MMI_LEAK_STATUS) <=
	    0)
		return -1;
	s = strstr(text, "\nSeccomp_filters:");
	if (!s)
		return -1;
	for (s += strlen("\nSeccomp_filters:"); *s == ' ' || *s == '\t'; s++)
		;
	for (; *s >= '0' && *s <= '9'; s++)
		n = 10 * n + (*s - '0');
	return n;
}

bool
mmi_leak_filters(char text[MMI_LEAK_STATUS])
{
	long n = filters(mmi_process.pid, text);

	return n > 0 && n > filters(1, text);
}

const char *
mmi_leak_filtered(void)
{
	static char text[MMI_LEAK_STATUS];

	return mmi_process.attached && mmi_leak_filters(text)
		       ? "a seccomp filter might end the program for system "
			 "calls of the check"
		       : NULL;
}
