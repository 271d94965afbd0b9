/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of libc.list: in a fault build the rest of the library calls
 * these instead.
 */
#include "tests/fault/libc.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

extern int __cxa_atexit(void (*)(void *), void *, void *);
extern int __cxa_at_quick_exit(void (*)(void *), void *);

/* RESULT mmi_fault_NAME(PARAMETERS): a failure sets errno and is `bad'. */
#define FAULT(result, name, parameters, arguments, bad) \
	result mmi_fault_##name parameters; \
	result mmi_fault_##name parameters \
	{ \
		int e; \
\
		if (!mmi_fault_libc(#name, &e)) \
			return name arguments; \
		errno = e; \
		return bad; \
	}

/* As FAULT, for a function that leaves errno alone. */
#define FAULT_PLAIN(result, name, parameters, arguments, bad) \
	result mmi_fault_##name parameters; \
	result mmi_fault_##name parameters \
	{ \
		int e; \
\
		return mmi_fault_libc(#name, &e) ? bad : name arguments; \
	}

/* As FAULT, for a function that returns an errno. */
#define FAULT_ERRNO(name, parameters, arguments) \
	int mmi_fault_##name parameters; \
	int mmi_fault_##name parameters \
	{ \
		int e; \
\
		return mmi_fault_libc(#name, &e) ? e : name arguments; \
	}

FAULT_ERRNO(pthread_atfork,
	    (void (*before)(void), void (*parent)(void), void (*child)(void)),
	    (before, parent, child))
FAULT_ERRNO(pthread_key_create, (pthread_key_t * key, void (*f)(void *)),
	    (key, f))
FAULT_ERRNO(pthread_setspecific, (pthread_key_t key, const void *p), (key, p))
FAULT(int, __cxa_atexit, (void (*f)(void *), void *arg, void *dso),
      (f, arg, dso), -1)
FAULT(int, __cxa_at_quick_exit, (void (*f)(void *), void *dso), (f, dso), -1)
FAULT(unsigned long, getauxval, (unsigned long type), (type), 0)
FAULT_PLAIN(int, _dl_find_object, (void *p, struct dl_find_object *found),
	    (p, found), -1)

#ifdef MEMMON_STATIC
extern int __real_sigaction(int, const struct sigaction *, struct sigaction *);
#define next_sigaction __real_sigaction
#else
static int (*next_sigaction)(int, const struct sigaction *, struct sigaction *);
#endif

int mmi_fault___real_sigaction(int sig, const struct sigaction *a,
			       struct sigaction *old);
int
mmi_fault___real_sigaction(int sig, const struct sigaction *a,
			   struct sigaction *old)
{
	int e;

	if (!mmi_fault_libc("sigaction", &e))
		return next_sigaction(sig, a, old);
	errno = e;
	return -1;
}

/* Functions that a libc may lack. */
static bool
optional(const char *name)
{
	static const char *const names[] = {
		"free_sized",	"free_aligned_sized",	"__memmon_touch",
		"bsd_signal",	"gnu_get_libc_version", "ssignal",
		"sysv_signal",	"__sysv_signal",	"sigset",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

void *mmi_fault_dlsym(void *handle, const char *name);
void *
mmi_fault_dlsym(void *handle, const char *name)
{
	int e;
	void *p;

	if (optional(name) && mmi_fault_libc("dlsym", &e))
		return NULL;
	p = dlsym(handle, name);
#ifndef MEMMON_STATIC
	if (p && !strcmp(name, "sigaction")) {
		next_sigaction = (int (*)(int, const struct sigaction *,
					  struct sigaction *))p;
		return (void *)mmi_fault___real_sigaction;
	}
#endif
	return p;
}
