/* SPDX-License-Identifier: MIT */
/*
 * A time as in MEMMON_EVERY: a number, and ms, s, m, h or d, or nothing for
 * seconds.  The library reads it and the command memmon checks it.  ctx: any.
 */
#ifndef MEMMON_DURATION_H
#define MEMMON_DURATION_H

#include <stdint.h>

/* In ns; 0: not a time, or longer than a thousand days. */
static inline uint64_t
mmi_duration(const char *s)
{
	static const struct {
		char unit[4];
		uint64_t ns;
	} units[] = { { "", 1000000000 },     { "ms", 1000000 },
		      { "s", 1000000000 },    { "m", 60000000000 },
		      { "min", 60000000000 }, { "h", 3600000000000 },
		      { "d", 86400000000000 } };
	uint64_t n = 0;

	for (; *s >= '0' && *s <= '9' && n < 100000000; s++)
		n = n * 10 + (uint64_t)(*s - '0');
	for (unsigned i = 0; i < sizeof(units) / sizeof(*units); i++) {
		const char *u = units[i].unit, *t = s;

		while (*u && *u == *t)
			u++, t++;
		if (!*u && !*t)
			return n <= 86400000000000000 / units[i].ns
				       ? n * units[i].ns
				       : 0;
	}
	return 0;
}

#endif
