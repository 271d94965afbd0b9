/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The C++ library's own types, named as users know them: a map's nodes, a
 * string's characters.  Works on clean names (names_type_clean()), of libstdc++
 * and libc++.
 */
#include "reduce/base/names.h"
#include "reduce/base/str.h"
#include "reduce/infer/cxx_call.h"

#include <string.h>

static bool
cxx_std_is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/*
 * The name of the template with these arguments, and a word for the part of it.
 */
#define PUT(a, what, ...) cxx_std_put(a, arena_print(a, __VA_ARGS__), what)

static const char *
cxx_std_put(struct arena *a, const char *name, const char *what)
{
	const char *clean = name ? names_type_clean(a, name) : NULL;

	return clean ? arena_print(a, "%s %s", clean, what) : NULL;
}

/* "T*" becomes "T"; other types stay. */
static const char *
pointee(struct arena *a, const char *type)
{
	size_t n = strlen(type);

	return n && type[n - 1] == '*' ? arena_copy(a, type, n - 1) : type;
}

/* ------------------------------------------------------------ containers -- */

/*
 * The type without "const" before it or behind its star; NULL if it has no
 * const.
 */
static const char *
without_const(struct arena *a, const char *type)
{
	size_t n = strlen(type);

	if (n > 7 && cxx_std_is(type + n - 7, "* const"))
		return arena_copy(a, type, n - 6);
	/* A pointer to const isn't constant itself. */
	if (n && type[n - 1] == '*')
		return NULL;
	return names_type_plain(type) == type ? NULL : names_type_plain(type);
}

/*
 * A pair with a constant key is an element of a map, anything else of a set.
 * k, v: the key and the value, or the set's element and NULL.
 */
static int
key_value(struct arena *a, const char *element, const char **k, const char **v)
{
	const char *key;
	struct names_type p;
	bool own;

	*k = element;
	*v = NULL;
	if (names_type_split(a, element, &p))
		return -1;
	/* libc++ has its own pair types. */
	own = cxx_std_is(p.base, "std::__value_type") ||
	      cxx_std_is(p.base, "std::__hash_value_type");
	if (p.n != 2 || (!own && !cxx_std_is(p.base, "std::pair")))
		return 0;
	key = without_const(a, p.arg[0]);
	if (!key && !own)
		return 0;
	*k = key ? key : p.arg[0];
	*v = p.arg[1];
	return 0;
}

static const char *
associative(struct arena *a, const char *prefix, const char *element)
{
	const char *k, *v;

	if (key_value(a, element, &k, &v))
		return NULL;
	return v ? PUT(a, "node", "std::%smap<%s, %s>", prefix, k, v)
		 : PUT(a, "node", "std::%sset<%s>", prefix, k);
}

/* std::_Rb_tree<K, element, key of it, compare, allocator> */
static const char *
tree(struct arena *a, const struct names_type *p, const char *function,
     bool *done)
{
	const char *multi =
		function && strstr(function, "_equal") ? "multi" : "";
	const char *k, *v, *less, *alloc;

	/* Only these functions show whether keys may repeat. */
	*done = *multi || (function && strstr(function, "_unique"));
	if (p->n < 3 || key_value(a, p->arg[1], &k, &v))
		return NULL;
	if (str_starts(p->arg[2], "std::_Identity<"))
		v = NULL, k = p->arg[1];
	/* The allocator is present only if it isn't the default one. */
	less = p->n > 3 ? p->arg[3] : NULL;
	alloc = p->n > 4 ? p->arg[4] : NULL;
	if (!less)
		return v ? PUT(a, "node", "std::%smap<%s, %s>", multi, k, v)
			 : PUT(a, "node", "std::%sset<%s>", multi, k);
	if (!v)
		return PUT(a, "node", "std::%sset<%s, %s%s%s>", multi, k, less,
			   alloc ? ", " : "", alloc ? alloc : "");
	return PUT(a, "node", "std::%smap<%s, %s, %s%s%s>", multi, k, v, less,
		   alloc ? ", " : "", alloc ? alloc : "");
}

/*
 * std::_Hashtable<K, element, allocator, key of it, equal, hash, ..., traits>.
 * The third trait says whether keys are unique.
 */
static const char *
hashtable(struct arena *a, const struct names_type *p, const char *type)
{
	const char *what = strstr(type, "_Hash_node_base") ? "buckets" : "node";
	const char *k, *v, *multi = "", *last;
	struct names_type traits;

	if (p->n < 6 || key_value(a, p->arg[1], &k, &v))
		return NULL;
	last = p->arg[p->n - 1];
	if (names_type_split(a, last, &traits))
		return NULL;
	if (traits.n == 3 && cxx_std_is(traits.arg[2], "false"))
		multi = "multi";
	if (str_starts(p->arg[3], "std::__detail::_Identity"))
		return PUT(a, what, "std::unordered_%sset<%s, %s, %s, %s>",
			   multi, p->arg[1], p->arg[5], p->arg[4], p->arg[2]);
	if (!v)
		return NULL;
	return PUT(a, what, "std::unordered_%smap<%s, %s, %s, %s, %s>", multi,
		   k, v, p->arg[5], p->arg[4], p->arg[2]);
}

