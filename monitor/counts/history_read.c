/* SPDX-License-Identifier: MIT */
/* What cells had counted at snapshots: notes are read. */
#include <limits.h>

#include "monitor/counts/history_notes.h"

/* The position in the notes of a cell. */
struct reader {
	const struct mmi_piece *p;
	uint32_t left, at; /* bytes: left in all; position in p */
};

static uint64_t
get_signed(struct reader *r)
{
	uint64_t v = 0;
	uint8_t b = 0x80;

	for (unsigned shift = 0; shift < 64 && b & 0x80; shift += 7) {
		if (!r->left || !r->p)
			return 0;
		if (r->at == MMI_PIECE) {
			r->at = 0;
			r->p = mmi_history_piece(LOAD(&r->p->next));
			if (!r->p)
				return 0;
		}
		b = r->p->byte[r->at++];
		r->left--;
		v |= (uint64_t)(b & 0x7f) << shift;
	}
	return v >> 1 ^ -(v & 1);
}

void
mmi_history_add(struct mmi_notes *to, struct mmi_note n,
		uint64_t (*place)(uint64_t number))
{
	n.snapshot = place(n.snapshot);
	if (to->n && (to->note[to->n - 1].snapshot >= n.snapshot ||
		      to->n == MMI_SNAPSHOTS + 2))
		n.snapshot = to->note[--to->n].snapshot;
	to->note[to->n++] = n;
}

unsigned
mmi_history_read(struct mmi_notes *to, const struct mmi_head *h, bool any,
		 uint64_t (*place)(uint64_t number))
{
	uint32_t packs = LOAD_ACQ(&h->packs);
	uint64_t word = LOAD_ACQ(&h->word);
	struct reader r = { .left = (uint32_t)word };
	struct mmi_note n = { 0 };
	unsigned count = 0;

	if (!word)
		return 0;
	r.p = mmi_history_piece((uint32_t)(word >> 32));
	while (r.left && r.p) {
		n.snapshot += get_signed(&r);
		n.allocs += get_signed(&r);
		n.frees += get_signed(&r);
		if (any) {
			n.bytes += get_signed(&r);
			n.freed += get_signed(&r);
		}
		mmi_history_add(to, n, place);
		count++;
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return LOAD(&h->packs) == packs ? count : UINT_MAX;
}
