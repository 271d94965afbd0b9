/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile as JSON; mpreduce(1) describes the schema. */
#ifndef MEMMON_JSON_H
#define MEMMON_JSON_H

#include "display/text/writer.h"
#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Print *p on out as one JSON object.  0, or -1 when out of memory.  Write
 * errors stay in the stream's error flag.
 */
int json_print(const struct profile *p, FILE *out);

/* Pass the same values to a sink, for CSV.  0, or -1 when out of memory. */
int json_to_sink(const struct profile *p, const struct writer_sink *sink,
		 void *arg);

#endif
