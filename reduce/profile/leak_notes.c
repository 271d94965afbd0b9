/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits of leak checks: see leak_notes.h. */
#include "reduce/profile/parts.h"
#include "reduce/base/arena.h"
#include "reduce/model/counts.h"
#include "reduce/model/stages.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* The sum of a figure over all runs. */
static uint64_t
leak_notes_sum(const struct profile *p, size_t at)
{
	uint64_t n = 0, v;

	for (size_t i = 0; i < p->nruns; i++) {
		memcpy(&v, (const char *)&p->runs[i].leak_limits + at,
		       sizeof v);
		n = n + v < n ? UINT64_MAX : n + v;
	}
	return n;
}

#define SUM(p, name) leak_notes_sum(p, offsetof(struct run_leak_limits, name))

/* GLib's allocator keeps its blocks inside of large ones: these never leak. */
static bool
has_slices(const struct profile *p)
{
	const struct frame *f;

	if (!p->leak.blocks[PROFILE_INTERIOR])
		return false;
	for (size_t i = 0; i < p->nsites; i++) {
		if (counts_sum(p->sites[i].count.allocs) <=
		    counts_sum(p->sites[i].count.frees))
			continue;
		for (f = p->sites[i].leaf; f; f = f->parent)
			if (!strcmp(f->func->name, "g_slice_alloc"))
				return true;
	}
	return false;
}

static void
leak_notes_put(struct profile *p, struct leak_note note)
{
	if (p->nleak_notes < PROFILE_LEAK_NOTES)
		p->leak_notes[p->nleak_notes++] = note;
}

static void
leak_notes_add(struct profile *p, const char *text)
{
	leak_notes_put(p, (struct leak_note){ .before = text });
}

/* Add a note with a number of bytes between two texts. */
static void
leak_notes_add_bytes(struct profile *p, const char *before, uint64_t bytes,
		     const char *after)
{
	leak_notes_put(p, (struct leak_note){ before, after, bytes });
}

/* Did a later check of one of the runs fail? */
static void
add_later(struct profile *p)
{
	struct arena *a = &p->priv->arena;
	const char *of = p->nruns > 1 ? " of one of the runs" : "";
	const struct run *r;

	for (size_t i = 0; i < p->nruns; i++) {
		r = &p->runs[i];
		if (!r->leaks_known || !r->leak_why || r->sum)
			continue;
		p->leaks_all = false;
		leak_notes_add(p,
			       arena_print(a,
					   "the result%s is from %.6f s after "
					   "the start; no later check could be "
					   "made: %s",
					   of, (double)r->leak_check / 1e9,
					   r->leak_why));
		return;
	}
}

static void
add_limits(struct profile *p)
{
	const struct {
		uint64_t n;
		const char *one, *many, *rest;
	} rows[] = {
		{ SUM(p, blind), "the registers of 1 thread were not seen",
		  "the registers of %" PRIu64 " threads were not seen",
		  "; a block is called lost if only these point to it" },
		{ SUM(p, odd),
		  "1 lost block has pointers to it at odd "
		  "addresses, as in packed structures",
		  "%" PRIu64 " lost blocks have pointers to them at odd "
		  "addresses, as in packed structures",
		  "; memmon --leak-check=unaligned counts these pointers" },
		{ SUM(p, tagged),
		  "1 lost block has pointers to it with other "
		  "bits set, as by tags",
		  "%" PRIu64 " lost blocks have pointers to them with other "
		  "bits set, as by tags",
		  "; memmon --leak-check=tagged counts these pointers" },
	};
	struct arena *a = &p->priv->arena;
	const char *text;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!rows[i].n)
			continue;
		text = rows[i].n == 1 ? rows[i].one
				      : arena_print(a, rows[i].many, rows[i].n);
		leak_notes_add(p, arena_print(a, "%s%s", text, rows[i].rest));
	}
}

void
leak_notes_make(struct profile *p)
{
	uint64_t bytes = SUM(p, unread), places = SUM(p, places), n;
	struct arena *a = &p->priv->arena;

	p->nleak_notes = 0;
	p->leak_unread.bytes = bytes;
	p->leak_unread.blocks = places;
	if (!p->leaks_known)
		return;
	add_later(p);
	if (places)
		leak_notes_add_bytes(
			p, "", bytes,
			arena_print(a,
				    " of memory in %" PRIu64
				    " place%s could not be searched; a block "
				    "is called lost if only these point to it",
				    places, places == 1 ? "" : "s"));
	add_limits(p);
	n = SUM(p, held);
	if (n)
		leak_notes_add_bytes(
			p,
			arena_print(a, "%" PRIu64 " block%s, ", n,
				    n == 1 ? "" : "s"),
			SUM(p, held_bytes),
			arena_print(a,
				    " in all, %s reachable only from the first "
				    "thread's stack: variables of main(), or "
				    "old values",
				    n == 1 ? "is" : "are"));
	if (SUM(p, unknown))
		leak_notes_add(p, "some blocks were not recorded, so the check "
				  "searched all of the heap for pointers; more "
				  "blocks may be lost");
	if (has_slices(p))
		leak_notes_add(p,
			       "GLib puts its blocks into larger blocks, and "
			       "none of them counts as lost; run the program "
			       "with G_SLICE=always-malloc");
}
