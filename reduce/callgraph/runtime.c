/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that the C and C++ libraries keep for themselves. */
#include "reduce/callgraph/runtime.h"
#include "reduce/base/str.h"
#include "reduce/binaries/modules.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* stdin, stdout and stderr */
#define STREAMS 3

/*
 * libstdc++ allocates memory for exceptions here; it may be linked statically.
 */
#define POOL "GLOBAL__sub_I_eh_alloc.cc"

/*
 * Functions of glibc that allocate blocks that their callers can't free.  Some
 * of these end with a jump to another function, and then only that function is
 * on the call path: the list has such functions, too.  Functions that return
 * blocks for the caller to free aren't in the list, even if they keep other
 * blocks.  Names have no underscores before them.  Sorted.
 */
static const char *const keepers[] = {
	POOL,
	"add_to_environ",
	"addmntent",
	"at_quick_exit",
	"atexit",
	"bind_textdomain_codeset",
	"bindtextdomain",
	"btowc",
	"c16rtomb",
	"c32rtomb",
	"clearenv",
	"ctime",
	"ctime_r",
	"cxa_at_quick_exit",
	"cxa_atexit",
	"cxa_thread_atexit_impl",
	"dcgettext",
	"dcigettext",
	"dcngettext",
	"dgettext",
	"dl_allocate_tls",
	"dl_exception_create",
	"dl_exception_create_format",
	"dl_find_object_update",
	"dlerror",
	"dlfo_mappings_segment_allocate",
	"dlsym",
	"dlvsym",
	"dngettext",
	"endgrent",
	"endpwent",
	"fgetgrent",
	"fgetpwent",
	"fwide",
	"getaliasent",
	"getfsent",
	"getfsfile",
	"getfsspec",
	"getgrent",
	"getgrgid",
	"getgrgid_r",
	"getgrnam",
	"getgrnam_r",
	"getgrouplist",
	"gethostbyaddr",
	"gethostbyname",
	"gethostbyname2",
	"gethostent",
	"getmntent",
	"getnameinfo",
	"getnetbyaddr",
	"getnetbyname",
	"getnetent",
	"getpass",
	"getprotobyname",
	"getprotobynumber",
	"getprotoent",
	"getpwent",
	"getpwnam",
	"getpwnam_r",
	"getpwuid",
	"getpwuid_r",
	"getservbyname",
	"getservbyport",
	"getservent",
	"getspent",
	"getspnam",
	"gettext",
	"getusershell",
	"getutent",
	"getutid",
	"getutline",
	"gmtime",
	"gmtime_r",
	"initgroups",
	"internal_atexit",
	"libc_unwind_link_get",
	"localtime",
	"localtime_r",
	"mblen",
	"mbrlen",
	"mbrtoc16",
	"mbrtoc32",
	"mbrtowc",
	"mbsnrtowcs",
	"mbsrtowcs",
	"mbstowcs",
	"mbtowc",
	"mktime",
	"new_exitfn",
	"ngettext",
	"nl_find_domain",
	"nl_find_locale",
	"nl_find_msg",
	"nl_load_domain",
	"on_exit",
	"pthread_atfork",
	"pthread_setspecific",
	"ptsname",
	"putenv",
	"register_atfork",
	"res_init",
	"res_ninit",
	"res_vinit",
	"resolv_conf_load",
	"resolv_context_get",
	"setenv",
	"setgrent",
	"setlocale",
	"setpwent",
	"strerror",
	"strerror_l",
	"strftime",
	"strftime_internal",
	"strftime_l",
	"strptime",
	"strsignal",
	"textdomain",
	"timegm",
	"timelocal",
	"tls_get_addr",
	"tls_get_addr_slow",
	"ttyname",
	"tz_convert",
	"tzfile_compute",
	"tzfile_default",
	"tzfile_read",
	"tzset",
	"tzset_internal",
	"tzset_parse_tz",
	"tzstring",
	"tzstring_len",
	"unsetenv",
	"wcrtomb",
	"wcsftime",
	"wcsmbs_load_conv",
	"wcsnrtombs",
	"wcsrtombs",
	"wcstombs",
	"wctob",
	"wctomb",
};

static int
runtime_compare(const void *name, const void *keeper)
{
	return strcmp(name, *(const char *const *)keeper);
}

/*
 * Look up the name.  Other names of the same function have underscores before
 * it.
 */
static enum runtime
runtime_name(const char *name)
{
	name += strspn(name, "_");
	if (!strncmp(name, "GI_", 3))
		name += 3 + strspn(name + 3, "_");
	if (!strcmp(name, "IO_file_doallocate") ||
	    !strcmp(name, "IO_wdoallocbuf"))
		return RUNTIME_STREAM;
	if (!strncmp(name, "nss_", 4) ||
	    bsearch(name, keepers, sizeof(keepers) / sizeof(*keepers),
		    sizeof(*keepers), runtime_compare))
		return RUNTIME_KEEPS;
	return RUNTIME_PART;
}

static enum runtime
runtime_path(const char *path)
{
	static const struct {
		const char *glob;
		enum runtime is;
	} known[] = {
		{ "ld-linux*.so.*", RUNTIME_LOADER },
		{ "ld-2.*.so", RUNTIME_LOADER },
		{ "libstdc++.so.6*", RUNTIME_CXX },
		{ "libgcc_s.so.1", RUNTIME_PART },
		{ "libresolv.so.2", RUNTIME_PART },
		{ "libresolv-2.*.so", RUNTIME_PART },
		{ "libdl.so.2", RUNTIME_PART },
		{ "libdl-2.*.so", RUNTIME_PART },
		{ "libnss_*.so*", RUNTIME_PART },
	};
	const char *name = str_basename(path);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (!fnmatch(known[i].glob, name, 0))
			return known[i].is;
	}
	return modules_is_libc(path) || !fnmatch("*/gconv/*.so", path, 0)
		       ? RUNTIME_PART
		       : RUNTIME_NOT;
}

bool
runtime_is_static(const struct mon *m)
{
	for (size_t i = 1; i < m->nmodules; i++) {
		if (modules_is_libc(m->modules[i].path))
			return false;
	}
	return true;
}

enum runtime
runtime_func(const char *path, const char *name, bool whole)
{
	enum runtime is = runtime_path(path), by;

	if (name && !strcmp(name, "_" POOL))
		return RUNTIME_KEEPS;
	if (is == RUNTIME_NOT && !whole)
		return is;
	by = name && *name ? runtime_name(name) : RUNTIME_PART;
	return by == RUNTIME_PART && is != RUNTIME_NOT ? is : by;
}

enum runtime
runtime_call(enum runtime chain, enum runtime func)
{
	bool keeps = chain >= RUNTIME_KEEPS;

	if (func == RUNTIME_NOT)
		return func;
	if (func == RUNTIME_STREAM || func == RUNTIME_KEEPS)
		return chain == RUNTIME_KEEPS ? chain : func;
	/*
	 * A function of the C++ library that the loader calls sets that library
	 * up.
	 */
	if (func == RUNTIME_CXX && chain == RUNTIME_LOADER)
		return RUNTIME_KEEPS;
	return keeps ? chain : func;
}

bool
runtime_keeps(enum runtime chain, uint64_t n, size_t runs)
{
	return chain == RUNTIME_KEEPS ||
	       (chain == RUNTIME_STREAM && n <= STREAMS * runs);
}
