/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All of the monitor that records events, in one program.  The test makes up
 * addresses, call paths and times.  Call path c is one frame, the outermost.
 */
#ifndef MEMMON_TESTS_EVENTS_H
#define MEMMON_TESTS_EVENTS_H

#include <stdlib.h>
#include <string.h>

#include "monitor/base/process.h"
#include "monitor/base/thread.h"

struct mmi_process mmi_process;

/* Names that are file-local in several of these files. */
#define limit arena_limit
#include "monitor/base/arena.c"
#include "monitor/base/sort.c"
#include "monitor/base/own_mappings.c"
#undef limit
#include "monitor/base/sampling.c"
#include "monitor/base/thread.c"
#define bucket_find trie_bucket_find
#include "monitor/chain/trie.c"
#undef bucket_find
#define first_level sites_first_level
#include "monitor/chain/sites.c"
#undef first_level
#include "monitor/chain/common.c"
#include "monitor/counts/bins.c"
#include "monitor/counts/cells.c"
#include "monitor/counts/lives.c"
#include "monitor/base/emit.c"
#include "monitor/record/event.c"
#include "monitor/record/figures.c"
#include "monitor/counts/heap.c"
#include "monitor/counts/live.c"
#include "monitor/counts/live_pages.c"
#include "monitor/counts/live_wide.c"
#include "monitor/record/record.c"
#include "monitor/thread/resync.c"
#define totals sample_totals
#define gap sample_gap
#include "monitor/record/sample.c"
#undef gap
#undef totals
#include "monitor/record/sample_draw.c"
#include "monitor/chain/cached_frames.c"
#include "monitor/counts/timed.c"
#include "monitor/counts/endings.c"
#include "monitor/file/figures_put.c"
#include "monitor/file/tables.c"
#define moving deeds_moving
#include "monitor/thread/ended.c"
#undef moving
#include "monitor/thread/owners.c"
#include "monitor/counts/live_walk.c"
#include "monitor/file/thread_totals.c"
#define first rows_first
#include "monitor/file/cells_put.c"
#undef first
#include "monitor/record/types.c"
#include "monitor/thread/enter.c"
#include "monitor/thread/ordinal.c"
#include "tests/unit/nocalls.h"
#include "tests/unit/nofold.h"
#include "tests/unit/noimage.h"
#include "tests/unit/notimes.h"

struct mmi_next mmi_next;
#ifdef PASS_ALL
struct mmi_pass mmi_pass;
#endif
int mmi_next_ready = MMI_NEXT_PLAIN;
uint32_t mmi_backings;
uint64_t mmi_modules_state;
static uint64_t events_now = 1000; /* ns */
static bool events_cached;	   /* frames are cached */

/* No allocator calls itself. */
bool
mmi_within(const struct arch_entry *e)
{
	(void)e;
	return false;
}

/* No library is unloaded. */
void
mmi_names_begin(unsigned n)
{
	(void)n;
}

const char *
mmi_names_path(unsigned i, const struct mmi_module *m)
{
	(void)i;
	return m->path;
}

bool
mmi_names_gone(unsigned i)
{
	(void)i;
	return false;
}

/* No log. */
bool mmi_log_on;

void
mmi_log_gone(struct mmi_thread *t, const struct mmi_cell *c,
	     const struct mmi_timed *s, const void *at, uint64_t now,
	     bool resized)
{
	(void)t;
	(void)c;
	(void)s;
	(void)at;
	(void)now;
	(void)resized;
}

void
mmi_process_forked(void)
{
}

int
mmi_real_setspecific(pthread_key_t k, const void *p)
{
	return pthread_setspecific(k, p);
}

/* See monitor/thread/enter.h. */
void
mmi_thread_costs_end(void)
{
}

uint64_t
mmi_process_clock(clockid_t id)
{
	(void)id;
	return LOAD(&events_now);
}

/* Threads have no names. */
long
mmi_process_file(const char *directory, long id, const char *name, char *to,
		 size_t n)
{
	(void)directory;
	(void)id;
	(void)name;
	(void)to;
	(void)n;
	return -1;
}

void
mmi_memory_block(uintptr_t a, uint64_t size)
{
	(void)a;
	(void)size;
}

bool
mmi_memory_pins(void)
{
	return false;
}

void
mmi_memory_pin(uintptr_t a, uint64_t size, uint32_t node)
{
	(void)a;
	(void)size;
	(void)node;
}

void
mmi_memory_begin_table(struct mmi_emit *o)
{
	(void)o;
}

void
mmi_memory_site(uint64_t number, uint32_t node)
{
	(void)number;
	(void)node;
}

uint64_t
mmi_memory_end_table(void)
{
	return 0;
}

void
mmi_vtables_begin(void)
{
}

void
mmi_vtables_block(uintptr_t a, uint32_t node, uint64_t size)
{
	(void)a;
	(void)node;
	(void)size;
}

