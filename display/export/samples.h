/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of call paths and the tables that these refer to, for pprof and OTLP.
 * Rows are numbered from 1 in the order in which samples first need them; 0
 * means none.  The messages of both formats have the same fields, but start
 * with different field numbers.
 */
#ifndef MEMMON_SAMPLES_H
#define MEMMON_SAMPLES_H

#include "display/export/export.h"
#include "display/grid/locations.h"
#include "display/text/proto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SAMPLES_TYPES = 8 };

/* A metric, and its name and unit in other tools. */
struct samples_type {
	const char *metric, *type, *unit;
};

/* The type that viewers show first. */
extern const struct samples_type *const samples_usual;

/* Rows of one table. */
struct samples_table {
	uint32_t *number; /* by index of a source: its row, or 0 */
	uint32_t *row;	  /* index of the source of row 1, 2, ... */
	size_t n;
};

struct samples {
	struct export *x;
	const struct profile *p;
	const struct samples_type *type[SAMPLES_TYPES]; /* those that are
							 * known */
	size_t ntypes;
	struct samples_table locations, functions;
	struct samples_table mappings; /* of p->modules; row 1 is the program */
	bool failed;		       /* out of memory */
	/* private to samples.c */
	struct locations all;
	const struct func **whole; /* a part of each whole function */
	const struct export_metric *metric[SAMPLES_TYPES];
	struct proto line;
};

/* Blocks of a call path with the same type, thread and size. */
struct sample {
	uint64_t value[SAMPLES_TYPES]; /* by type; at most INT64_MAX */
	const struct frame *leaf;      /* NULL: unknown call path */
	const char *type;	       /* NULL: unknown */
	const char *thread;	       /* NULL: unknown, or without a name */
	uint64_t size;
	bool sized; /* all blocks have .size */
};

/* 0, or -1 when out of memory.  Call samples_fini() in both cases. */
int samples_init(struct samples *s, struct export *x);
void samples_fini(struct samples *s);

/* Call f with each sample that has a value other than 0. */
typedef void samples_taker(void *arg, const struct sample *a);
void samples_each(struct samples *s, samples_taker *f, void *arg);

/* The number of a string. */
uint64_t samples_text(struct samples *s, const char *text);

/*
 * Append a packed array with the locations of the call path, innermost first.
 * Locations, functions and mappings that are new get numbers.
 */
void samples_put_path(struct samples *s, const struct frame *leaf,
		      struct proto *to);

/* Append the fields of a row; the first field has number `first'. */
void samples_put_location(struct samples *s, size_t row, unsigned first,
			  struct proto *to);
void samples_put_function(struct samples *s, size_t row, unsigned first,
			  struct proto *to);
void samples_put_mapping(struct samples *s, size_t row, unsigned first,
			 struct proto *to);

/* The program or library that a mapping is for. */
const struct profile_module *samples_module(const struct samples *s,
					    size_t row);

/* The time of the profile.  Several runs: from the start of the first. */
struct samples_time {
	uint64_t start;	       /* ns since 1970 UTC; 0: unknown */
	uint64_t length;       /* ns, sum of all runs */
	uint64_t period;       /* bytes from one sample to the next, or 1 */
	const struct run *run; /* the first that was read; NULL: none */
};
struct samples_time samples_time(const struct profile *p);

#endif
