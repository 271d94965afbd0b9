/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation wrappers: the list, and functions that match names with it. */
#include "reduce/symbols/wrappers.h"
#include "reduce/base/names.h"
#include "reduce/base/str.h"
#include "reduce/symbols/symbols_name.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/*
 * The built-in list.  A function is in the list if it always allocates exactly
 * what its caller asked for.  Members of containers (vector::push_back) aren't
 * in it, because they decide how much to allocate.
 */
static const char *const wrappers_any[] = {
	/* The C functions, and their names in other tools and libraries. */
	"malloc", "calloc", "realloc", "reallocarray", "memalign",
	"aligned_alloc", "posix_memalign", "valloc", "pvalloc", "__libc_malloc",
	"__libc_calloc", "__libc_realloc", "__libc_memalign",
	"__libc_reallocarray", "__libc_valloc", "__libc_pvalloc",
	"__interceptor_*", "__wrap_malloc", "__wrap_calloc", "__wrap_realloc",
	"strdup", "strndup", "__strdup", "__strndup", "wcsdup", "__wcsdup",
	"asprintf", "vasprintf", "__asprintf", "__vasprintf", "__asprintf_chk",
	"__vasprintf_chk", "__vasprintf_internal",
	/* "malloc or exit" functions of many programs. */
	/* Only letters and digits: xml_node_alloc isn't such a function. */
	"xalloc", "x[a-z0-9]alloc", "x[a-z0-9][a-z0-9]alloc",
	"x[a-z0-9][a-z0-9][a-z0-9]alloc",
	"x[a-z0-9][a-z0-9][a-z0-9][a-z0-9]alloc",
	"x[a-z0-9][a-z0-9][a-z0-9][a-z0-9][a-z0-9]alloc", "xreallocarray",
	"xmemalign", "xireallocarray", "xstrdup", "xstrndup", "xmemdup",
	"xmemdup0", "ximemdup", "xasprintf", "xvasprintf", "emalloc", "ecalloc",
	"erealloc", "estrdup", "estrndup", "safe_malloc", "safe_calloc",
	"safe_realloc", "safe_strdup", "safemalloc", "safecalloc",
	"saferealloc", "ck_malloc", "ck_calloc", "ck_realloc", "ck_strdup",
	"checked_malloc", "checked_calloc", "checked_realloc", "malloc_or_die",
	"calloc_or_die", "realloc_or_die", "zmalloc", "zcalloc", "zrealloc",
	"zstrdup", "ztrymalloc", "ztrycalloc", "ztryrealloc",
	/* GLib. */
	"g_malloc", "g_malloc0", "g_malloc_n", "g_malloc0_n", "g_realloc",
	"g_realloc_n", "g_try_malloc", "g_try_malloc0", "g_try_malloc_n",
	"g_try_malloc0_n", "g_try_realloc", "g_try_realloc_n", "g_slice_alloc",
	"g_slice_alloc0", "g_slice_copy", "g_aligned_alloc", "g_aligned_alloc0",
	"g_strdup", "g_strdup_printf", "g_strdup_vprintf", "g_strndup",
	"g_memdup", "g_memdup2",
	/* Python, SQLite, OpenSSL, libxml2, FFmpeg. */
	"PyMem_Malloc", "PyMem_Calloc", "PyMem_Realloc", "PyMem_RawMalloc",
	"PyMem_RawCalloc", "PyMem_RawRealloc", "PyObject_Malloc",
	"PyObject_Calloc", "PyObject_Realloc", "_PyMem_RawMalloc",
	"_PyMem_RawCalloc", "_PyMem_RawRealloc", "_PyMem_DebugMalloc",
	"_PyMem_DebugCalloc", "_PyMem_DebugRealloc", "_PyObject_Malloc",
	"_PyObject_Calloc", "_PyObject_Realloc", "_PyMem_Strdup",
	"_PyMem_RawStrdup", "_PyMem_RawWcsdup", "sqlite3MemMalloc",
	"sqlite3MemRealloc", "sqlite3Malloc", "sqlite3MallocZero",
	"sqlite3Realloc", "sqlite3DbMallocRaw", "sqlite3DbMallocRawNN",
	"sqlite3DbMallocZero", "sqlite3DbRealloc", "sqlite3DbReallocOrFree",
	"sqlite3_malloc", "sqlite3_malloc64", "sqlite3_realloc",
	"sqlite3_realloc64", "mallocWithAlarm", "CRYPTO_malloc",
	"CRYPTO_zalloc", "CRYPTO_realloc", "CRYPTO_strdup", "CRYPTO_memdup",
	"xmlMemMalloc", "xmlMemStrdupLoc", "xmlStrdup", "xmlStrndup",
	"av_malloc", "av_mallocz", "av_calloc", "av_realloc", "av_strdup",
	/* Perl, gcc. */
	"Perl_safesys[a-z]*alloc", "Perl_savepv", "Perl_savepvn",
	"ggc_internal_alloc", "ggc_internal_cleared_alloc", "ggc_realloc",
	/* operator new and new[], aligned and nothrow ones, and those of
	 * classes. */
	"operator new", "operator new\\[\\]", "*::operator new",
	"*::operator new\\[\\]",
	/* The allocators of libstdc++, and functions that only call them. */
	"std::__new_allocator<*>::allocate",
	"__gnu_cxx::new_allocator<*>::allocate",
	"__gnu_cxx::malloc_allocator<*>::allocate",
	"__gnu_cxx::__alloc_traits<*>::allocate", "std::allocator<*>::allocate",
	"std::allocator_traits<*>::allocate", "std::__allocate_guarded<*>",
	"std::__allocate_guarded_obj<*>",
	/* Memory and nodes for containers, at their members' request. */
	"std::_Vector_base<*>::_M_allocate",
	"std::_Vector_base<*>::_M_create_storage",
	"std::_Vector_base<*>::_Vector_base",
	"std::_Bvector_base<*>::_M_allocate",
	"std::_Deque_base<*>::_M_allocate_*",
	"std::_Deque_base<*>::_M_create_nodes",
	"std::_Deque_base<*>::_M_initialize_map",
	"std::_Deque_base<*>::_Deque_base", "std::_Rb_tree<*>::_M_get_node",
	"std::_Rb_tree<*>::_M_create_node<*>",
	"std::_Rb_tree<*>::_M_create_node",
	"std::_Rb_tree<*>::_M_clone_node<*>",
	"std::_Rb_tree<*>::_Auto_node::_Auto_node<*>",
	"std::_Rb_tree<*>::_Reuse_or_alloc_node::operator()<*>",
	"std::_Rb_tree<*>::_Alloc_node::operator()<*>",
	"std::__cxx11::_List_base<*>::_M_get_node",
	"std::_List_base<*>::_M_get_node",
	"std::__cxx11::list<*>::_M_create_node<*>",
	"std::list<*>::_M_create_node<*>",
	"std::_Fwd_list_base<*>::_M_get_node",
	"std::_Fwd_list_base<*>::_M_create_node<*>",
	"std::__detail::_Hashtable_alloc<*>::_M_allocate_*",
	"std::_Hashtable<*>::_M_allocate_buckets",
	"std::_Hashtable<*>::_Scoped_node::_Scoped_node<*>",
	"std::__cxx11::basic_string<*>::_M_create", "std::string::_M_create",
	"std::__cxx11::basic_string<*>::_S_allocate",
	"std::basic_string<*>::_Rep::_S_create",
	/* One object that the caller asks for. */
	"std::make_unique<*>", "std::make_shared<*>", "std::allocate_shared<*>",
	"std::shared_ptr<*>::shared_ptr<*>",
	"std::__shared_ptr<*>::__shared_ptr<*>",
	"std::__shared_count<*>::__shared_count<*>",
	/* libc++. */
	"std::__1::__libcpp_allocate*", "std::__1::__libcpp_operator_new*",
	"std::__1::__allocate_at_least*", "std::__1::allocator<*>::allocate*",
	"std::__1::allocator_traits<*>::allocate*",
	/* Rust. */
	"__rust_alloc", "__rust_alloc_zeroed", "__rust_realloc", "__rdl_alloc",
	"__rdl_alloc_zeroed", "__rdl_realloc", "__rg_alloc",
	"__rg_alloc_zeroed", "__rg_realloc", "alloc::alloc::alloc",
	"alloc::alloc::alloc_zeroed", "alloc::alloc::realloc",
	"alloc::alloc::exchange_malloc", "alloc::alloc::Global::*",
	"<alloc::alloc::Global as *",
	/* Ada. */
	"__gnat_malloc", "__gnat_realloc"
};