/* A deque's blocks of elements, or its array of pointers to them. */
static const char *
deque(struct arena *a, const char *name, const char *element, const char *type)
{
	size_t n = strlen(element);

	if (cxx_std_is(element, type))
		return arena_print(a, "%s block", name);
	if (strncmp(element, type, n) == 0 && cxx_std_is(type + n, "*"))
		return arena_print(a, "%s map", name);
	return NULL;
}

static bool
is_bucket(const char *type)
{
	return str_starts(type, "std::__detail::_Hash_node_base*") ||
	       str_starts(type, "std::__hash_node_base<");
}

static bool
cxx_std_is_node(const char *type)
{
	static const char *const nodes[] = {
		"std::_Rb_tree_node<",	     "std::__detail::_Hash_node<",
		"std::_List_node<",	     "std::_Fwd_list_node<",
		"std::__tree_node<",	     "std::__hash_node<",
		"std::__list_node<",	     "std::__forward_list_node<",
		"std::__forward_begin_node<"
	};

	return STR_PREFIX(type, nodes);
}

/* Is it "std::string" or a similar type? */
static bool
is_string(const char *name)
{
	static const char *const names[] = {
		"std::string",	       "std::wstring",
		"std::u8string",       "std::u16string",
		"std::u32string",      "std::pmr::string",
		"std::pmr::wstring",   "std::pmr::u8string",
		"std::pmr::u16string", "std::pmr::u32string",
	};

	return STR_IS_IN(name, names) || str_starts(name, "std::basic_string<");
}

/* Is it a container with nodes? */
static bool
has_nodes(const char *base)
{
	static const char *const names[] = {
		"map",
		"multimap",
		"set",
		"multiset",
		"unordered_map",
		"unordered_set",
		"unordered_multimap",
		"unordered_multiset",
		"list",
		"forward_list",
	};

	if (str_starts(base, "std::pmr::"))
		base += 10;
	else if (str_starts(base, "std::"))
		base += 5;
	else
		return false;
	return STR_IS_IN(base, names);
}

/* Describe a block by a class that users write. */
static const char *
public_holder(struct arena *a, const char *type, const char *holder,
	      const struct names_type *p, bool *done)
{
	*done = true;
	if (has_nodes(p->base) && (cxx_std_is_node(type) || is_bucket(type)))
		return arena_print(a, "%s %s", holder,
				   is_bucket(type) ? "buckets" : "node");
	if (is_string(holder))
		return arena_print(a, "%s chars", holder);
	if ((cxx_std_is(p->base, "std::deque") ||
	     cxx_std_is(p->base, "std::pmr::deque")) &&
	    p->n)
		return deque(a, holder, p->arg[0], type);
	if (cxx_std_is(p->base, "std::vector") && p->n &&
	    cxx_std_is(p->arg[0], "bool"))
		return arena_print(a, "%s bits", holder);
	if (cxx_std_is(p->base, "std::function") && p->n)
		return arena_print(a, "%s functor", holder);
	*done = cxx_std_is(p->base, "std::vector") ||
		cxx_std_is(p->base, "std::pmr::vector");
	return NULL;
}

const char *
guess_std_holder(struct arena *a, const char *type, const char *holder,
		 const char *function, bool *done)
{
	struct names_type p;

	*done = false;
	if (!str_starts(holder, "std::") || names_type_split(a, holder, &p) ||
	    *p.rest)
		return NULL;
	if (cxx_std_is(p.base, "std::_Rb_tree") && cxx_std_is_node(type))
		return tree(a, &p, function, done);
	if (cxx_std_is(p.base, "std::_Hashtable") &&
	    (cxx_std_is_node(type) || is_bucket(type))) {
		*done = true;
		return hashtable(a, &p, type);
	}
	if (cxx_std_is(p.base, "std::_Bvector_base")) {
		*done = true;
		return arena_copy(a, "std::vector<bool> bits", 22);
	}
	/*
	 * The functor's own functions know only its type; the handler also
	 * knows the std::function.
	 */
	if (cxx_std_is(p.base, "std::_Function_handler") && p.n) {
		*done = true;
		return arena_print(a, "std::function<%s> functor", p.arg[0]);
	}
	return public_holder(a, type, holder, &p, done);
}

/* ----------------------------------------------------------------- types -- */

/* The counts of a std::shared_ptr. */
static const char *
cxx_std_counts_of(struct arena *a, const struct names_type *p)
{
	const char *of = p->n ? pointee(a, p->arg[0]) : NULL;

	return of ? arena_print(a, "std::shared_ptr<%s> counts", of) : NULL;
}

/* An object and its counts in one block. */
static const char *
shared(struct arena *a, const struct names_type *p)
{
	static const char future[] = "std::__future_base::";
	const char *of = p->n ? names_type_plain(p->arg[0]) : "";
	struct names_type state;

	/* The shared state of promises, tasks and futures. */
	if (str_starts(of, future) && names_type_split(a, of, &state) == 0) {
		if (strstr(state.base, "_Task_state") && state.n == 3)
			return arena_print(a, "std::packaged_task<%s> state",
					   state.arg[2]);
		if (state.n == 2)
			return arena_print(a, "std::future<%s> state",
					   state.arg[1]);
		return arena_copy(a, "std::future state", 17);
	}
	return arena_print(a, "std::make_shared<%s>", of);
}

