/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What pprof and OTLP are made of: samples of call paths, and the tables that
 * these refer to.  Rows have numbers from 1 in the order in which samples first
 * need them; 0 is none.  The messages of both have the same fields, of which
 * the first has another number.
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

/* A figure, as others call it. */
struct samples_type {
	const char *metric, *type, *unit;
};

/* What is shown first. */
extern const struct samples_type *const samples_usual;

/* Rows of one table. */
struct samples_table {
	uint32_t *number; /* of all that there may be: its row, or 0 */
	uint32_t *row;	  /* what that of number 1, 2, ... is */
	size_t n;
};

struct samples {
	struct export *x;
	const struct profile *p;
	const struct samples_type *type[SAMPLES_TYPES]; /* of what is known */
	size_t ntypes;
	struct samples_table locations, functions;
	struct samples_table mappings; /* of p->modules; the program's is 1 */
	bool failed;		       /* out of memory */
	/* samples.c's own */
	struct locations all;
	const struct func **whole; /* of each whole function one part */
	const struct export_metric *metric[SAMPLES_TYPES];
	struct proto line;
};

/* Blocks of a call path that have something in common. */
struct sample {
	uint64_t value[SAMPLES_TYPES]; /* of each type; at most INT64_MAX */
	const struct frame *leaf;      /* NULL: the call path isn't known */
	const char *type;	       /* NULL: not known */
	const char *thread;	       /* NULL: not known, or without a name */
	uint64_t size;
	bool sized; /* all have that size */
};

/* 0, or -1 when out of memory.  *s needs samples_fini() in any case. */
int samples_init(struct samples *s, struct export *x);
void samples_fini(struct samples *s);

/* Call f with each sample that isn't all 0. */
typedef void samples_taker(void *arg, const struct sample *a);
void samples_each(struct samples *s, samples_taker *f, void *arg);

/* The number of a string. */
uint64_t samples_text(struct samples *s, const char *text);

/*
 * A packed array of the numbers of the call path's locations, the innermost
 * first.  What these refer to gets numbers, too.
 */
void samples_put_path(struct samples *s, const struct frame *leaf,
		      struct proto *to);

/* A row's fields, of which the first has that number. */
void samples_put_location(struct samples *s, size_t row, unsigned first,
			  struct proto *to);
void samples_put_function(struct samples *s, size_t row, unsigned first,
			  struct proto *to);
void samples_put_mapping(struct samples *s, size_t row, unsigned first,
			 struct proto *to);

/* The module that a mapping is of. */
const struct profile_module *samples_module(const struct samples *s,
					    size_t row);

/* When it was.  Several runs: from the first one's start. */
struct samples_time {
	uint64_t start;	       /* ns since 1970 UTC; 0: not known */
	uint64_t length;       /* ns, of all together */
	uint64_t period;       /* bytes from one sample to the next, or 1 */
	const struct run *run; /* the first that was read; NULL: none */
};
struct samples_time samples_time(const struct profile *p);

#endif