/* Wrappers in the C library; in a program these names may mean anything. */
static const char *const wrappers_libc[] = {
	/* They allocate their result. */
	"getline",
	"getdelim",
	"__getline",
	"__getdelim",
	"_IO_getdelim",
	"_IO_getline",
	"realpath",
	"__realpath",
	"canonicalize_file_name",
	"open_memstream",
	"__open_memstream",
	"getcwd",
	"__getcwd",
	"get_current_dir_name",
	"_IO_vasprintf",
	"tempnam"
};

/* The demangled form of a name, to be freed; NULL: it isn't mangled. */
static char *
wrappers_demangle(const char *name)
{
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return NULL;
	return symbols_demangle(name);
}

static bool
wrappers_builtin(const char *name, bool libc)
{
	size_t i;

	for (i = 0; i < STR_COUNT(wrappers_any); i++) {
		if (fnmatch(wrappers_any[i], name, 0) == 0)
			return true;
	}
	return libc && STR_IS_IN(name, wrappers_libc);
}

static bool
wrappers_user(const struct wrappers *w, const char *name)
{
	size_t i;

	for (i = 0; i < w->nglobs; i++) {
		if (fnmatch(w->globs[i], name, 0) == 0)
			return true;
	}
	return false;
}

bool
wrappers_match(const struct wrappers *w, const char *name, bool libc)
{
	char *demangled, *bare;
	struct names_parts parts;
	const char *whole, *own;
	bool is;

	if (w->none)
		return false;
	demangled = wrappers_demangle(name);
	whole = demangled ? demangled : name;
	names_split(whole, &parts);
	bare = heap_part(whole, parts.end);
	own = bare + parts.start;
	is = wrappers_builtin(own, libc) || wrappers_user(w, own) ||
	     wrappers_user(w, whole) || wrappers_user(w, bare) ||
	     (demangled && wrappers_user(w, name));
	free(bare);
	free(demangled);
	return is;
}

