/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of members of blocks. */
#include "reduce/types/links_parts.h"
#include "reduce/base/clean.h"
#include "reduce/base/sort.h"
#include "reduce/base/str.h"
#include "reduce/monout/mon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are shortened. */
#define NAME_LENGTH 512

SORT_BY(links_type_compare, struct members, SORT_TEXT(name) SORT_UP(size))

static void
links_type_add(struct members *to, const struct members *x)
{
	(void)to;
	(void)x;
}

/* make_shared may add up to this many bytes after the object. */
#define SHARED_PADDING 8u

/* The length of the template argument that begins here. */
static size_t
links_argument(const char *from)
{
	size_t n = 0;
	int depth = 0;

	for (; from[n] && (depth || (from[n] != ',' && from[n] != '>')); n++) {
		depth += from[n] == '<' || from[n] == '(';
		depth -= from[n] == '>' || from[n] == ')';
	}
	return n;
}

/*
 * The type T of the object in a block of std::make_shared<T>, in a; or NULL.
 * *head: bytes before the object.
 */
static const char *
links_shared(struct arena *a, const struct site *s, uint64_t *head)
{
	static const char *const begins[] = {
		"std::make_shared<", "std::_Sp_counted_ptr_inplace<",
		"std::__1::__shared_ptr_emplace<"
	};
	const char *t = NULL;
	size_t k;

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]) && !t; i++) {
		k = strlen(begins[i]);
		if (!str_starts(s->type, begins[i]))
			continue;
		t = arena_copy(a, s->type + k, links_argument(s->type + k));
		*head = i == 2 || links_nodes_libcxx(s) ? 24 : 16;
	}
	return t;
}

/* Add the type of a site; w->types must have room for SHARED_PADDING more. */
static void
links_type(struct links_members *w, const struct site *s)
{
	uint64_t head = 0;
	const char *t = links_shared(&w->p->priv->arena, s, &head);

	if (!t) {
		w->types[w->ntypes++] =
			(struct members){ .name = s->type,
					  .size = s->type_size };
		return;
	}
	for (unsigned k = 0; k < SHARED_PADDING; k++)
		if (s->type_size > head + k)
			w->types[w->ntypes++] = (struct members){
				.name = t, .size = s->type_size - head - k
			};
}

void
links_members_find(struct links_members *w)
{
	const struct site *s;

	w->types = heap_array(w->m->nlinks + 1,
			      SHARED_PADDING * sizeof(*w->types));
	for (size_t i = 0; i < w->m->nlinks; i++) {
		const struct mon_link *x = &w->m->links[i];

		s = &w->p->sites[w->p->priv->site_of[x->holder]];
		if (!x->root && s->type && s->type_size &&
		    x->what != MONOUT_LINK_RETAINS)
			links_type(w, s);
	}
	SORT_ONCE(w->types, w->ntypes, links_type_compare, links_type_add);
	for (size_t m = 0; m + 1 < w->m->nmodules; m++)
		members_find(w->types, w->ntypes, &w->p->priv->arena,
			     w->p->priv->symbols, m, NULL);
}

/* Names of library internals say less than the members around them. */
static bool
links_is_plain(const char *name)
{
	return *name && *name != '_' && !strchr(name, '<');
}

/* ".a.b": the members at the offset, the outermost first. */
static const char *
links_path(struct links_members *w, const struct members *t, uint64_t at)
{
	char text[NAME_LENGTH] = "";
	size_t n = 0;
	unsigned depth = 0;

	for (size_t i = 0; i < t->n && n + 2 < sizeof(text); i++) {
		const struct member *m = &t->v[i];

		if (m->depth != depth || at < m->offset ||
		    at - m->offset >= m->size)
			continue;
		depth++;
		if (links_is_plain(m->name))
			n += (size_t)snprintf(text + n, sizeof(text) - n, ".%s",
					      m->name);
	}
	return n ? clean_name(&w->p->priv->arena, text) : "";
}

/* ".a.b" of a type; "" if the type is unknown. */
static const char *
links_in(struct links_members *w, const char *type, uint64_t size, uint64_t at)
{
	const struct members key = { .name = type, .size = size };
	size_t i = SORT_PLACE(k, w->ntypes,
			      links_type_compare(&w->types[k], &key) < 0);

	return i < w->ntypes && !links_type_compare(&w->types[i], &key) &&
			       w->types[i].found
		       ? links_path(w, &w->types[i], at)
		       : "";
}

/* The same for T in a block of std::make_shared<T>, after `head' bytes. */
static const char *
links_in_shared(struct links_members *w, const char *t, uint64_t size,
		uint64_t head, uint64_t at)
{
	const char *text = "";

	if (at < head)
		return text;
	for (unsigned k = 0; k < SHARED_PADDING && !*text; k++)
		if (size > head + k)
			text = links_in(w, t, size - head - k, at - head);
	return text;
}

const char *
links_member(struct links_members *w, const struct site *s, uint64_t offset)
{
	const char *part, *t;
	uint64_t head = 0;

	if (!s->type || !w->types || offset == LINK_UNKNOWN)
		return "";
	part = links_part(s, offset);
	if (part)
		return part;
	if (!s->type_size || s->type[strlen(s->type) - 1] == '*')
		return s->type_size ? "[]" : "";
	if (offset >= LINK_FAR)
		return s->type_size < LINK_FAR ? "[]" : "";
	t = links_shared(&w->p->priv->arena, s, &head);
	if (t)
		return links_in_shared(w, t, s->type_size, head, offset);
	return links_in(w, s->type, s->type_size, offset % s->type_size);
}
