/* SPDX-License-Identifier: MIT */
/* Call paths with interpreted functions, and types. */
#include "monitor/chain/origin.h"

#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"

/* A frame of a call path, during a walk along it. */
struct at {
	uint64_t key;
	uintptr_t sp;
	uint32_t number; /* of its cached frame, or 0 */
	const struct mmi_frame *s; /* NULL: frame i of an uncached call path */
	unsigned i;
};

/* Sets the fields for a->s or a->i.  False: the call path has ended. */
static bool
at_frame(const struct mmi_thread *t, struct at *a)
{
	unsigned k;

	if (a->s) {
		a->key = a->s->key;
		a->sp = a->s->sp;
		a->number = mmi_frames_number(t, a->s);
		return true;
	}
	if (a->i < t->nfresh) {
		a->key = t->fresh[a->i].key;
		a->sp = t->fresh[a->i].sp;
		a->number = 0;
		return true;
	}
	k = a->i - t->nfresh;
	if (k >= t->nmet)
		return false;
	k = t->nmet - k;
	a->key = mmi_frames_last_key(t, k);
	a->sp = t->last[k].sp;
	a->number = mmi_frames_last_number(&t->last[k]);
	return true;
}

/* Goes outwards. */
static bool
at_next(struct mmi_thread *t, struct at *a, bool cached)
{
	a->i++;
	if (!cached)
		return at_frame(t, a);
	a->s = mmi_frames_at(t, a->s->parent);
	return a->s && at_frame(t, a);
}

/*
 * Writes the call path of s, or the one in t->chain, with its interpreted
 * functions to t->chain.
 */
static void
chain_with_runs(struct mmi_thread *t, const struct mmi_frame *s,
		const struct mmi_origin *o)
{
	struct mmi_run run[MMI_RUNS];
	struct at a = { .s = s }, next;
	unsigned n = 0, k = 0, nrun;
	bool is = at_frame(t, &a), more;

	if (!is)
		return;
	nrun = o->by->fill(o, run);
	if (s)
		t->why = s->why;
	for (; is && n <= t->depth; a = next, is = more) {
		next = a;
		more = at_next(t, &next, s);
		while (k < nrun && (run[k].at < a.sp || !run[k].key))
			k++;
		if (k < nrun && (!more || run[k].at < next.sp))
			t->chain[n++] = run[k++].key;
		else if (!o->by->is_its(MMI_KEY_ADDR(a.key)))
			t->chain[n++] = a.key;
	}
	t->nchain = n;
	t->below = 0;
}

/* ---------------------------------------- nodes of call paths with runs -- */

/* The interpreted functions from a frame of a call path outwards. */
struct runs {
	const struct mmi_origin *o;
	uint64_t hash;
	unsigned k, n; /* run[k] is the first; n 0: not filled yet */
	struct mmi_run run[MMI_RUNS];
};

/* The way outwards has reached a frame at sp. */
static inline void
runs_from(struct runs *r, uintptr_t sp)
{
	if (LIKELY(sp <= r->o->from))
		return;
	if (!r->n)
		r->n = r->o->by->fill(r->o, r->run);
	while (r->k < r->n && r->run[r->k].at < sp)
		r->hash -= r->run[r->k++].part;
}

/* The cached node of frame number i with interpreted functions; i 0: NULL. */
static inline struct mmi_with_runs *
runs_of(const struct mmi_thread *t, uint32_t i)
{
	return i ? &t->runs[i] : NULL;
}

/*
 * Goes outwards to a frame whose node is known, or to the end: then *node is 0.
 * Writes the numbers of the frames inside it to t->chain; returns how many.
 */
static unsigned
runs_known(struct mmi_thread *t, struct at *a, struct runs *r, uint32_t *node)
{
	const struct mmi_with_runs *known;
	bool cached = a->s, is = true;
	unsigned n = 0;

	for (*node = 0; is && n < t->limit; is = at_next(t, a, cached)) {
		runs_from(r, a->sp);
		known = runs_of(t, a->number);
		if (known && known->hash == r->hash && known->node) {
			*node = known->node;
			return n;
		}
		t->chain[n++] = a->number;
	}
	runs_from(r, UINTPTR_MAX);
	return n;
}

