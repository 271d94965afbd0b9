/* SPDX-License-Identifier: MIT */
/* The global offset tables of the libraries of a running process. */
#ifndef MEMMON_STATIC

#include "monitor/hooks/got.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "monitor/base/lookup.h"
#include "monitor/base/next.h"
#include "monitor/base/relocations.h"
#include "monitor/shadow/apart.h"

#ifndef RTLD_DEEPBIND
#define RTLD_DEEPBIND 0 /* musl hasn't it */
#endif

/*
 * The functions whose callers are hooked.  Signal functions aren't: the
 * program's handlers aren't touched.  C++ functions come last because they call
 * malloc().
 */
static struct hook {
	const char *name;
	uintptr_t ours, theirs; /* 0: not found */
} hooks[] = {
	{ "malloc", 0, 0 },
	{ "calloc", 0, 0 },
	{ "realloc", 0, 0 },
	{ "reallocarray", 0, 0 },
	{ "free", 0, 0 },
	{ "posix_memalign", 0, 0 },
	{ "aligned_alloc", 0, 0 },
	{ "memalign", 0, 0 },
	{ "valloc", 0, 0 },
	{ "pvalloc", 0, 0 },
	{ "free_sized", 0, 0 },
	{ "free_aligned_sized", 0, 0 },
	{ "cfree", 0, 0 },
	{ "_exit", 0, 0 },
	{ "_Exit", 0, 0 },
	{ "execve", 0, 0 },
	{ "execv", 0, 0 },
	{ "execvp", 0, 0 },
	{ "execvpe", 0, 0 },
	{ "execl", 0, 0 },
	{ "execlp", 0, 0 },
	{ "execle", 0, 0 },
	{ "fexecve", 0, 0 },
	{ "execveat", 0, 0 },
	{ "prctl", 0, 0 },
	{ "syscall", 0, 0 },
	{ "mmap", 0, 0 },
	{ "mmap64", 0, 0 },
	{ "munmap", 0, 0 },
	{ "mremap", 0, 0 },
	{ "sbrk", 0, 0 },
	{ "brk", 0, 0 },
	{ "shmat", 0, 0 },
	{ "shmdt", 0, 0 },
	{ "dlclose", 0, 0 },
	{ "dlopen", 0, 0 },
	{ "dlsym", 0, 0 },
	{ "_Znwm", 0, 0 },
	{ "_Znam", 0, 0 },
	{ "_ZnwmRKSt9nothrow_t", 0, 0 },
	{ "_ZnamRKSt9nothrow_t", 0, 0 },
	{ "_ZnwmSt11align_val_t", 0, 0 },
	{ "_ZnamSt11align_val_t", 0, 0 },
	{ "_ZnwmSt11align_val_tRKSt9nothrow_t", 0, 0 },
	{ "_ZnamSt11align_val_tRKSt9nothrow_t", 0, 0 },
	{ "_ZdlPv", 0, 0 },
	{ "_ZdaPv", 0, 0 },
	{ "_ZdlPvm", 0, 0 },
	{ "_ZdaPvm", 0, 0 },
	{ "_ZdlPvRKSt9nothrow_t", 0, 0 },
	{ "_ZdaPvRKSt9nothrow_t", 0, 0 },
	{ "_ZdlPvSt11align_val_t", 0, 0 },
	{ "_ZdaPvSt11align_val_t", 0, 0 },
	{ "_ZdlPvmSt11align_val_t", 0, 0 },
	{ "_ZdaPvmSt11align_val_t", 0, 0 },
	{ "_ZdlPvSt11align_val_tRKSt9nothrow_t", 0, 0 },
	{ "_ZdaPvSt11align_val_tRKSt9nothrow_t", 0, 0 },
};
#define NHOOKS (sizeof(hooks) / sizeof(hooks[0]))

/* One walk through the libraries. */
struct walk {
	bool in, cxx; /* put hooks in; those of C++ functions */
	struct mmi_got n;
	/* In the present library: the part that the loader has made
	 * read-only. */
	uintptr_t relro, relro_end;
	bool open; /* it is writable for now */
	const ElfW(Phdr) *ph;
	unsigned nph;
};

static bool ready;  /* atomic: the functions were searched for */
static bool hooked; /* atomic */
static bool stale;  /* atomic: a library may have been opened since the walk */