/*
 * Is it a linkage name of Rust?  Older ones end with a hash: h and hexadecimal
 * digits.
 */
static bool
wrappers_rust(const char *linkage)
{
	enum { HASH = 16 };
	size_t n = strlen(linkage);

	if (!strncmp(linkage, "_R", 2))
		return true;
	return !strncmp(linkage, "_ZN", 3) && n > HASH + 4 &&
	       !strncmp(linkage + n - HASH - 4, "17h", 3) &&
	       strspn(linkage + n - HASH - 1, "0123456789abcdef") == HASH &&
	       linkage[n - 1] == 'E';
}

/* Is the path, after "&mut dyn " and the like, in one of Rust's own crates? */
static bool
wrappers_crate(const char *path)
{
	static const char *const sigils[] = { "&", "mut ", "dyn ", "*const ",
					      "*", "[",	   "(",	   "<" };
	static const char *const crates[] = { "core::", "alloc::", "std::",
					      "hashbrown::" };

	for (size_t i = 0; i < STR_COUNT(sigils);) {
		size_t n = strlen(sigils[i]);

		if (strncmp(path, sigils[i], n) == 0) {
			path += n;
			i = 0;
		} else {
			i++;
		}
	}
	return STR_PREFIX(path, crates);
}

/*
 * In "<Type>::f" the type decides.  In "<Type as Trait>::f" the trait decides,
 * and the type as well, unless it is a parameter or a built-in type.
 */
static bool
wrappers_impl(const char *name)
{
	const char *s = name + 1, *trait = NULL;
	bool path = false;

	for (int depth = 0; *s && depth >= 0 && !trait; s++) {
		if (!strncmp(s, "->", 2))
			s++;
		else if (!strncmp(s, " as ", 4) && !depth)
			trait = s + 4;
		else
			depth += (*s == '<') - (*s == '>');
		path |= !trait && !depth && !strncmp(s, "::", 2);
	}
	if (!trait)
		return wrappers_crate(name);
	return wrappers_crate(trait) && (!path || wrappers_crate(name));
}

bool
wrappers_standard(const char *name, const char *linkage)
{
	static const char *const any[] = { "std::", "__gnu_cxx::",
					   "__cxxabiv1::", "__gthread_",
					   "operator new" };

	/* std's HashMap is hashbrown's. */
	static const char *const rust[] = { "core::", "alloc::", "hashbrown::",
					    "__rust_", "__rdl_" };
	char *demangled = wrappers_demangle(name);
	const char *whole = demangled ? demangled : name;
	struct names_parts parts;
	const char *own;
	bool is;

	if (!linkage)
		linkage = name;
	names_split(whole, &parts);
	own = whole + parts.start;
	is = STR_PREFIX(own, any) ||
	     (wrappers_rust(linkage) &&
	      (*own == '<' ? wrappers_impl(own) : STR_PREFIX(own, rust)));
	free(demangled);
	return is;
}