void
mmi_vtables_end(void)
{
}

void
mmi_vtables_table(struct mmi_emit *o)
{
	(void)o;
}

void
mmi_vtables_site(const struct mmi_tables_sums *s, uint32_t node)
{
	(void)s;
	(void)node;
}

void
mmi_vtables_table_end(struct mmi_tables_sums *s)
{
	(void)s;
}

void
mmi_leak_begin(struct mmi_emit *o)
{
	(void)o;
}

void
mmi_leak_site(uint64_t number, uint32_t node)
{
	(void)number;
	(void)node;
}

void
mmi_leak_tables(uint64_t *items, uint64_t *held, uint64_t *links)
{
	*items = *held = *links = 0;
}

void
mmi_control_waiting(void)
{
}

bool
mmi_backing_gone_slow(const void *p)
{
	(void)p;
	return false;
}

bool
mmi_next_is_boot(const void *p)
{
	(void)p;
	return false;
}

unsigned
mmi_modules_count(void)
{
	return 0;
}

const struct mmi_module *
mmi_modules_at(unsigned i)
{
	(void)i;
	return NULL;
}

int
mmi_modules_of_key(uint64_t key)
{
	(void)key;
	return -1;
}

/* As the real one, but without a walk. */
struct mmi_frame *
mmi_unwind_other(struct mmi_thread *t, const struct arch_entry *e,
		 uint64_t state)
{
	struct mmi_frame *s;

	(void)state;
	t->chain[0] = e->pc;
	t->nchain = 1;
	t->why = 0;
	if (!events_cached)
		return NULL;
	if (t->nframes == t->frame_room)
		mmi_frames_clear(t);
	t->fresh[0] = (struct mmi_fresh){ .key = e->pc, .sp = e->sp };
	s = mmi_frames_add(t, NULL, 1, 0);
	mmi_frames_path(t, s);
	return s;
}

static inline struct arch_entry
events_entry(unsigned chain)
{
	return (struct arch_entry){ .pc = 0x10000 + 16 * chain, .sp = 0x8000 };
}

static inline void
events_alloc(uintptr_t p, uint64_t size, unsigned chain)
{
	struct arch_entry e = events_entry(chain);

	mmi_event_alloc((void *)p, size, &e);
}

static inline void
events_free(uintptr_t p)
{
	mmi_event_free((void *)p, NULL);
}

/* The block at old moves to p; p 0: realloc() fails. */
static inline void
events_realloc(uintptr_t old, uintptr_t p, uint64_t size, unsigned chain)
{
	struct arch_entry e = events_entry(chain);
	uint64_t entry = mmi_event_realloc_begin((void *)old);

	mmi_event_realloc_end(entry, (void *)old, (void *)p, size, false, false,
			      &e, NULL);
}

/* As at the start of a fork's child. */
static inline void
events_fork(void)
{
	mmi_live_fork();
	mmi_sites_fork();
	mmi_cells_fork();
	mmi_thread_fork();
	mmi_event_fork();
	mmi_heap_fork();
	mmi_bins_clear(mmi_shared.control.epoch);
}

/* The node of call path c. */
static inline uint32_t
events_node(unsigned chain)
{
	static uint64_t key[2];
	static struct mmi_pub pub;
	static struct mmi_thread t = {
		.chain = key, .nchain = 1, .depth = 1, .pub = &pub
	};

	key[0] = events_entry(chain).pc;
	return mmi_sites_node_of(&t, NULL);
}

/* Sums what call path c's blocks have, into `site' of tables.c; none: zeros. */
static inline void
events_site(unsigned chain)
{
	struct mmi_heap_state s;

	mmi_heap_read(&s);
	if (!read_site(events_node(chain), s.peaks))
		memset(&site, 0, sizeof(site));
}

/* The counts of `site', of all classes. */
static inline struct mmi_tables_count
events_count(void)
{
	struct mmi_tables_count c = { 0 };

	for (unsigned i = 0; i < MONOUT_NCLASS; i++)
		count_add(&c, &site.count[i]);
	return c;
}

/* Blocks by size, in `bins' of tables.c. */
static inline void
events_bins(void)
{
	memset(&bins, 0, sizeof(bins));
	mmi_bins_sum(&bins);
	for (uint32_t i = 1; i <= mmi_sites_nodes(); i++)
		read_site(i, 0);
}

/* A counter, summed over all threads; offset: in struct mmi_counters. */
static inline uint64_t
events_counter(size_t offset)
{
	const struct mmi_thread *t = NULL;
	uint64_t n = 0;

	while ((t = mmi_thread_next(t)))
		n += *(const uint64_t *)((const char *)&t->pub->count + offset);
	return n;
}
#define EVENTS_COUNTER(f) events_counter(offsetof(struct mmi_counters, f))

#endif
