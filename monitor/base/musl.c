/* SPDX-License-Identifier: MIT */
/* Replaces what musl lacks: see musl.h. */
#ifdef MEMMON_MUSL

#include "monitor/base/next.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct wanted {
	uintptr_t pc;
	struct dl_find_object *o;
	uintptr_t bias, dynamic;
	bool found;
};

static int
look(struct dl_phdr_info *i, size_t size, void *arg)
{
	struct wanted *w = arg;
	uintptr_t lo = UINTPTR_MAX, hi = 0, at;
	const ElfW(Phdr) *ph = i->dlpi_phdr;

	(void)size;
	w->dynamic = 0;
	w->o->dlfo_eh_frame = NULL;
	for (unsigned k = 0; k < i->dlpi_phnum; k++) {
		at = i->dlpi_addr + ph[k].p_vaddr;
		if (ph[k].p_type == PT_LOAD && at < lo)
			lo = at & -(uintptr_t)ARCH_PAGE;
		if (ph[k].p_type == PT_LOAD && at + ph[k].p_memsz > hi)
			hi = at + ph[k].p_memsz;
		if (ph[k].p_type == PT_GNU_EH_FRAME)
			w->o->dlfo_eh_frame = (void *)at;
		if (ph[k].p_type == PT_DYNAMIC)
			w->dynamic = at;
	}
	if (w->pc < lo || w->pc >= hi)
		return 0;
	w->o->dlfo_map_start = (void *)lo;
	w->o->dlfo_map_end = (void *)hi;
	w->bias = i->dlpi_addr;
	return w->found = true;
}

/* The loader's list of loaded objects, which begins with the program. */
static struct link_map *
first_map(void)
{
	static struct link_map *first;

	if (!first)
		STORE(&first, dlopen(NULL, RTLD_LAZY));
	return first;
}

int
mmi_musl_find_object(void *pc, struct dl_find_object *o)
{
	struct wanted w = { .pc = (uintptr_t)pc, .o = o };

	dl_iterate_phdr(look, &w);
	if (!w.found)
		return -1;
	o->dlfo_link_map = first_map();
	while (o->dlfo_link_map &&
	       ((uintptr_t)o->dlfo_link_map->l_addr != w.bias ||
		(uintptr_t)o->dlfo_link_map->l_ld != w.dynamic))
		o->dlfo_link_map = o->dlfo_link_map->l_next;
	return o->dlfo_link_map ? 0 : -1;
}

void **
mmi_musl_stack_end(void)
{
	static void *end;

	/* The kernel's random bytes are above the first frame. */
	if (!end)
		end = (void *)(getauxval(AT_RANDOM) & ~15ul);
	return &end;
}

/* They end where the environment begins, if that is where the kernel put it. */
void
mmi_musl_arguments(int *argc, char ***argv)
{
	uintptr_t end = (uintptr_t)*mmi_musl_stack_end();
	char **p = environ;

	*argc = 0;
	*argv = NULL;
	if ((uintptr_t)p >= end || end - (uintptr_t)p > 8u << 20 || p[-1])
		return;
	for (int n = 0; n < 1 << 20; n++)
		if ((intptr_t)p[-2 - n] == n) {
			*argc = n;
			*argv = p - 1 - n;
			return;
		}
}

static void *
our_calloc(size_t n, size_t size)
{
	size_t all;
	void *p;

	if (__builtin_mul_overflow(n, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	p = mmi_next.malloc(all);
	return p ? memset(p, 0, all) : NULL;
}

static int
our_posix_memalign(void **p, size_t align, size_t size)
{
	int e = errno, r;
	void *made;

	if (align < sizeof(void *))
		return EINVAL;
	made = mmi_next.aligned_alloc(align, size);
	r = made ? 0 : errno;
	errno = e;
	if (made)
		*p = made;
	return r;
}

static void *
our_valloc(size_t size)
{
	return mmi_next.aligned_alloc(ARCH_PAGE_NOW, size);
}

void
mmi_musl_next(void)
{
	mmi_next.calloc = our_calloc;
	mmi_next.posix_memalign = our_posix_memalign;
	mmi_next.memalign = mmi_next.aligned_alloc;
	mmi_next.valloc = our_valloc;
}

static void (*at_quick)(void *);

static void
quick(void)
{
	at_quick(NULL);
}

int
mmi_musl_at_quick_exit(void (*f)(void *), void *dso)
{
	(void)dso;
	at_quick = f;
	return at_quick_exit(quick);
}

#endif
