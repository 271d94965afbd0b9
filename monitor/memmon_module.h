/* SPDX-License-Identifier: MIT */
/*
 * memmon_module.h: what a memory profiling module is made of.  A module is a
 * shared object; memmon_module(3) has an example of each part.
 *
 *	cc -O2 -shared -fPIC my.c -o my.so
 *	memmon-cc --module=./my.so prog.c -o prog
 *
 * It says which events it wants, gets them in batches, and gives rows of tables
 * in the end.  All here is C and may be used by C++.
 */
#ifndef MEMMON_MODULE_H
#define MEMMON_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MEMMON_ABI_NAMES_ONLY
#include "monitor/events.h"
#undef MEMMON_ABI_NAMES_ONLY

#define MEMMON_MODULE_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The events that the module wants, and which of their arguments, where the
 * compiler finds it: in a variable memmon_module_events.
 */
#define MEMMON_EVENTS(text) \
	extern const char memmon_module_events[]; \
	const char memmon_module_events[] __attribute__(( \
		used, visibility("default"))) = "MEMMON-EVENTS: " text

/* An event; what it has no argument for is undefined. */
struct memmon_event {
	unsigned kind;	/* enum memmon_event_kind */
	uint32_t where; /* number of a place */
	uint32_t size;
	uint64_t address, value;
};

/* What a place is in the source: host->place() fills it. */
struct memmon_where {
	unsigned kind; /* of the first event that it is of; LOOP, ENTRY: all */
	unsigned line, column, ordinal, size;
	const char *file, *name; /* "" if there is none */
	uint32_t function, loop; /* around it: places; 0: none, not known */
	uint64_t code; /* not 0: an address that calls the allocator */
	bool is_float, is_signed, is_pointer; /* the value */
};

/* Events of one thread, in their order. */
struct memmon_batch {
	const uint64_t *words, *end;
	uint32_t thread;	  /* from 0 */
	uint32_t worker, workers; /* which share is this worker's */
};

/*
 * for each event e of batch b.  Words of 0 are no events.  Two words behind the
 * end may be read.
 */
