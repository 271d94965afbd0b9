/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making a profile: from data files to struct profile (result.h), which is all
 * that display/ prints from.
 */
#ifndef MEMMON_REDUCE_PROFILE_H
#define MEMMON_REDUCE_PROFILE_H

#include "reduce/base/err.h"
#include "reduce/model/counts.h"
#include "reduce/model/life.h"
#include "reduce/model/options.h"
#include "reduce/model/questions.h"
#include "reduce/model/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Read, symbolize and reduce.  profile_read() fills *p, which the caller owns,
 * and returns 0; on failure it returns -1 with *e set and *p needs no fini.
 * Things amiss that leave something to print are in p->warnings.
 */
int profile_read(struct profile *p, const struct profile_options *o,
		 struct err *e);
void profile_fini(struct profile *p);

/*
 * profile_sum() merges the data files of *o and writes them to path in the
 * format of mon.out(5), by way of a temporary file beside it; "-" is standard
 * output.  The sum is the same bytes in whatever order the files come, and if
 * some of them are sums of others.  No symbols are needed.  *p gets how many
 * couldn't be read, and warnings, but no runs, and needs profile_fini(), unless
 * it fails.  0, or -1 with *e set.
 */
int profile_sum(struct profile *p, const struct profile_options *o,
		const char *path, struct err *e);

/*
 * The same by several processes: each makes a part, of those of *o whose names
 * it is to take, adds what others have made, as bytes, and hands on its own, or
 * writes it.
 */
struct summing;

/* NULL when out of memory, or with *e set.  summing_free() later. */
struct summing *summing_new(const struct profile_options *o, size_t part,
			    size_t parts, struct err *e);
/* All of it, to be freed; NULL when out of memory. */
unsigned char *summing_bytes(const struct summing *s, size_t *n);
/* 0, or -1 with *e set. */
int summing_add(struct summing *s, const unsigned char *bytes, size_t n,
		struct err *e);
/* As profile_sum(). */
int summing_write(struct summing *s, struct profile *p, const char *path,
		  struct err *e);
void summing_free(struct summing *s);

/*
 * profile_info() prints what is in each data file of *o (-i): header, run,
 * records with their counts, modules with build-ids.  0, or -1 with *e set.
 */
int profile_info(const struct profile_options *o, FILE *out, struct err *e);

enum profile_absent {
	PROFILE_ABSENT_UNKNOWN, /* no file that was read has it */
	PROFILE_ABSENT_THERE,	/* one has */
	PROFILE_ABSENT_TAIL	/* and debug information says that it ends in
				 * a jump to what it calls (a tail call) */
};

/*
 * What the program and its libraries say of a function of that name, without
 * parameters, of which no call path has a frame.  Reads files: nothing must be
 * printed between this and what was read before.
 */
enum profile_absent profile_absent(const struct profile *p, const char *name);

#endif
