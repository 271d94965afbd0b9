/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members of types, from DWARF. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/types/members.h"
#include "reduce/base/guard.h"
#include "reduce/base/hash.h"
#include "reduce/base/sort.h"
#include "reduce/base/clean.h"
#include "reduce/binaries/debugfile.h"
#include "reduce/dwarf/dies.h"
#include "reduce/types/holes.h"
#include "reduce/types/typenames.h"
#include "reduce/types/types_walk.h"

/* The members of one type while they are read. */
struct list {
	struct arena *arena;
	struct member *v;
	size_t n, room;
	unsigned left; /* entries that may still be looked at */
};

/* Reading a type stops after this many entries. */
#define ENTRIES (16 * MEMBERS_MOST)

struct search {
	struct members **by_size; /* types to find */
	const char **clean;	  /* for each type: its typenames_clean(); NULL:
				   * not made yet */
	size_t n;
	struct arena *arena, scratch;
	struct symbols_pool pool;
	/* Names and sizes that are no wanted type's.  The key is the name's
	 * address, because most names come again with each unit. */
	struct hash missed;
	/* Where to look for the types. */
	struct symbols *symbols;
	size_t module;
	struct progress *progress;
};

/* ----------------------------------------------------------- one member -- */

/* The name; "" unnamed; the type of a base class. */
static const char *
members_name_of(Dwarf_Die *die, const char *type)
{
	const char *name = dwarf_diename(die);

	if (dwarf_tag(die) == DW_TAG_inheritance)
		return type;
	return name ? name : "";
}

/* Append the member.  *type gets its type. */
static void
members_append(struct list *l, Dwarf_Die *die, uint64_t base, unsigned depth,
	       Dwarf_Die *type)
{
	struct member *m;
	const char *text;
	uint64_t offset, size;

	if (!dies_member(die, type, &offset, &size) || l->n >= MEMBERS_MOST) {
		memset(type, 0, sizeof(*type));
		return;
	}
	ARRAY_ROOM(l->v, l->room, l->n + 1);
	m = l->v;
	m += l->n;
	text = dies_type_text(l->arena, type);
	*m = (struct member){
		.offset = base + offset,
		.size = size,
		.depth = depth,
		.type = clean_name(l->arena, text),
	};
	m->name = clean_name(l->arena, members_name_of(die, m->type));
	l->n++;
}

/* Append all members, at any depth, of a type that starts at `base'. */
static void
members_walk(struct list *l, const Dwarf_Die *type, uint64_t base,
	     unsigned depth)
{
	struct dies_child c;
	Dwarf_Die its;
	size_t n;
	bool more;

	if (depth >= MEMBERS_DEPTH)
		return;
	for (more = dies_child(&c, type, &l->left); more && l->n < MEMBERS_MOST;
	     more = dies_next(&c)) {
		n = l->n;
		if (!dies_is_part(&c.die))
			continue;
		members_append(l, &c.die, base, depth, &its);
		if (l->n == n)
			continue;
		dies_peel(&its);
		if (dies_is_class(&its))
			members_walk(l, &its, l->v[n].offset, depth + 1);
	}
}

/* --------------------------------------------------------------- search -- */

SORT_BY_POINTER(compare_size, struct members, SORT_UP(size))

/* The index of the first type of this size or more; n: none. */
static size_t
find_size(const struct search *s, uint64_t size)
{
	return SORT_PLACE(i, s->n, s->by_size[i]->size < size);
}

static void
members_take(struct members *to, struct arena *a, const Dwarf_Die *type)
{
	struct list l = { .arena = a, .left = ENTRIES };

	to->found = true;
	if (to->holes) {
		holes_find(to->holes, a, type);
		return;
	}
	members_walk(&l, type, 0, 0);
	if (l.n) {
		to->v = arena_array(a, l.n, sizeof(*to->v));
		memcpy(to->v, l.v, l.n * sizeof(*to->v));
	}
	to->n = l.n;
	free(l.v);
}

