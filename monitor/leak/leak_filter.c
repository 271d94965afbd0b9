/* SPDX-License-Identifier: MIT */
/*
 * A process that ran before may have set a filter that ends it for a system
 * call that it doesn't make: fork, or a signal to a thread.  (Of filters that
 * are set later, process/seccomp.h knows what they allow.)
 */
#include "monitor/leak/leak.h"
#include "monitor/leak/leak_check.h"

#include <string.h>

#include "monitor/base/process.h"

/*
 * How many filters a process has, as /proc tells; -1: that isn't known.  text:
 * room for MMI_LEAK_STATUS bytes.
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
