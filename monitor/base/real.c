/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that hooks call, by their addresses in libc.  By name the
 * loader may find another library that replaces them; if that library
 * allocates, it calls the hook that has called it.  Calls of the functions in
 * libc.list lead here by the linker's --wrap.
 */
#include "monitor/base/real.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "monitor/base/symbol.h"

#ifndef MEMMON_MUSL
int __real__dl_find_object(void *pc, struct dl_find_object *o);
#endif
int __real_dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *),
			   void *arg);

/* NULL: not found (yet). */
static struct {
	int (*find_object)(void *, struct dl_find_object *);
	int (*iterate)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
	int (*setspecific)(pthread_key_t, const void *);
	unsigned long (*auxval)(unsigned long);
} real;

#ifndef MEMMON_STATIC

/* Is this the C library or its loader? */
static bool
is_libc(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	return !strncmp(name, "libc.so", 7) || !strncmp(name, "ld-linux", 8) ||
	       !strncmp(name, "libc.musl", 9) || !strncmp(name, "ld-musl", 7) ||
	       !strncmp(name, "ld64.so", 7);
}

static void
look(const struct link_map *l, const char *name, void *to)
{
	uintptr_t p = mmi_symbol_in(l->l_addr, l->l_ld, name);

	if (p)
		STORE((uintptr_t *)to, p);
}

void
mmi_real_find(void)
{
	const struct link_map *l;
	struct dl_find_object own;

	if (_dl_find_object((void *)mmi_real_find, &own) != 0)
		return;
	for (l = own.dlfo_link_map; l && l->l_prev; l = l->l_prev)
		;
	for (; l; l = l->l_next) {
		if (!is_libc(l->l_name))
			continue;
#ifndef MEMMON_MUSL
		look(l, "_dl_find_object", &real.find_object);
#endif
		look(l, "dl_iterate_phdr", &real.iterate);
#ifndef MEMMON_FAULT
		look(l, "pthread_setspecific", &real.setspecific);
		look(l, "getauxval", &real.auxval);
#endif
	}
}

#else

void
mmi_real_find(void)
{
}

#endif

#ifndef MEMMON_MUSL
HIDDEN int __wrap__dl_find_object(void *pc, struct dl_find_object *o);
int
__wrap__dl_find_object(void *pc, struct dl_find_object *o)
{
	return LIKELY(real.find_object) ? real.find_object(pc, o)
					: __real__dl_find_object(pc, o);
}
#endif

HIDDEN int __wrap_dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t,
					   void *),
				  void *arg);
int
__wrap_dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *),
		       void *arg)
{
	return LIKELY(real.iterate) ? real.iterate(f, arg)
				    : __real_dl_iterate_phdr(f, arg);
}

int
mmi_real_setspecific(pthread_key_t key, const void *p)
{
	return LIKELY(real.setspecific) ? real.setspecific(key, p)
					: pthread_setspecific(key, p);
}

unsigned long
mmi_real_auxval(unsigned long type)
{
	int e = errno;
	unsigned long v;

	v = LIKELY(real.auxval) ? real.auxval(type) : getauxval(type);
	errno = e;
	return v;
}

const void *
mmi_real_libc(void)
{
	return real.auxval ? (const void *)(uintptr_t)real.auxval
			   : (const void *)(uintptr_t)getauxval;
}