/*
 * These replace the program's dlopen() and dlsym().  The originals depend on
 * their caller, so our versions jump to them, or to mmi_got_open().
 */
HIDDEN void mmi_got_dlopen(void);
HIDDEN void mmi_got_dlsym(void);
HIDDEN bool mmi_got_opening(const char *file, int mode, uintptr_t unused,
			    uintptr_t caller);
HIDDEN bool mmi_got_asking(void);
HIDDEN void *mmi_got_open(const char *file, int mode);
HIDDEN void *mmi_got_next_dlopen;
HIDDEN void *mmi_got_next_dlsym;

/* -------------------------------------------------------------- entries -- */

/* Is it writable for the loader, and for this process? */
static bool
writable(struct walk *w, const struct link_map *m, uintptr_t at)
{
	if (at >= w->relro && at < w->relro_end) {
		w->open = w->open ||
			  ARCH_SYS(SYS_mprotect, w->relro,
				   w->relro_end - w->relro,
				   PROT_READ | PROT_WRITE, 0, 0, 0) == 0;
		return w->open;
	}
	for (unsigned i = 0; i < w->nph; i++)
		if (w->ph[i].p_type == PT_LOAD &&
		    at - m->l_addr - w->ph[i].p_vaddr < w->ph[i].p_memsz)
			return (w->ph[i].p_flags & PF_W) != 0;
	return false;
}

/* Is the entry unused yet?  Then it leads to the loader's lazy binding. */
static bool
unbound(const struct mmi_relocation *r, uintptr_t value)
{
	struct dl_find_object f;

	return r->symbol->st_shndx == SHN_UNDEF &&
	       _dl_find_object((void *)value, &f) == 0 &&
	       f.dlfo_link_map == r->map;
}

static bool
entry(const struct mmi_relocation *r, void *arg)
{
	struct walk *w = arg;
	const struct hook *h = NULL;
	uintptr_t was, to;

	if (!ARCH_RELOC_ADDRESS(r->type) ||
	    (r->name[0] == '_' && r->name[1] == 'Z') != w->cxx)
		return false;
	for (size_t i = 0; i < NHOOKS && !h; i++)
		if (hooks[i].name[0] == r->name[0] &&
		    strcmp(hooks[i].name, r->name) == 0)
			h = &hooks[i];
	if (!h || !h->ours || !h->theirs)
		return false;
	/* dlsym() has work only for libraries opened while all are hooked. */
	if (h->ours == (uintptr_t)mmi_got_dlsym && w->in && !LOAD(&hooked))
		return false;
	was = LOAD((const uintptr_t *)r->at);
	to = w->in ? h->ours : h->theirs;
	if (was == to || (was != (w->in ? h->theirs : h->ours) &&
			  !(w->in && unbound(r, was))))
		return false;
	if (!writable(w, r->map, (uintptr_t)r->at)) {
		w->n.refused++;
		return false;
	}
	STORE_REL((uintptr_t *)(uintptr_t)r->at, to);
	w->n.changed++;
	return false;
}

/* One library, under the loader's lock: it isn't unloaded meanwhile. */
static int
module(struct dl_phdr_info *o, size_t size, void *arg)
{
	const uintptr_t page = -ARCH_PAGE_NOW;
	struct walk *w = arg;
	struct dl_find_object f = { 0 };

	(void)size;
	w->relro = w->relro_end = 0;
	w->ph = o->dlpi_phdr;
	w->nph = o->dlpi_phnum;
	for (unsigned i = 0; i < w->nph; i++) {
		uintptr_t at = o->dlpi_addr + w->ph[i].p_vaddr;

		if (w->ph[i].p_type == PT_DYNAMIC &&
		    _dl_find_object((void *)at, &f) != 0)
			return 0; /* it is being opened */
		if (w->ph[i].p_type == PT_GNU_RELRO) {
			w->relro = at & page;
			w->relro_end = (at + w->ph[i].p_memsz) & page;
		}
	}
	if (!f.dlfo_link_map)
		return 0;
	mmi_relocations_each(f.dlfo_link_map, entry, w);
	if (w->open)
		ARCH_SYS(SYS_mprotect, w->relro, w->relro_end - w->relro,
			 PROT_READ, 0, 0, 0);
	w->open = false;
	return 0;
}

