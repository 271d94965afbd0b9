/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation wrappers: the list, and matching names with it. */
#include "reduce/wrappers.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* x*alloc without an underscore: xml_node_alloc is somebody's own. */
#define LETTER "[a-z0-9]"

/*
 * The built-in list.  A function is in it when no one looking for memory cares
 * about it: what it allocates is always what its caller asked for.  Containers'
 * own functions (vector::push_back) aren't: they decide how much.
 */
static const char *const wrappers_any[] = {
	/* The C functions, also as other tools and libraries call them. */
	"malloc", "calloc", "realloc", "reallocarray", "memalign",
	"aligned_alloc", "posix_memalign", "valloc", "pvalloc", "__libc_malloc",
	"__libc_calloc", "__libc_realloc", "__libc_memalign",
	"__libc_reallocarray", "__libc_valloc", "__libc_pvalloc",
	"__interceptor_*", "__wrap_malloc", "__wrap_calloc", "__wrap_realloc",
	"strdup", "strndup", "__strdup", "__strndup", "wcsdup", "__wcsdup",
	"asprintf", "vasprintf", "__asprintf", "__vasprintf", "__asprintf_chk",
	"__vasprintf_chk", "__vasprintf_internal",
	/* The monitor in a program that is linked statically. */
	"mmi_*", "slow_Zn*", "slow__Zn*",
	/* malloc or give up, as very many programs call it. */
	"xalloc", "x" LETTER "alloc", "x" LETTER LETTER "alloc",
	"x" LETTER LETTER LETTER "alloc",
	"x" LETTER LETTER LETTER LETTER "alloc",
	"x" LETTER LETTER LETTER LETTER LETTER "alloc", "xreallocarray",
	"xmemalign", "xireallocarray", "xstrdup", "xstrndup", "xmemdup",
	"xmemdup0", "ximemdup", "xasprintf", "xvasprintf", "emalloc", "ecalloc",
	"erealloc", "estrdup", "estrndup", "safe_malloc", "safe_calloc",
	"safe_realloc", "safe_strdup", "safemalloc", "safecalloc",
	"saferealloc", "ck_malloc", "ck_calloc", "ck_realloc", "ck_strdup",
	"checked_malloc", "checked_calloc", "checked_realloc", "malloc_or_die",
	"calloc_or_die", "realloc_or_die",
	/* GLib. */
	"g_malloc", "g_malloc0", "g_malloc_n", "g_malloc0_n", "g_realloc",
	"g_realloc_n", "g_try_malloc*", "g_try_realloc*", "g_slice_alloc*",
	"g_slice_copy", "g_aligned_alloc*", "g_strdup*", "g_strndup",
	"g_memdup*", "g_new*",
	/* Python, SQLite, OpenSSL, libxml2. */
	"PyMem_*alloc", "_PyMem_*alloc", "PyObject_[MCR]*alloc",
	"_PyObject_[MCR]*alloc", "PyMem_*Strdup", "_PyMem_*Strdup",
	"sqlite3MemMalloc", "sqlite3MemRealloc", "sqlite3Malloc",
	"sqlite3MallocZero", "sqlite3Realloc", "sqlite3DbMalloc*",
	"sqlite3DbRealloc*", "sqlite3_malloc*", "sqlite3_realloc*",
	"mallocWithAlarm", "CRYPTO_malloc", "CRYPTO_zalloc", "CRYPTO_realloc",
	"CRYPTO_strdup", "CRYPTO_memdup", "xmlMemMalloc", "xmlMemStrdupLoc",
	/* operator new and new[], aligned and nothrow too. */
	"operator new", "operator new\\[\\]", "_Znw*", "_Zna*",
	/* The allocators of libstdc++, and what only calls them. */
	"std::__new_allocator<*>::allocate",
	"__gnu_cxx::new_allocator<*>::allocate",
	"__gnu_cxx::malloc_allocator<*>::allocate",
	"__gnu_cxx::__alloc_traits<*>::allocate", "std::allocator<*>::allocate",
	"std::allocator_traits<*>::allocate", "*std::__allocate_guarded<*",
	"std::_Vector_base<*>::_M_allocate",
	"std::_Vector_base<*>::_M_create_storage",
	"std::_Bvector_base<*>::_M_allocate",
	"std::_Deque_base<*>::_M_allocate_*",
	"std::_Deque_base<*>::_M_create_nodes", "std::_Rb_tree<*>::_M_get_node",
	"std::__cxx11::_List_base<*>::_M_get_*", "std::_List_base<*>::_M_get_*",
	"std::_Fwd_list_base<*>::_M_get_*",
	"*std::__detail::_Hashtable_alloc<*>::_M_allocate_*",
	"std::__cxx11::basic_string<*>::_M_create", "std::string::_M_create",
	"std::__cxx11::basic_string<*>::_S_allocate",
	"std::basic_string<*>::_Rep::_S_create",
	/* One object where the caller says so. */
	"*std::make_unique<*", "*std::make_shared<*", "*std::allocate_shared<*",
	"std::shared_ptr<*>::shared_ptr<*",
	"std::__shared_ptr<*>::__shared_ptr<*",
	"std::__shared_count<*>::__shared_count<*",
	/* The same with names left mangled. */
	"_ZNSt15__new_allocatorI*E8allocateE*", "_ZNSaI*E8allocateE*",
	"_ZN9__gnu_cxx13new_allocatorI*E8allocateE*",
	"_ZNSt16allocator_traitsI*E8allocateE*",
	"_ZNSt12_Vector_baseI*E11_M_allocateE*",
	"_ZNSt12_Vector_baseI*E17_M_create_storageE*",
	"_ZNSt8__detail16_Hashtable_allocI*_M_allocate_*",
	"_ZSt18__allocate_guardedI*", "_ZSt11make_uniqueI*",
	"_ZSt11make_sharedI*", "_ZSt15allocate_sharedI*",
	"_ZNSt10shared_ptrI*EC[12]I*", "_ZNSt12__shared_ptrI*EC[12]I*",
	"_ZNSt14__shared_countI*EC[12]I*",
	/* libc++. */
	"*std::__1::__libcpp_allocate*", "*std::__1::__libcpp_operator_new*",
	"*std::__1::__allocate_at_least*", "std::__1::allocator<*>::allocate*",
	"*std::__1::allocator_traits<*>::allocate*",
	"_ZNSt3__1*__libcpp_allocate*", "_ZNSt3__1*__libcpp_operator_new*",
	"_ZNSt3__19allocatorI*E*8allocate*",
	/* Rust. */
	"__rust_alloc*", "__rust_realloc", "__rdl_alloc*", "__rdl_realloc",
	"__rg_alloc*", "__rg_realloc", "alloc::alloc::alloc*",
	"alloc::alloc::realloc*", "alloc::alloc::exchange_malloc*",
	"alloc::alloc::Global::*", "<alloc::alloc::Global as *"
};

