/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of members of blocks. */
#include "reduce/types/links_members.h"
#include "reduce/base/clean.h"
#include "reduce/base/sort.h"
#include "reduce/file/mon.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are cut. */
#define NAME_LENGTH 512

SORT_BY(links_type_compare, struct members, SORT_TEXT(name) SORT_UP(size))

static void
links_type_add(struct members *to, const struct members *x)
{
	(void)to;
	(void)x;
}

/* What std::make_shared puts before the object, and may put behind it. */
#define SHARED_HEAD 16u
#define SHARED_PADDING 8u

/* The object in a block of std::make_shared<T>: T, to live on; or NULL. */
static const char *
links_shared(struct arena *a, const char *type, bool *failed)
{
	static const char begins[] = "std::make_shared<";
	size_t n = strlen(type), k = sizeof(begins) - 1;
	const char *t;

	if (n <= k + 1 || strncmp(type, begins, k) != 0 || type[n - 1] != '>')
		return NULL;
	t = arena_copy(a, type + k, n - k - 1);
	*failed |= !t;
	return t;
}

/* Add the type of a site; w->types has room for SHARED_PADDING more. */
static int
links_type(struct links_members *w, const struct site *s)
{
	bool failed = false;
	const char *t = links_shared(&w->p->priv->arena, s->type, &failed);

	if (!t) {
		w->types[w->ntypes++] =
			(struct members){ .name = s->type,
					  .size = s->type_size };
		return failed ? -1 : 0;
	}
	for (unsigned k = 0; k < SHARED_PADDING; k++)
		if (s->type_size > SHARED_HEAD + k)
			w->types[w->ntypes++] =
				(struct members){ .name = t,
						  .size = s->type_size -
							  SHARED_HEAD - k };
	return 0;
}

int
links_members_find(struct links_members *w)
{
	const struct site *s;

	w->types = calloc(w->m->nlinks + 1, SHARED_PADDING * sizeof(*w->types));
	if (!w->types)
		return -1;
	for (size_t i = 0; i < w->m->nlinks; i++) {
		const struct mon_link *x = &w->m->links[i];

		s = &w->p->sites[w->p->priv->site_of[x->holder]];
		if (!x->root && s->type && s->type_size &&
		    x->what != MONOUT_LINK_RETAINS && links_type(w, s))
			return -1;
	}
	SORT_ONCE(w->types, w->ntypes, links_type_compare, links_type_add);
	for (size_t m = 0; m + 1 < w->m->nmodules; m++)
		if (members_find(w->types, w->ntypes, &w->p->priv->arena,
				 w->p->priv->symbols, m, NULL))
			return -1;
	return 0;
}

/* Names of libraries' own that tell less than what they are for. */
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

static bool
links_ends(const char *type, size_t n, const char *with)
{
	size_t k = strlen(with);

	return n > k && strcmp(type + n - k, with) == 0;
}

/* Is it an array of pointers that a standard container keeps? */
static bool
links_is_array(const char *type)
{
	size_t n = strlen(type);

	return strncmp(type, "std::", 5) == 0 &&
	       (links_ends(type, n, " block") || links_ends(type, n, " map") ||
		links_ends(type, n, " buckets"));
}

/*
 * Name a pointer in a node of a standard container: a link to another node, or
 * a part of the element.  The element begins at `element', first its key, then
 * its value.  NULL: the type is no such node.
 */
static const char *
links_node(const char *type, uint64_t offset)
{
	static const struct {
		const char *begins;
		uint64_t element;
		bool pair;
		const char *link[4]; /* word by word */
	} rows[] = {
		{ "std::map<", 32, true, { "", ".parent", ".left", ".right" } },
		{ "std::multimap<",
		  32,
		  true,
		  { "", ".parent", ".left", ".right" } },
		{ "std::set<",
		  32,
		  false,
		  { "", ".parent", ".left", ".right" } },
		{ "std::multiset<",
		  32,
		  false,
		  { "", ".parent", ".left", ".right" } },
		{ "std::unordered_map<", 8, true, { ".next" } },
		{ "std::unordered_multimap<", 8, true, { ".next" } },
		{ "std::unordered_set<", 8, false, { ".next" } },
		{ "std::unordered_multiset<", 8, false, { ".next" } },
		{ "std::list<", 16, false, { ".next", ".previous" } },
		{ "std::forward_list<", 8, false, { ".next" } },
	};
	size_t n = strlen(type);

	if (!links_ends(type, n, " node"))
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strncmp(type, rows[i].begins, strlen(rows[i].begins)) != 0)
			continue;
		if (offset < rows[i].element)
			return rows[i].link[offset / 8]
				       ? rows[i].link[offset / 8]
				       : "";
		if (!rows[i].pair)
			return ".value";
		return offset == rows[i].element ? ".first" : ".second";
	}
	return NULL;
}

/* ".a.b" of a type; "" if the type is unknown; NULL: out of memory. */
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

/* The same for T in a block of std::make_shared<T>. */
static const char *
links_in_shared(struct links_members *w, const char *t, uint64_t size,
		uint64_t at)
{
	const char *text = "";

	if (at < SHARED_HEAD)
		return text;
	for (unsigned k = 0; k < SHARED_PADDING && text && !*text; k++)
		if (size > SHARED_HEAD + k)
			text = links_in(w, t, size - SHARED_HEAD - k,
					at - SHARED_HEAD);
	return text;
}

const char *
links_member(struct links_members *w, const struct site *s, uint64_t offset)
{
	const char *node, *t;
	bool failed = false;

	if (!s->type || !w->types || offset == LINK_UNKNOWN)
		return "";
	if (links_is_array(s->type))
		return "[]";
	node = offset < LINK_FAR ? links_node(s->type, offset) : NULL;
	if (node)
		return node;
	if (!s->type_size || s->type[strlen(s->type) - 1] == '*')
		return s->type_size ? "[]" : "";
	if (offset >= LINK_FAR)
		return s->type_size < LINK_FAR ? "[]" : "";
	t = links_shared(&w->p->priv->arena, s->type, &failed);
	if (failed)
		return NULL;
	if (t)
		return links_in_shared(w, t, s->type_size, offset);
	return links_in(w, s->type, s->type_size, offset % s->type_size);
}