static struct mmi_got
walk(bool in)
{
	struct walk w = { .in = in };

	/* First malloc() in, last malloc() out: see cxx.c. */
	for (int k = 0; k < 2; k++) {
		w.cxx = (k == 0) != in;
		dl_iterate_phdr(module, &w);
	}
	return w.n;
}

/* ------------------------------------------------------- modules opened -- */

static void
walk_again(void)
{
	if (LOAD(&hooked) && SWAP(&stale, false))
		walk(true);
}

/* Has the executable a DT_RUNPATH, where it alone searches for libraries? */
static bool
has_runpath(void)
{
	const struct link_map *exe = mmi_lookup_exe();

	for (const ElfW(Dyn) *d = exe ? exe->l_ld : NULL;
	     d && d->d_tag != DT_NULL; d++)
		if (d->d_tag == DT_RUNPATH)
			return true;
	return !exe;
}

/*
 * Does dlopen() do the same for this library as for the caller?  It does for
 * a path.  Where it searches for a plain name can depend on the caller, unless
 * that is the executable.
 */
static bool
opens_same(const char *file, uintptr_t caller)
{
	return file && !strchr(file, '$') &&
	       (strchr(file, '/') ||
		(mmi_lookup_in_program((void *)caller) && !has_runpath()));
}

__attribute__((used)) HIDDEN bool
mmi_got_opening(const char *file, int mode, uintptr_t unused, uintptr_t caller)
{
	(void)unused;
	if (UNLIKELY(!LOAD(&mmi_got_next_dlopen)))
		STORE(&mmi_got_next_dlopen, mmi_next_symbol("dlopen"));
	/* mmi_got_open() fails then, where a jump would end the program. */
	if (UNLIKELY(!LOAD(&mmi_got_next_dlopen)))
		return true;
	if (LOAD(&hooked)) {
		walk_again();
		STORE(&stale, true);
	} else if (!(mode & RTLD_DEEPBIND))
		return false;
	if (opens_same(file, caller))
		return true;
	mmi_apart_close();
	return false;
}

/*
 * A library was opened that looks up names in itself and in its libraries
 * first, so the loader bound it to the next allocator.
 */
static void
hook_deep(void)
{
	if (!LOAD_ACQ(&ready))
		mmi_got_init();
	if (walk(true).refused)
		mmi_apart_close();
}

__attribute__((used)) HIDDEN void *
mmi_got_open(const char *file, int mode)
{
	void *(*next)(const char *, int) =
		(__typeof__(next))mmi_got_next_dlopen;
	void *p = next ? next(file, mode) : NULL;
	int e = errno;

	if (LOAD(&hooked))
		walk_again();
	else if (p)
		hook_deep();
	errno = e;
	return p;
}

/* dlsym() is called, perhaps for a function of a library just opened. */
__attribute__((used)) HIDDEN bool
mmi_got_asking(void)
{
	walk_again();
	return false;
}

ARCH_ASK_AND_PASS(mmi_got_dlopen, mmi_got_opening, mmi_got_open,
		  mmi_got_next_dlopen)
#ifdef __GLIBC__
__asm__(".globl dlopen\n\t.set dlopen, mmi_got_dlopen");
#endif
ARCH_ASK_AND_PASS(mmi_got_dlsym, mmi_got_asking, mmi_got_open,
		  mmi_got_next_dlsym)

void
mmi_got_init(void)
{
	uintptr_t theirs;

	for (size_t i = 0; i < NHOOKS; i++) {
		struct hook *h = &hooks[i];

		h->ours = (uintptr_t)mmi_lookup_own(h->name);
		theirs = (uintptr_t)mmi_next_symbol(h->name);
		/* Calls inside the program to its own function can't be
		 * seen. */
		if (!mmi_lookup_in_program((void *)theirs))
			h->theirs = theirs;
		if (!strcmp(h->name, "dlopen")) {
			h->ours = (uintptr_t)mmi_got_dlopen;
			STORE(&mmi_got_next_dlopen, (void *)theirs);
		} else if (!strcmp(h->name, "dlsym")) {
			h->ours = (uintptr_t)mmi_got_dlsym;
			STORE(&mmi_got_next_dlsym, (void *)theirs);
		}
	}
	STORE_REL(&ready, true);
}

struct mmi_got
mmi_got_hook(void)
{
	STORE(&hooked, true);
	return walk(true);
}

struct mmi_got
mmi_got_unhook(void)
{
	STORE(&hooked, false);
	return walk(false);
}

#endif