/* Names that mean this in the C library, but anything in a program. */
static const char *const wrappers_libc[] = {
	/* They make room for what they hand back. */
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

size_t
wrappers_bare(const char *name)
{
	static const char *const tails[] = { " const", "&", "&&", " volatile" };
	const char *clone = strstr(name, " [clone ");
	size_t n = clone ? (size_t)(clone - name) : strlen(name), all = n;
	size_t i, k, open = 0;

	for (i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		k = strlen(tails[i]);
		if (n > k && !strncmp(name + n - k, tails[i], k)) {
			n -= k;
			while (n && name[n - 1] == ' ')
				n--;
			i = (size_t)-1;
		}
	}
	if (!n || name[n - 1] != ')')
		return all;
	/* Back to the parenthesis that this one closes. */
	for (k = n; k > 0; k--) {
		open += name[k - 1] == ')';
		open -= name[k - 1] == '(';
		if (!open)
			break;
	}
	/* "operator()" isn't a list of parameters, nor is "(anonymous ...)". */
	if (k <= 1 || (k >= 9 && !strncmp(name + k - 9, "operator", 8)))
		return all;
	return k - 1;
}

static bool
wrappers_try(const char *const *globs, size_t n, const char *name,
	     const char *bare)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (fnmatch(globs[i], bare, 0) == 0 ||
		    (bare != name && fnmatch(globs[i], name, 0) == 0))
			return true;
	}
	return false;
}

bool
wrappers_match(const struct wrappers *w, const char *name, bool libc)
{
	size_t n = wrappers_bare(name);
	char *bare = NULL;
	const char *b = name;
	bool is;

	if (w->none)
		return false;
	if (name[n]) {
		bare = strndup(name, n);
		/* Without memory for it, the whole name has to do. */
		b = bare ? bare : name;
	}
	is = wrappers_try(wrappers_any,
			  sizeof(wrappers_any) / sizeof(wrappers_any[0]), name,
			  b) ||
	     (libc &&
	      wrappers_try(wrappers_libc,
			   sizeof(wrappers_libc) / sizeof(wrappers_libc[0]),
			   name, b)) ||
	     wrappers_try(w->globs, w->nglobs, name, b);
	free(bare);
	return is;
}