/* Is there a type of this size that isn't found yet? */
static bool
members_is_wanted(uint64_t size, void *arg)
{
	const struct search *s = arg;
	size_t i;

	for (i = find_size(s, size); i < s->n; i++) {
		if (s->by_size[i]->size != size)
			return false;
		if (!s->by_size[i]->found)
			return true;
	}
	return false;
}

/*
 * Is this the name of wanted type i?  typenames_each() compares in the same
 * way.  *clean: typenames_clean() of the name, or NULL.
 */
static bool
members_is_same(struct search *s, size_t i, const char *name,
		const char **clean)
{
	const char *wanted = s->by_size[i]->name;

	if (typenames_same(wanted, name))
		return true;
	if (!strchr(wanted, '<'))
		return false;
	if (!*clean)
		*clean = typenames_clean(&s->scratch, name);
	if (!s->clean[i])
		s->clean[i] = typenames_clean(&s->scratch, wanted);
	return **clean && !strcmp(*clean, s->clean[i]);
}

static int
found_type(const struct types_found *found, void *arg)
{
	struct search *s = arg;
	struct members *x;
	uint64_t name = (uintptr_t)found->name;
	const char *clean = NULL;
	Dwarf_Die type;
	bool same = false;
	size_t i;

	if (!found->die ||
	    hash_find(&s->missed, name, found->size, 0) != HASH_NONE)
		return 0;
	for (i = find_size(s, found->size); i < s->n; i++) {
		x = s->by_size[i];
		if (x->size != found->size)
			break;
		if (x->found || !members_is_same(s, i, found->name, &clean))
			continue;
		same = true;
		type = *found->die;
		dies_peel(&type);
		members_take(x, s->arena, &type);
	}
	if (!same)
		hash_intern(&s->missed, name, found->size, 0, 0);
	return 0;
}

static int
search_file(void *arg)
{
	struct search *s = arg;
	struct types_visit visit = { .wants = members_is_wanted,
				     .add = found_type,
				     .arg = s,
				     .progress = s->progress };
	const struct debugfile *f = symbols_file(s->symbols, s->module);

	progress_start(s->progress, "looking for members of types in",
		       symbols_path(s->symbols, s->module));
	return f && f->dwarf ? types_walk(f->dwarf, &s->pool, &visit) : 0;
}

void
members_find(struct members *types, size_t n, struct arena *a,
	     struct symbols *symbols, size_t module, struct progress *progress)
{
	struct search s = {
		.arena = a,
		.symbols = symbols,
		.module = module,
		.progress = progress,
	};
	size_t i;

	s.by_size = heap_array(n + 1, sizeof(struct members *));
	s.clean = heap_array(n + 1, sizeof(const char *));
	for (i = 0; i < n; i++) {
		if (!types[i].found && types[i].size &&
		    (!types[i].module || types[i].module == module + 1))
			s.by_size[s.n++] = &types[i];
	}
	SORT(s.by_size, s.n, compare_size);
	/* The types of a file that can't be read get no members. */
	if (s.n && guard_run(symbols_path(symbols, module), search_file, &s) ==
			   GUARD_FAULT)
		symbols_give_up(symbols, module);
	symbols_pool_fini(&s.pool);
	hash_fini(&s.missed);
	arena_fini(&s.scratch);
	free(s.by_size);
	free(s.clean);
}

void
members_find_each(struct members *types, size_t n, struct arena *a,
		  struct symbols *symbols, size_t nmodules,
		  struct progress *progress)
{
	bool *met = heap_array(nmodules + 1, sizeof(*met));
	size_t i;

	for (i = 0; i < n; i++) {
		if (!types[i].found && types[i].size &&
		    types[i].module < nmodules)
			met[types[i].module] = true;
	}
	for (i = 1; i < nmodules; i++) {
		if (met[i])
			members_find(types, n, a, symbols, i - 1, progress);
	}
	free(met);
}
