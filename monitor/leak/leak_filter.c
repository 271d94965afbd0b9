/* SPDX-License-Identifier: MIT */
/*
 * A process that ran before may have set a filter that ends it for a system
 * call that it doesn't make: fork, or a signal to a thread.  (Of filters that
 * are set later, process/seccomp.h knows what they allow.)
 */
#include "monitor/leak/leak_check.h"

#include <string.h>

#include "monitor/base/process.h"

/* How many filters a process has, as /proc tells; -1: that isn't known. */
static long
filters(long pid)
{
	char text[4096];
	const char *s;
	long n = 0;

	if (mmi_process_file("/proc/", pid, "/status", text, sizeof(text)) <= 0)
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

/* Those of a container are the first process's, too, and let it fork. */
const char *
mmi_leak_filtered(void)
{
	long n = mmi_process.attached ? filters(mmi_process.pid) : 0;

	return n > 0 && n > filters(1) ? "a seccomp filter might end the "
					 "program for system calls of the check"
				       : NULL;
}
