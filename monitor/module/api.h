/* SPDX-License-Identifier: MIT */
/*
 * The parts of a module: events in batches, rows of tables, and the host that
 * runs the module.  Part of memmon_module.h.
 */
#ifndef MEMMON_MODULE_API_H
#define MEMMON_MODULE_API_H

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
 * The events that the module wants, and the arguments that it needs of them, in
 * a variable memmon_module_events: the compiler reads it from there.
 */
#define MEMMON_EVENTS(text) \
	extern const char memmon_module_events[]; \
	const char memmon_module_events[] \
		__attribute__((used, visibility("default"))) = \
			"MEMMON-EVENTS: " text

/* An event.  Members that this kind of event doesn't have are undefined. */
struct memmon_event {
	unsigned kind;	/* enum memmon_event_kind */
	uint32_t where; /* number of a place */
	uint32_t index; /* memmon_index(where) */
	uint64_t size, address, value;
	bool has_value; /* value is what was loaded or stored, not a size */
};

/* A place in the source.  host->place() fills it in. */
struct memmon_where {
	/* The kind of the place's first event; LOOP, ENTRY: for all events of
	 * a loop, a function. */
	unsigned kind;
	unsigned line, column, ordinal, size;
	const char *file, *name; /* "" if there is none */
	/* Places around this one; 0: none or unknown. */
	uint32_t function, loop;
	uint64_t code; /* not 0: an address that calls the allocator */
	bool is_float, is_signed, is_pointer; /* the value */
};

/* An event of a block: what memmon_step says, with the numbers of this run. */
struct memmon_decoded {
	uint64_t delta;	       /* from words[address] to the address */
	uint32_t where, index; /* as in an event */
	/* MEMMON_EVENT_SIZE_MAX: words[value] may be the size */
	uint32_t size;
	/* Indexes into the block's words; -1: its first word. */
	int16_t address, value;
	int32_t mask; /* 0, 1, 3, 7 for the sizes 1, 2, 4, 8; else -1 */
	uint8_t kind;
	bool long_size; /* the value is the size */
	uint8_t above;	/* bits of a word above the value */
} __attribute__((aligned(32)));

struct memmon_decoder {
	const struct memmon_decoded *step, *last;
};

/* Events of one thread, in order. */
struct memmon_batch {
	const uint64_t *words, *end;
	const struct memmon_decoder *blocks; /* by number, below nblocks */
	uint32_t nblocks;
	uint32_t thread;	  /* from 0 */
	/* This worker's number; how many workers there are: 1, 2, 4 or 8. */
	uint32_t worker, workers;
};

struct memmon_reader {
	const uint64_t *at, *words;
	const struct memmon_decoded *step, *last;
};

/*
 * for each event of batch b: s describes all events of its instruction, w are
 * the words of this event.  Four words after the end of the batch may be read.
 */
