/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes of a parallel job side by side. */
#include "reduce/profile/ranks.h"
#include "reduce/base/sort.h"
#include "reduce/model/stages.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------- files -- */

static void
note_snaps(struct ranks *k, const struct run *r, const struct mon *m)
{
	const struct mon_snapshot *s = m->snapshots;
	size_t n = m->times_known ? m->nsnapshots : 0, i;

	ARRAY_ROOM(k->snaps, k->snap_room, k->nsnaps + n + 1);
	for (i = 0; i < n; i++)
		k->snaps[k->nsnaps++] = (struct ranks_snap){
			r->start + s[i].at,
			TOTALS_LIVE(&s[i]),
			s[i].peak,
		};
}

void
ranks_note(struct ranks *k, const struct run *r, const struct mon *m,
	   const uint32_t *site)
{
	const struct mon_site *s;
	struct account a;
	size_t i;

	ARRAY_ROOM(k->items, k->item_room, k->nitems + m->nsites + 1);
	note_snaps(k, r, m);
	for (i = 0; i < m->nsites; i++) {
		s = &m->sites[i];
		a = counts_of_all(&s->count);
		k->items[k->nitems++] = (struct ranks_item){
			site[i],
			{ [RANK_PEAK] = s->count.peak,
			  [RANK_KEPT] = account_kept(&a),
			  [RANK_BYTES] = a.bytes },
			s->leak ? leak_leaked(m->leaks[s->leak].found.bytes)
				: 0,
		};
	}
	ARRAY_ADD(k->files, k->file_room, k->nfiles,
		  (struct ranks_file){
			  .path = r->path,
			  .job = r->job,
			  .host = r->host,
			  .end = r->end,
			  .rank = r->rank,
			  .known = r->rank_known,
			  .start = r->start,
			  .length = r->length,
			  .peak = r->peak,
			  .items = k->nitems,
			  .snaps = k->nsnaps,
		  });
}

void
ranks_join(struct ranks *k, const struct ranks *x, const uint32_t *site)
{
	size_t items = k->nitems, snaps = k->nsnaps, files = k->nfiles, i;

	ARRAY_ROOM(k->items, k->item_room, items + x->nitems + 1);
	ARRAY_ROOM(k->snaps, k->snap_room, snaps + x->nsnaps + 1);
	ARRAY_ROOM(k->files, k->file_room, files + x->nfiles + 1);
	for (i = 0; i < x->nitems; i++) {
		k->items[items + i] = x->items[i];
		k->items[items + i].site = site[x->items[i].site];
	}
	for (i = 0; i < x->nsnaps; i++)
		k->snaps[snaps + i] = x->snaps[i];
	for (i = 0; i < x->nfiles; i++) {
		k->files[files + i] = x->files[i];
		k->files[files + i].items += items;
		k->files[files + i].snaps += snaps;
	}
	k->nitems += x->nitems;
	k->nsnaps += x->nsnaps;
	k->nfiles += x->nfiles;
}

void
ranks_fini(struct ranks *k)
{
	free(k->files);
	free(k->items);
	free(k->snaps);
	*k = (struct ranks){ 0 };
}

/* ----------------------------------------------------------------- ranks -- */

SORT_BY_POINTER(ranks_by, struct ranks_file,
		SORT_DOWN(known) SORT_TEXT(job) SORT_UP(rank) SORT_TEXT(path)
			SORT_UP(start))

/* Are both files of the same rank? */
static bool
ranks_same(const struct ranks_file *a, const struct ranks_file *b)
{
	return a->known && b->known && a->rank == b->rank &&
	       !strcmp(a->job, b->job);
}

/* Make ranks from the files, in their order; of[] gets each file's rank. */
static void
ranks_fill(struct profile *p, const struct ranks_file **f, size_t n,
	   uint32_t *of)
{
	struct profile_ranks *r = &p->ranks;
	struct rank *x = NULL;
	size_t i;

	r->v = arena_array(&p->priv->arena, n, sizeof(*r->v));
	for (i = 0; i < n; i++) {
		if (!i || !ranks_same(f[i - 1], f[i])) {
			x = &r->v[r->n++];
			*x = (struct rank){ .job = f[i]->job,
					    .host = f[i]->host,
					    .number = f[i]->rank,
					    .known = f[i]->known };
			x->name = x->known
					  ? arena_print(&p->priv->arena, "%llu",
							(unsigned long long)
								x->number)
					  : f[i]->path;
		}
		x->files++;
		x->end = f[i]->end;
		of[i] = (uint32_t)(x - r->v);
	}
}

/* Sort the files by rank. */
static void
ranks_order(struct profile *p, const struct ranks *k,
	    const struct ranks_file **f, uint32_t *of)
{
	size_t i;

	for (i = 0; i < k->nfiles; i++)
		f[i] = &k->files[i];
	SORT(f, k->nfiles, ranks_by);
	ranks_fill(p, f, k->nfiles, of);
}

/* Why the ranks can't be compared; NULL: they can. */
static const char *
ranks_why(const struct profile *p, const struct ranks *k)
{
	if (profile_is_less(p))
		return "the filter keeps only a part of the blocks";
	return k->nfiles ? NULL : "a sum does not record its runs";
}

void
ranks_make(struct profile *p, const struct ranks *k)
{
	const struct ranks_file **f;
	uint32_t *of;

	p->ranks.why = ranks_why(p, k);
	if (p->ranks.why)
		return;
	p->ranks.known = true;
	f = heap_array(k->nfiles + 1, sizeof(*f));
	of = heap_array(k->nfiles + 1, sizeof(*of));
	ranks_order(p, k, f, of);
	ranks_rows(p, k, f, of);
	ranks_hosts(p, k, f, of);
	free((void *)f);
	free(of);
}
