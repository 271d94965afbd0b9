/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses, types and waste of blocks, stage by stage. */
#include "reduce/profile/block_stages.h"
#include "reduce/model/warn.h"
#include "reduce/profile/bins.h"
#include "reduce/profile/itemize.h"
#include "reduce/profile/instrumented.h"
#include "reduce/types/fields.h"
#include "reduce/types/typerows.h"
#include "reduce/types/waste.h"

#include <stdlib.h>

void
block_stages_init(struct block_stages *b, struct profile *p,
		  const struct mon *m, const struct exe *x,
		  const struct profile_options *o)
{
	*b = (struct block_stages){ .p = p, .mon = m, .exe = x, .options = o };
	/* Types don't depend on which frames are shown. */
	b->wrappers.globs = o->wrappers;
	b->wrappers.nglobs = o->nwrappers;
}

void
block_stages_fini(struct block_stages *b)
{
	sitetypes_fini(&b->types);
	shares_fini(&b->shares);
	free(b->uses);
	free(b->groups);
	free(b->first);
}

/* Set *few: types of so few sites can be derived from the code quickly. */
static void
block_stages_few(const struct block_stages *b, bool *few)
{
	size_t n = b->mon->nsites, most = b->options->guess_most;

	*few = !most || n <= most;
	if (*few || b->options->no_guess)
		return;
	profile_warn(b->p, NULL,
		     "types are not derived from the code, because that "
		     "takes long for %zu call paths; -T does it",
		     n);
}

void
block_stages_types(struct block_stages *b)
{
	bool few;
	struct sitetypes_from from = {
		.mon = b->mon,
		.exe = b->exe,
		.symbols = b->p->priv->symbols,
		.wrappers = &b->wrappers,
		.shares = &b->shares,
		.no_guess = b->options->no_guess,
	};

	if (b->types.of_site)
		return;
	if (!b->shares.first)
		shares_make(&b->shares, b->mon, b->p);
	block_stages_few(b, &few);
	from.no_guess |= !few;
	sitetypes_find(&b->types, &b->p->priv->arena, &from);
}

/*
 * Read the types that may fit blocks without a sure type: of these blocks'
 * sizes; of all sizes in the profile if some are known only by class.
 */
static void
block_stages_index(struct block_stages *b, const bool **typed)
{
	const struct profile *p = b->p;
	const struct shares *s = &b->shares;
	uint64_t *sizes = heap_array(p->nbins + s->n + 1, sizeof(*sizes));
	bool any = !b->mon->cells_known;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		any |= s->v[i].any;
		if (!s->v[i].any &&
		    b->types.confidence[s->v[i].site] > PROFILE_PROGRAM)
			sizes[n++] = s->v[i].size;
	}
	for (i = 0; i < p->nbins && any; i++)
		sizes[n++] = p->bins[i].size;
	bins_index(b->p, b->mon, b->used, b->exe->paths, sizes, n, typed);
	free(sizes);
}

/* Join types and blocks. */
static void
block_stages_join(struct block_stages *b)
{
	bool guess = !b->options->no_types;
	struct typerows r = {
		b->p, b->mon, b->exe, &b->types, &b->shares, NULL
	};

	/* A filter may have left out some blocks. */
	shares_fini(&b->shares);
	shares_make(&b->shares, b->mon, b->p);
	block_stages_types(b);
	if (guess)
		block_stages_index(b, &r.typed);
	typerows_join(&r);
	typerows_make(&r, b->uses);
	bins_types(b->p, b->mon, &b->types, &b->shares);
	if (guess)
		bins_guess(b->p, b->mon, &b->types, &b->shares);
}

void
block_stages_make(struct block_stages *b, const bool *used)
{
	const struct profile_options *o = b->options;
	const struct itemize_from from = { b->mon, &b->shares, &b->types,
					   o->no_types && o->no_guess };

	b->used = used;
	use_of_sites(b->mon, &b->uses, &b->groups, &b->first);
	instrumented_uses(b->p, b->mon, b->exe, b->uses);
	use_make(b->p, b->mon, b->uses, b->first);
	block_stages_join(b);
	if (o->items)
		itemize_make(b->p, &from);
	if (o->fields)
		fields_make(b->p, b->mon, b->uses, &b->types, b->exe);
	if (o->waste)
		waste_make(b->p, b->mon, &b->types, b->exe, used);
}
