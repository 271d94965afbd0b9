/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses, types and waste of blocks, stage by stage. */
#include "reduce/blocks.h"
#include "reduce/bins.h"
#include "reduce/fields.h"
#include "reduce/seen.h"
#include "reduce/typerows.h"
#include "reduce/waste.h"

#include <stdlib.h>

void
blocks_init(struct blocks *b, struct profile *p, const struct mon *m,
	    const struct exe *x, const struct profile_options *o)
{
	*b = (struct blocks){ .p = p, .mon = m, .exe = x, .options = o };
	/* Whatever is to be shown of chains, types are the same. */
	b->wrappers.globs = o->wrappers;
	b->wrappers.nglobs = o->nwrappers;
}

void
blocks_fini(struct blocks *b)
{
	sitetypes_fini(&b->types);
	shares_fini(&b->shares);
	free(b->uses);
}

int
blocks_types(struct blocks *b)
{
	struct sitetypes_from from = {
		.mon = b->mon,
		.exe = b->exe,
		.symbols = b->p->priv->symbols,
		.wrappers = &b->wrappers,
		.shares = &b->shares,
		.no_guess = b->options->no_guess,
	};

	if (b->types.of_site)
		return 0;
	if (!b->shares.first && shares_make(&b->shares, b->mon, b->p))
		return -1;
	return sitetypes_find(&b->types, &b->p->priv->arena, &from);
}

/* Types and blocks together. */
static int
blocks_join(struct blocks *b)
{
	bool guess = !b->options->no_types;
	struct typerows r = {
		b->p, b->mon, b->exe, &b->types, &b->shares, NULL
	};

	if (guess && bins_index(b->p, b->mon, b->used, b->exe->paths, &r.typed))
		return -1;
	/* A filter may have left less than there was. */
	shares_fini(&b->shares);
	if (shares_make(&b->shares, b->mon, b->p) || blocks_types(b) ||
	    typerows_join(&r) || typerows_make(&r, b->uses) ||
	    bins_types(b->p, b->mon, &b->types, &b->shares))
		return -1;
	return guess ? bins_guess(b->p) : 0;
}

int
blocks_make(struct blocks *b, const bool *used)
{
	const struct profile_options *o = b->options;
	int status;

	b->used = used;
	status = use_of_sites(b->mon, &b->uses);
	if (!status)
		status = seen_only(b->p, b->mon, b->exe, b->uses);
	if (!status)
		status = use_make(b->p, b->mon, b->uses);
	if (!status)
		status = blocks_join(b);
	if (!status && o->fields)
		status = fields_make(b->p, b->mon, &b->types, b->exe);
	if (!status && o->waste)
		status = waste_make(b->p, b->mon, &b->types, b->exe, used);
	return status;
}
