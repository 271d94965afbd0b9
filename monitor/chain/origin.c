/* SPDX-License-Identifier: MIT */
/* Chains with interpreted functions, and types. */
#include "monitor/chain/origin.h"

#include "monitor/chain/modules.h"
#include "monitor/chain/sites.h"

/* The chain of s goes to t->chain, with what is run in it. */
static void
chain_with_runs(struct mmi_thread *t, const struct mmi_frame *s,
		const struct mmi_origin *o)
{
	const struct mmi_frame *p;
	unsigned n = 0, k = 0;
	uintptr_t end;

	t->why = s->why;
	t->below = 0;
	for (; s && n <= t->depth; s = p) {
		p = mmi_frames_at(t, s->parent);
		end = p ? p->sp : UINTPTR_MAX;
		while (k < o->n && o->run[k].at < s->sp)
			k++;
		if (k < o->n && o->run[k].at < end)
			t->chain[n++] = o->run[k++].key;
		else if (!o->is_its(s->pc))
			t->chain[n++] = s->key;
	}
	t->nchain = n;
}

static struct mmi_frame *
with_runs(struct mmi_thread *t, struct mmi_frame *s, uint64_t state,
	  const struct mmi_origin *o)
{
	struct mmi_frame *f =
		mmi_frames_made(t, state, o->hash, (uintptr_t)s);
	uint32_t node;

	if (LIKELY(f->pc == o->hash && f->sp == (uintptr_t)s))
		return f;
	chain_with_runs(t, s, o);
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
	if (o->hash && s)
		s = with_runs(t, s, state, o);
	if (o->type)
		s = with_type(t, s, state, o->type);
	return s;
}