#define memmon_each(e, b) \
	for (const uint64_t *e##_at = (b)->words; e##_at < (b)->end; \
	     e##_at = memmon_next(e##_at)) \
		for (struct memmon_event e = memmon_decode(e##_at), \
					 *e##_once = &e; \
		     e##_once; e##_once = NULL)

static inline __attribute__((always_inline)) const uint64_t *
memmon_next(const uint64_t *p)
{
	return p + 1 + (*p >> MEMMON_EVENT_ADDRESS_SHIFT & 1) +
	       (*p >> MEMMON_EVENT_VALUE_SHIFT & 1);
}

static inline __attribute__((always_inline)) struct memmon_event
memmon_decode(const uint64_t *p)
{
	struct memmon_event e;

	e.kind = p[0] >> MEMMON_EVENT_KIND_SHIFT & MEMMON_EVENT_KIND_MASK;
	e.where = (uint32_t)p[0];
	e.size = p[0] >> MEMMON_EVENT_SIZE_SHIFT & MEMMON_EVENT_SIZE_MAX;
	e.address = p[1];
	e.value = p[1 + (p[0] >> MEMMON_EVENT_ADDRESS_SHIFT & 1)];
	return e;
}

/* What a column of a table holds. */
enum memmon_type {
	MEMMON_PLACE,	  /* n: a place, or 0 */
	MEMMON_COUNT,	  /* n */
	MEMMON_BYTES,	  /* n */
	MEMMON_RATIO,	  /* real, 0 to 1 */
	MEMMON_TEXT,	  /* text */
	MEMMON_HISTOGRAM  /* histogram: counts of 0, 1, 2-3, 4-7 ... */
};
#define MEMMON_HISTOGRAM_SIZE 40
/* A count or bytes that isn't known. */
#define MEMMON_UNKNOWN UINT64_MAX

struct memmon_column {
	const char *name; /* letters, digits, underscores */
	enum memmon_type type;
	const char *about; /* for the legend */
};

struct memmon_table {
	const char *name, *title;
	const struct memmon_column *column;
	unsigned n;
	unsigned key; /* rows of the same first so many columns are one row */
};

union memmon_cell {
	uint64_t n;
	double real;
	const char *text;	   /* NULL: none */
	const uint64_t *histogram; /* NULL: none */
};

/* What runs the module: all of it may be called from its functions only. */
struct memmon_host {
	uint32_t version, worker, workers;
	/* Zeroed memory that costs what is touched of it; NULL: there is none.
	 * It goes when the module does, or by unmap. */
	void *(*map)(struct memmon_host *h, size_t size);
	void (*unmap)(struct memmon_host *h, void *p, size_t size);
	/* The value of an option "NAME=VALUE", "" if it is "NAME"; NULL: not
	 * given. */
	const char *(*option)(struct memmon_host *h, const char *name);
	/* False: there is no such place. */
	bool (*place)(struct memmon_host *h, uint32_t where,
		      struct memmon_where *w);
	/* Places are 1 to this, the last one left out. */
	uint32_t (*places)(struct memmon_host *h);
	/* Only from finish(). */
	void (*row)(struct memmon_host *h, unsigned table,
		    const union memmon_cell *cell);
	/* What all should hear, a line below the tables; from finish(). */
	void (*note)(struct memmon_host *h, const char *text);
};

/* How events may be parted among workers. */
enum memmon_parallel {
	MEMMON_ALONE,	   /* one worker gets all */
	MEMMON_BY_ADDRESS, /* loads and stores, by memmon_mine() */
	MEMMON_BY_PLACE	   /* all but those of context */
};

/*
 * Each worker has an instance of the module: `state' bytes, 0 at first.  All
 * workers get all events; with BY_ADDRESS and BY_PLACE each must leave alone
 * what isn't memmon_mine().  In the end what the others have is merged into the
 * first one's, which finishes.
 */
struct memmon_module {
	uint32_t version; /* MEMMON_MODULE_VERSION */
	enum memmon_parallel parallel;
	const char *name, *about;
	const struct memmon_table *table;
	unsigned ntables;
	size_t state;
	bool (*init)(void *state, struct memmon_host *h); /* false: no memory */
	void (*events)(void *state, const struct memmon_batch *b);
	void (*merge)(void *to, void *from);
	void (*finish)(void *state, struct memmon_host *h);
};

/* The module's descriptor, of this name, is what is looked for. */
extern const struct memmon_module memmon_module
	__attribute__((visibility("default")));

/* Of BY_ADDRESS: 64 bytes of memory are one worker's. */
#define MEMMON_LINE 64u

static inline __attribute__((always_inline)) bool
memmon_mine_address(const struct memmon_batch *b, uint64_t address)
{
	return b->workers == 1 ||
	       (address >> 6 ^ address >> 12) % b->workers == b->worker;
}

static inline __attribute__((always_inline)) bool
memmon_mine_place(const struct memmon_batch *b, uint32_t where)
{
	return b->workers == 1 || where % b->workers == b->worker;
}

/*
 * for each part [at, at + n) of `size' bytes at `address' that lies within one
 * line, and is this worker's.
 */
#define memmon_each_part(at, n, b, address, size) \
	for (uint64_t at = (address), at##_end = at + (size), \
		      n = memmon_part(at, at##_end); \
	     at < at##_end; at += n, n = memmon_part(at, at##_end)) \
		if (memmon_mine_address(b, at))

static inline __attribute__((always_inline)) uint64_t
memmon_part(uint64_t at, uint64_t end)
{
	uint64_t line = (at | (MEMMON_LINE - 1)) + 1;

	return (end < line ? end : line) - at;
}

/* The part of a histogram that counts n. */
static inline unsigned
memmon_histogram_at(uint64_t n)
{
	unsigned i = n ? 64 - (unsigned)__builtin_clzll(n) : 0;

	return i < MEMMON_HISTOGRAM_SIZE ? i : MEMMON_HISTOGRAM_SIZE - 1;
}

/* "name", or "file:line" where it has none; how long it is. */
static inline size_t
memmon_where_text(const struct memmon_where *w, char *to, size_t n)
{
	const char *s = *w->name ? w->name : w->file;
	size_t len = strlen(s);
	unsigned line = *w->name ? 0 : w->line, k = 0;
	char digits[12];

	if (len > n - 14)
		len = n - 14;
	memcpy(to, s, len);
	for (; line; line /= 10)
		digits[k++] = (char)('0' + line % 10);
	if (k)
		to[len++] = ':';
	while (k)
		to[len++] = digits[--k];
	to[len] = '\0';
	return len;
}

#include "monitor/module/shadow.h"
#include "monitor/module/map.h"
#include "monitor/module/context.h"

#ifdef __cplusplus
}
#endif

#endif