/* On the way back: the node of a frame below one of that node; 0: no room. */
static uint32_t
runs_step(struct mmi_thread *t, const struct at *a, struct runs *r,
	  uint32_t node)
{
	uint64_t key = r->o->by->is_its(MMI_KEY_ADDR(a->key)) ? 0 : a->key;
	const struct mmi_run *run;

	for (; r->k && r->run[r->k - 1].at >= a->sp; r->k--) {
		run = &r->run[r->k - 1];
		r->hash += run->part;
		if (run->key)
			key = run->key;
	}
	if (!key)
		return node;
	if (node && mmi_sites_node(node)->depth >= t->depth)
		return 0;
	return mmi_sites_step(t, node, key);
}

/*
 * The node of the call path with interpreted functions; 0: there isn't one yet.
 */
static __attribute__((noinline)) uint32_t
with_runs(struct mmi_thread *t, const struct mmi_frame *s,
	  const struct mmi_origin *o)
{
	struct mmi_with_runs *known;
	struct at a = { .s = s };
	struct runs r;
	uint32_t node;
	unsigned n;

	t->ran = true;
	r.o = o;
	r.hash = o->hash;
	r.k = r.n = 0;
	if (!at_frame(t, &a))
		return 0;
	n = runs_known(t, &a, &r, &node);
	if (UNLIKELY(n == t->limit))
		return 0;
	if (!node && (s ? s->why : t->why))
		node = mmi_sites_step(t, 0, s ? s->why : t->why);
	while (n-- > 0) {
		a.s = s ? &t->frames[t->chain[n]] : NULL;
		a.i = n;
		at_frame(t, &a);
		node = runs_step(t, &a, &r, node);
		if (!node)
			return 0;
		known = runs_of(t, a.number);
		if (known) {
			known->hash = r.hash;
			known->node = node;
		}
	}
	return node;
}

/* ---------------------------------------------------------------- frames -- */

/* A frame of the node, for blocks of that type; type 0: without a type. */
static struct mmi_frame *
frame_of(struct mmi_thread *t, uint32_t node, uint64_t type, unsigned why)
{
	struct mmi_frame *f =
		mmi_frames_made(t, LOAD_ACQ(&mmi_modules_state), type, node);
	uint32_t typed = node;

	if (LIKELY(f->pc == type) && LIKELY(f->sp == node))
		return f;
	if (type && !(typed = mmi_sites_typed(t, node, type))) {
		t->pub->count.untyped++;
		return frame_of(t, node, 0, why);
	}
	*f = (struct mmi_frame){ .pc = type,
				 .sp = node,
				 .node = typed,
				 .depth = mmi_sites_node(node)->depth,
				 .why = why & 63 };
	return f;
}

/* The node of the cached frame s with interpreted functions; 0: not known. */
static uint32_t
known_node(struct mmi_thread *t, struct mmi_frame *s,
	   const struct mmi_with_runs *known, const struct mmi_origin *o)
{
	if (!known || known->hash != o->hash || !known->node)
		return 0;
	if (UNLIKELY(!s->path))
		mmi_frames_path(t, s);
	return known->node;
}

struct mmi_frame *
mmi_origin_frame_other(struct mmi_thread *t, struct mmi_frame *s,
		       const struct mmi_origin *o)
{
	struct mmi_with_runs *known = runs_of(t, mmi_frames_number(t, s));
	unsigned why = s ? s->why : t->why;
	struct mmi_frame *f;
	uint32_t node = 0;

	if (LOAD_ACQ(&mmi_modules_state) & MMI_MODULES_CLOSING)
		return s;
	if (o->hash) {
		node = known_node(t, s, known, o);
		if (LIKELY(node)) {
			f = &t->made[known->made];
			if (LIKELY(f->pc == o->type) && LIKELY(f->sp == node))
				return f;
		}
		if (UNLIKELY(!node))
			node = with_runs(t, s, o);
		if (UNLIKELY(!node)) {
			chain_with_runs(t, s, o);
			s = NULL;
		}
	}
	if (!node) {
		node = mmi_sites_node_of(t, s);
		if (UNLIKELY(!node) || UNLIKELY(t->shortened))
			return s;
	}
	f = frame_of(t, node, o->type, why);
	if (s && o->hash)
		known->made = (uint32_t)(f - t->made);
	return f;
}
