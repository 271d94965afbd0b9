/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of standard containers, in the layout of libstdc++ 12 and libc++ 14. */
#include "reduce/types/links_parts.h"
#include "reduce/base/str.h"
#include "reduce/model/links.h"

#include <string.h>

/* How many frames, from the innermost one, may show which library it is. */
enum { FRAMES = 16 };

bool
links_nodes_libcxx(const struct site *s)
{
	const struct frame *f = s->leaf;
	const char *name;

	if (strstr(s->type, "std::__1::"))
		return true;
	for (unsigned i = 0; f && i < FRAMES; i++, f = f->parent) {
		name = f->func->linkage ? f->func->linkage : f->func->name;
		if (strstr(name, "St3__1") || strstr(name, "std::__1::"))
			return true;
	}
	return false;
}

static bool
links_ends(const char *type, const char *with)
{
	size_t n = strlen(type), k = strlen(with);

	return n > k && strcmp(type + n - k, with) == 0;
}

/* Is it an array of pointers in a standard container? */
static bool
links_is_array(const char *type)
{
	return str_starts(type, "std::") &&
	       (links_ends(type, " block") || links_ends(type, " map") ||
		links_ends(type, " buckets"));
}

/*
 * Bytes of a map's key, whose type name begins at `key'; 0: not known.  A
 * number or pointer counts as 8 bytes: that is right if the value contains a
 * pointer.
 */
static uint64_t
links_key_size(const char *key, bool libcxx)
{
	static const struct {
		const char *name;
		uint64_t size, libcxx;
	} rows[] = {
		{ "std::string", 32, 24 },
		{ "std::__cxx11::basic_string<char", 32, 24 },
		{ "std::basic_string<char", 32, 24 },
		{ "std::string_view", 16, 16 },
		{ "int", 8, 8 },
		{ "unsigned", 8, 8 },
		{ "long", 8, 8 },
		{ "short", 8, 8 },
		{ "char", 8, 8 },
		{ "bool", 8, 8 },
		{ "double", 8, 8 },
		{ "float", 8, 8 },
	};
	const char *end = strpbrk(key, ",<>");

	if (str_starts(key, "const "))
		key += 6;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = strlen(rows[i].name);

		if (str_starts(key, rows[i].name) && strchr(", >*", key[n]))
			return libcxx ? rows[i].libcxx : rows[i].size;
	}
	return end && end > key && end[-1] == '*' ? 8 : 0;
}

/* A kind of node: the places of its links and of its element. */
struct links_kind {
	const char *begins; /* the beginning of its type's name */
	bool guessed;	    /* the name is a guess, and ends in " node" */
	bool libcxx;
	bool pair; /* the element is a key and a value */
	uint64_t element; /* bytes before the element */
	const char *link[4]; /* the names of these bytes, word by word */
};

#define TREE \
	{ \
		"", ".parent", ".left", ".right" \
	}
#define TREE_LIBCXX \
	{ \
		".left", ".right", ".parent", "" \
	}
static const struct links_kind links_kinds[] = {
	{ "std::map<", true, false, true, 32, TREE },
	{ "std::multimap<", true, false, true, 32, TREE },
	{ "std::set<", true, false, false, 32, TREE },
	{ "std::multiset<", true, false, false, 32, TREE },
	{ "std::unordered_map<", true, false, true, 8, { ".next" } },
	{ "std::unordered_multimap<", true, false, true, 8, { ".next" } },
	{ "std::unordered_set<", true, false, false, 8, { ".next" } },
	{ "std::unordered_multiset<", true, false, false, 8, { ".next" } },
	{ "std::list<", true, false, false, 16, { ".next", ".previous" } },
	{ "std::forward_list<", true, false, false, 8, { ".next" } },
	{ "std::map<", true, true, true, 32, TREE_LIBCXX },
	{ "std::multimap<", true, true, true, 32, TREE_LIBCXX },
	{ "std::set<", true, true, false, 32, TREE_LIBCXX },
	{ "std::multiset<", true, true, false, 32, TREE_LIBCXX },
	{ "std::unordered_map<", true, true, true, 16, { ".next", "" } },
	{ "std::unordered_multimap<", true, true, true, 16, { ".next", "" } },
	{ "std::unordered_set<", true, true, false, 16, { ".next", "" } },
	{ "std::unordered_multiset<", true, true, false, 16, { ".next", "" } },
	{ "std::list<", true, true, false, 16, { ".previous", ".next" } },
	{ "std::forward_list<", true, true, false, 8, { ".next" } },
	/* Names from the compiler. */
	{ "std::_Rb_tree_node<std::pair<", false, false, true, 32, TREE },
	{ "std::_Rb_tree_node<", false, false, false, 32, TREE },
	{ "std::__detail::_Hash_node<std::pair<",
	  false,
	  false,
	  true,
	  8,
	  { ".next" } },
	{ "std::__detail::_Hash_node<", false, false, false, 8, { ".next" } },
	{ "std::_List_node<",
	  false,
	  false,
	  false,
	  16,
	  { ".next", ".previous" } },
	{ "std::_Fwd_list_node<", false, false, false, 8, { ".next" } },
	{ "std::__1::__tree_node<std::__1::__value_type<", false, true, true,
	  32, TREE_LIBCXX },
	{ "std::__1::__tree_node<", false, true, false, 32, TREE_LIBCXX },
	{ "std::__1::__hash_node<std::__1::__hash_value_type<",
	  false,
	  true,
	  true,
	  16,
	  { ".next", "" } },
	{ "std::__1::__hash_node<", false, true, false, 16, { ".next", "" } },
	{ "std::__1::__list_node<",
	  false,
	  true,
	  false,
	  16,
	  { ".previous", ".next" } },
	{ "std::__1::__forward_list_node<",
	  false,
	  true,
	  false,
	  8,
	  { ".next" } },
};

static const char *
links_in_node(const struct links_kind *k, const char *type, uint64_t offset)
{
	uint64_t at = offset - k->element, key;

	if (offset < k->element)
		return k->link[offset / 8];
	if (!k->pair)
		return ".value";
	key = links_key_size(type + strlen(k->begins), k->libcxx);
	if (!at || at < key)
		return ".first";
	return key ? ".second" : "";
}

const char *
links_part(const struct site *s, uint64_t offset)
{
	bool guessed = links_ends(s->type, " node");

	if (links_is_array(s->type))
		return "[]";
	if (offset >= LINK_FAR)
		return NULL;
	for (size_t i = 0; i < sizeof(links_kinds) / sizeof(links_kinds[0]);
	     i++) {
		const struct links_kind *k = &links_kinds[i];

		if (k->guessed == guessed && str_starts(s->type, k->begins) &&
		    (!guessed || k->libcxx == links_nodes_libcxx(s)))
			return links_in_node(k, s->type, offset);
	}
	return NULL;
}
