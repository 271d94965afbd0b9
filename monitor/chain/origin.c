/* SPDX-License-Identifier: MIT */
/* Chains with interpreted functions, and types. */
#include "monitor/chain/origin.h"

#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"

/* A frame of a chain, as it is gone along. */
struct at {
	uint64_t key;
	uintptr_t sp;
	const struct mmi_frame *s; /* NULL: frame i of one that isn't cached */
	unsigned i;
};

/* Set what is known of a->s, or a->i.  False: the chain has ended. */
static bool
at_frame(const struct mmi_thread *t, struct at *a)
{
	unsigned k;

	if (a->s) {
		a->key = a->s->key;
		a->sp = a->s->sp;
		return true;
	}
	if (a->i < t->nfresh) {
		a->key = t->fresh[a->i].key;
		a->sp = t->fresh[a->i].sp;
		return true;
	}
	k = a->i - t->nfresh;
	if (k >= t->nmet)
		return false;
	a->key = mmi_frames_last_key(t, t->nmet - k);
	a->sp = t->last[t->nmet - k].sp;
	return true;
}

/* Go outwards. */
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
 * The chain of s, or the one that is in t->chain, goes there with what is run
 * in it.
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
	nrun = o->fill(o, run);
	if (s)
		t->why = s->why;
	for (; is && n <= t->depth; a = next, is = more) {
		next = a;
		more = at_next(t, &next, s);
		while (k < nrun && run[k].at < a.sp)
			k++;
		if (k < nrun && (!more || run[k].at < next.sp))
			t->chain[n++] = run[k++].key;
		else if (!o->is_its(MMI_KEY_ADDR(a.key)))
			t->chain[n++] = a.key;
	}
	t->nchain = n;
	t->below = 0;
}

static struct mmi_frame *
with_runs(struct mmi_thread *t, struct mmi_frame *s, uint64_t state,
	  const struct mmi_origin *o)
{
	struct mmi_frame *f =
		s ? mmi_frames_made(t, state, o->hash, (uintptr_t)s) : NULL;
	uint32_t node;

	if (LIKELY(f) && LIKELY(f->pc == o->hash && f->sp == (uintptr_t)s))
		return f;
	chain_with_runs(t, s, o);
	if (!f)
		return NULL;
	node = mmi_sites_node_of(t, NULL);
	if (!node || t->shortened || t->nchain > t->depth)
		return NULL;
	*f = (struct mmi_frame){ .pc = o->hash,
				 .sp = (uintptr_t)s,
				 .node = node,
				 .depth = t->nchain,
				 .why = s->why };
	return f;
}

static struct mmi_frame *
with_type(struct mmi_thread *t, struct mmi_frame *s, uint64_t state,
	  uint64_t type)
{
	uint32_t node = mmi_sites_node_of(t, s), typed;
	struct mmi_frame *f;

	if (UNLIKELY(!node) || UNLIKELY(t->shortened))
		return s;
	f = mmi_frames_made(t, state, type, node);
	if (LIKELY(f->pc == type && f->sp == node))
		return f;
	typed = mmi_sites_typed(t, node, type);
	if (!typed) {
		t->pub->count.untyped++;
		return s;
	}
	*f = (struct mmi_frame){ .pc = type,
				 .sp = node,
				 .node = typed,
				 .depth = s ? s->depth : t->nchain,
				 .why = (s ? s->why : t->why) & 63 };
	return f;
}

struct mmi_frame *
mmi_origin_frame(struct mmi_thread *t, struct mmi_frame *s,
		 const struct mmi_origin *o)
{
	uint64_t state = LOAD_ACQ(&mmi_modules_state);

	if (state & MMI_MODULES_CLOSING)
		return s;
	if (o->hash)
		s = with_runs(t, s, state, o);
	if (o->type)
		s = with_type(t, s, state, o->type);
	return s;
}