/* Types with another name, independent of the container. */
static const char *
cxx_std_other(struct arena *a, const char *type, const struct names_type *p)
{
	if (cxx_std_is(p->base, "std::_Sp_counted_ptr_inplace") ||
	    cxx_std_is(p->base, "std::__shared_ptr_emplace"))
		return shared(a, p);
	if (cxx_std_is(p->base, "std::_Sp_counted_ptr") ||
	    cxx_std_is(p->base, "std::_Sp_counted_deleter") ||
	    cxx_std_is(p->base, "std::__shared_ptr_pointer"))
		return cxx_std_counts_of(a, p);
	if (cxx_std_is(p->base, "std::thread::_State_impl") ||
	    cxx_std_is(p->base, "std::__thread_struct") ||
	    str_starts(type,
		       "std::tuple<std::unique_ptr<std::__thread_struct>"))
		return arena_copy(a, "std::thread state", 17);
	if (cxx_std_is(p->base, "std::__assoc_state") && p->n)
		return arena_print(a, "std::future<%s> state", p->arg[0]);
	if (str_starts(type, "std::__future_base::_Result<") && p->n)
		return arena_print(a, "std::future<%s> result", p->arg[0]);
	if (cxx_std_is(p->base, "std::__function::__func"))
		return p->n ? arena_print(a, "std::function<%s> functor",
					  p->arg[p->n - 1])
			    : NULL;
	return type;
}

const char *
guess_std_type(struct arena *a, const char *type, bool *open)
{
	struct names_type p;
	const char *name;

	if (names_type_split(a, type, &p))
		return NULL;
	*open = true;
	if (is_bucket(type))
		return arena_copy(a, "std::unordered_map buckets", 26);
	if (cxx_std_is_node(type) && p.n && !*p.rest) {
		if (strstr(p.base, "forward") || strstr(p.base, "_Fwd_"))
			return PUT(a, "node", "std::forward_list<%s>",
				   p.arg[0]);
		if (strstr(p.base, "ist_node"))
			return PUT(a, "node", "std::list<%s>", p.arg[0]);
		return associative(a,
				   strstr(p.base, "ash_") ? "unordered_" : "",
				   p.arg[0]);
	}
	if (!str_starts(type, "std::") || *p.rest)
		return type;
	name = cxx_std_other(a, type, &p);
	*open = name == type;
	return name;
}

/* ------------------------------------------------------------- functions -- */

enum guess_answer
guess_std_function(struct arena *a, const char *function, const char **type)
{
	/* The last ones are classes of the library's exceptions. */
	static const char *const of_strings[] = {
		"std::stringbuf",     "std::stringstream",
		"std::istringstream", "std::ostringstream",
		"std::string::_Rep",  "std::basic_string<char>::_Rep",
		"std::__cow_string",  "std::__libcpp_refstring",
		"std::logic_error",   "std::runtime_error",
	};
	/* Functions that allocate for any caller. */
	static const char *const plain[] = {
		"operator new",
		"__cxa_allocate_exception",
		"__cxa_allocate_dependent_exception",
		"__aligned_malloc_with_fallback",
		"__malloc_with_fallback",
		"__cxxabiv1::__aligned_malloc_with_fallback",
		/*
		 * Functions of libc++ without names, as symbols.h names them.
		 */
		"[libc++.so.",
		"[libc++abi.so.",
	};
	struct names_parts p;
	const char *holder;

	if (STR_PREFIX(function, plain))
		return GUESS_PASS;
	names_split(function, &p);
	function += p.start;
	if (!str_starts(function, "std::"))
		return GUESS_UNKNOWN;
	if (strstr(function, "new_delete_resource") ||
	    strstr(function, "newdel_res"))
		return GUESS_PASS;
	holder = arena_copy(a, function, p.scope - p.start);
	holder = holder ? names_type_clean(a, holder) : NULL;
	if (!holder)
		return GUESS_UNKNOWN;
	if (is_string(holder))
		*type = arena_print(a, "%s chars", holder);
	else if (STR_IS_IN(holder, of_strings))
		*type = arena_print(a, "std::string chars");
	else if (cxx_std_is(holder, "std::wstringbuf"))
		*type = arena_print(a, "std::wstring chars");
	else if (str_starts(holder, "std::__thread_struct"))
		*type = arena_print(a, "std::thread state");
	else if (cxx_std_is(holder, "std::filebuf"))
		*type = arena_print(a, "std::filebuf chars");
	else if (str_starts(holder, "std::pmr::") &&
		 strstr(holder, "_resource"))
		*type = arena_print(a, "%s chunk", holder);
	else
		return GUESS_UNKNOWN;
	return *type ? GUESS_FOUND : GUESS_UNKNOWN;
}