#define memmon_each_step(s, w, b) \
	for (struct memmon_decoded s##_plain, *s##_once = &s##_plain; \
	     s##_once; s##_once = NULL) \
		for (struct memmon_reader s##_r = { .at = (b)->words }; \
		     memmon_advance(b, &s##_r, &s##_plain);) \
			for (const struct memmon_decoded *s = s##_r.step, \
							 *s##_l = s##_r.last; \
			     s != s##_l; s++) \
				for (const uint64_t *w = s##_r.words; w; \
				     w = NULL)

/* for each event e of batch b.  `break' only goes on with the next event. */
#define memmon_each(e, b) \
	memmon_each_step (e##_s, e##_w, b) \
		for (struct memmon_event e = memmon_event(e##_w, e##_s), \
					 *e##_once = &e; \
		     e##_once; e##_once = NULL)

/*
 * Numbers of places as small numbers, below MEMMON_PLACES: places that call the
 * allocator are in the upper half.  memmon_place() converts back.
 */
#define MEMMON_PLACES (1u << 22)

static inline __attribute__((always_inline)) uint32_t
memmon_index(uint32_t where)
{
	return (where & (MEMMON_PLACES / 2 - 1)) | (where >> 31) << 21;
}

static inline uint32_t
memmon_place(uint32_t index)
{
	return index & MEMMON_PLACES / 2
		       ? MEMMON_CALLERS | (index & (MEMMON_PLACES / 2 - 1))
		       : index;
}

/* How many bits of a word are above a value of `size' bytes. */
static inline __attribute__((always_inline)) unsigned
memmon_bits_above(uint64_t size)
{
	return size && size < 8 ? 64 - 8 * (unsigned)size : 0;
}

/* An event outside of blocks, which the runtime has written. */
static inline void
memmon_plain(struct memmon_decoded *to, uint64_t head)
{
	unsigned address = head >> MEMMON_EVENT_ADDRESS_SHIFT & 1;
	unsigned value = head >> MEMMON_EVENT_VALUE_SHIFT & 1;

	to->delta = 0;
	to->mask = -1;
	to->where = (uint32_t)head;
	to->index = memmon_index((uint32_t)head);
	to->size = head >> MEMMON_EVENT_SIZE_SHIFT & MEMMON_EVENT_SIZE_MAX;
	to->address = 0;
	to->value = (int16_t)address;
	to->kind = head >> MEMMON_EVENT_KIND_SHIFT & MEMMON_EVENT_KIND_MASK;
	to->long_size = to->size == MEMMON_EVENT_SIZE_MAX && value;
	to->above = (uint8_t)memmon_bits_above(to->size);
}

static inline __attribute__((always_inline)) bool
memmon_is_block(uint64_t head)
{
	return head >> MEMMON_EVENT_KIND_SHIFT == MEMMON_EVENT_BLOCK;
}

/* How many words follow the first one of a block. */
static inline __attribute__((always_inline)) unsigned
memmon_block_words(uint64_t head)
{
	return (uint16_t)(head >> MEMMON_EVENT_SIZE_SHIFT);
}

/* Go to the next block or plain event.  False: there is none. */
static inline __attribute__((always_inline)) bool
memmon_advance(const struct memmon_batch *b, struct memmon_reader *r,
	       struct memmon_decoded *plain)
{
	while (r->at < b->end) {
		uint64_t head = *r->at;

		r->words = r->at + 1;
		if (__builtin_expect(memmon_is_block(head), 1)) {
			r->at = r->words + memmon_block_words(head);
			if (__builtin_expect((uint32_t)head >= b->nblocks, 0))
				continue;
			r->step = b->blocks[(uint32_t)head].step;
			r->last = b->blocks[(uint32_t)head].last;
			return true;
		}
		r->at = r->words + (head >> MEMMON_EVENT_ADDRESS_SHIFT & 1) +
			(head >> MEMMON_EVENT_VALUE_SHIFT & 1);
		if (!(head >> MEMMON_EVENT_KIND_SHIFT & MEMMON_EVENT_KIND_MASK))
			continue;
		memmon_plain(plain, head);
		r->step = plain;
		r->last = plain + 1;
		return true;
	}
	return false;
}

/* Does the event have a value that was loaded or stored? */
static inline __attribute__((always_inline)) bool
memmon_has_value(const struct memmon_decoded *s)
{
	return s->value >= 0 && !s->long_size;
}

static inline __attribute__((always_inline)) uint64_t
memmon_address(const uint64_t *words, const struct memmon_decoded *s)
{
	return words[s->address] + s->delta;
}

static inline __attribute__((always_inline)) uint64_t
memmon_size(const uint64_t *words, const struct memmon_decoded *s)
{
	return __builtin_expect(s->long_size, 0) ? words[s->value] : s->size;
}

static inline __attribute__((always_inline)) struct memmon_event
memmon_event(const uint64_t *words, const struct memmon_decoded *s)
{
	struct memmon_event e = { .kind = s->kind,
				  .where = s->where,
				  .index = s->index,
				  .size = memmon_size(words, s),
				  .address = memmon_address(words, s),
				  .value = words[s->value] << s->above >>
					   s->above,
				  .has_value = memmon_has_value(s) };

	return e;
}

/* Is its size 1, 2, 4 or 8, and the address a multiple of it? */
static inline __attribute__((always_inline)) bool
memmon_is_aligned(const struct memmon_decoded *s, uint64_t address)
{
	return !(address & (uint64_t)s->mask);
}

/* The contents of a column of a table. */
enum memmon_type {
	MEMMON_PLACE,	 /* n: a place, or 0 */
	MEMMON_COUNT,	 /* n */
	MEMMON_BYTES,	 /* n */
	MEMMON_RATIO,	 /* real, 0 to 1; below 0: unknown */
	MEMMON_TEXT,	 /* text */
	MEMMON_HISTOGRAM /* histogram: counts of 0, 1, 2-3, 4-7 ... */
};
#define MEMMON_HISTOGRAM_SIZE 40
/* A count, or a number of bytes, that is unknown. */
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
};

union memmon_cell {
	uint64_t n;
	double real;
	const char *text;	   /* NULL: none */
	const uint64_t *histogram; /* NULL: none */
};

/* Add a row to a table: a cell in braces for each column. */
#define memmon_row(h, table, ...) \
	(h)->row(h, table, (union memmon_cell[]){ __VA_ARGS__ })

/* The host of a module.  Only the module's functions may call it. */
struct memmon_host {
	uint32_t version, worker, workers;
	/*
	 * Zeroed memory; only pages that are touched cost memory.  NULL: out of
	 * memory.  It is freed with the module, or by unmap.
	 */
	void *(*map)(struct memmon_host *h, size_t size);
	void (*unmap)(struct memmon_host *h, void *p, size_t size);
	/*
	 * The value of an option "NAME=VALUE"; "" for an option "NAME"; NULL:
	 * the option isn't given.
	 */
	const char *(*option)(struct memmon_host *h, const char *name);
	/* False: there is no such place. */
	bool (*place)(struct memmon_host *h, uint32_t where,
		      struct memmon_where *w);
	/* Places are the numbers from 1 to this minus 1. */
	uint32_t (*places)(struct memmon_host *h);
	/* Only from finish(). */
	void (*row)(struct memmon_host *h, unsigned table,
		    const union memmon_cell *cell);
	/* Add a line for all users below the tables; only from finish(). */
	void (*note)(struct memmon_host *h, const char *text);
};

/* How events may be divided among workers. */
enum memmon_parallel {
	MEMMON_ALONE,	   /* one worker gets all events */
	MEMMON_BY_ADDRESS, /* loads and stores, by memmon_mine() */
	MEMMON_BY_PLACE	   /* all events except events of context */
};

/*
 * Each worker has an instance of the module: `state' bytes, zeroed.  All
 * workers get all events; with BY_ADDRESS and BY_PLACE each worker must ignore
 * events that aren't memmon_mine().  At the end the states of the other workers
 * are merged into the first worker's state, and finish() is called for that.
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

/* The module's descriptor: the host looks for this name. */
extern const struct memmon_module memmon_module
	__attribute__((visibility("default")));

/* Defines the descriptor: from tables, the type of the state, and functions. */
#define MEMMON_MODULE(name, about, parallel, tables, state, ...) \
	const struct memmon_module memmon_module = { \
		MEMMON_MODULE_VERSION, \
		parallel, \
		name, \
		about, \
		tables, \
		sizeof(tables) / sizeof(*(tables)), \
		sizeof(state), \
		__VA_ARGS__ \
	}

/* With BY_ADDRESS: this many bytes of memory belong to one worker. */
#define MEMMON_LINE 256u

static inline __attribute__((always_inline)) bool
memmon_mine_address(const struct memmon_batch *b, uint64_t address)
{
	return ((address >> 8 ^ address >> 14) & (b->workers - 1)) == b->worker;
}

static inline __attribute__((always_inline)) bool
memmon_mine_place(const struct memmon_batch *b, uint32_t where)
{
	return (where & (b->workers - 1)) == b->worker;
}

/* The part of a histogram that counts n. */
static inline unsigned
memmon_histogram_at(uint64_t n)
{
	unsigned i = n ? 64 - (unsigned)__builtin_clzll(n) : 0;

	return i < MEMMON_HISTOGRAM_SIZE ? i : MEMMON_HISTOGRAM_SIZE - 1;
}

/* Append a number in decimal digits to a text. */
static inline void
memmon_text_number(char *to, uint64_t n)
{
	char digits[20];
	unsigned k = 0;

	to += strlen(to);
	do
		digits[k++] = (char)('0' + n % 10);
	while (n /= 10);
	while (k)
		*to++ = digits[--k];
	*to = '\0';
}

/* Append a text to a text. */
static inline void
memmon_text_add(char *to, const char *text)
{
	memcpy(to + strlen(to), text, strlen(text) + 1);
}

/* Append a signed number after " + " or " - "; to an empty text only "-". */
static inline void
memmon_step_text(char *to, uint64_t n)
{
	bool minus = n >> 63;

	if (*to)
		memmon_text_add(to, minus ? " - " : " + ");
	else if (minus)
		memmon_text_add(to, "-");
	memmon_text_number(to, minus ? -n : n);
}

static inline const char *
memmon_access_text(unsigned kind)
{
	return kind == MEMMON_EVENT_STORE ? "store" : "load";
}

/* The value loaded or stored at a place: a signed number, or its bits. */
static inline void
memmon_value_text(const struct memmon_where *w, uint64_t value, char *to)
{
	unsigned above = memmon_bits_above(w->size);

	value <<= above;
	to[0] = '\0';
	if (w->is_float || w->is_pointer) {
		value >>= above;
		memmon_text_add(to, "0x");
		for (unsigned i = 64; i; i -= 4)
			if (value >> (i - 4) || i == 4)
				strncat(to,
					&"0123456789abcdef"[value >> (i - 4) &
							    15],
					1);
	} else {
		memmon_step_text(to, (uint64_t)((int64_t)value >> above));
	}
}

/* "name", or "file:line" if it has no name.  Returns the length. */
static inline size_t
memmon_where_text(const struct memmon_where *w, char *to, size_t n)
{
	const char *slash = strrchr(w->file, '/');
	const char *s = *w->name ? w->name : slash ? slash + 1 : w->file;
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

#ifdef __cplusplus
}
#endif

#endif
