/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a profile: from data files to struct profile (result.h), the only
 * source of display/.
 */
#ifndef MEMMON_REDUCE_PROFILE_H
#define MEMMON_REDUCE_PROFILE_H

#include "reduce/base/err.h"
#include "reduce/model/counts.h"
#include "reduce/model/life.h"
#include "reduce/model/options.h"
#include "reduce/model/result.h"
#include "reduce/estimate/scores.h"
#include "reduce/log/log_each.h"
#include "reduce/profile/data_files.h"
#include "reduce/symbols/profile_cache.h"
#include "reduce/symbols/symspec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Read, symbolize and reduce.  profile_read() fills *p, which the caller owns,
 * and returns 0; on failure it returns -1 with *e set and *p needs no fini.
 * Problems that don't prevent a profile are in p->warnings.
 */
int profile_read(struct profile *p, const struct profile_options *o,
		 struct err *e);
void profile_fini(struct profile *p);

/*
 * profile_sum() merges the data files of *o and writes them to path in the
 * format of mon.out(5), by way of a temporary file beside path; "-" is standard
 * output.  The bytes of the sum don't depend on the order of the files, or on
 * whether some of them are sums themselves.  It needs no symbols.  *p gets the
 * number of unreadable files, and warnings, but no runs.  It needs
 * profile_fini() if the result is 0.  0, or -1 with *e set.
 */
int profile_sum(struct profile *p, const struct profile_options *o,
		const char *path, struct err *e);

/*
 * The same with several processes.  Each makes the sum of its part of the files
 * of *o, adds the sums of other processes, as bytes, and passes on its own sum,
 * or writes it.
 */
struct summing;

/* NULL with *e set on failure.  Call summing_free() later. */
struct summing *summing_new(const struct profile_options *o, size_t part,
			    size_t parts, struct err *e);
/* The bytes of the sum, to be freed. */
unsigned char *summing_bytes(const struct summing *s, size_t *n);
/* 0, or -1 with *e set. */
int summing_add(struct summing *s, const unsigned char *bytes, size_t n,
		struct err *e);
/* Result and *p as for profile_sum(). */
int summing_write(struct summing *s, struct profile *p, const char *path,
		  struct err *e);
void summing_free(struct summing *s);

/*
 * profile_info() prints the contents of each data file of *o (-i): header, run,
 * records with their counts, modules with build-ids.  0, or -1 with *e set.
 */
int profile_info(const struct profile_options *o, FILE *out, struct err *e);

enum profile_absent {
	PROFILE_ABSENT_UNKNOWN, /* no file that could be read contains it */
	PROFILE_ABSENT_THERE,	/* a file contains it */
	PROFILE_ABSENT_TAIL	/* and debug information says that it contains a
				 * tail call: a jump to the function that it
				 * calls */
};

/*
 * Look in the program and its libraries for a function with this name (without
 * parameters) that is in no call path.  It reads files: print nothing between
 * earlier reads and this call.
 */
enum profile_absent profile_absent(const struct profile *p, const char *name);

#endif
