/* SPDX-License-Identifier: MIT */
/*
 * Which object file is mapped where, for the addresses of chains.
 *
 * A module is registered when an address in it is first met, and stays in the
 * table when it is unloaded.  Another module at a reused address gets the next
 * generation, which is part of the key, so the two never mix.  There are
 * MMI_GEN_MAX + 1 of them: later modules there aren't registered, and what is
 * in them is in no module.
 */
#ifndef MEMMON_MODULES_H
#define MEMMON_MODULES_H

#include "monitor/base/internal.h"

#define MMI_BUILDID_MAX 64u

struct mmi_module {
	uintptr_t start, end; /* mapped range */
	uintptr_t bias;	      /* run-time address minus address in the file */
	uintptr_t storage; /* bytes of each thread's, with their alignment */
	uintptr_t code, code_end; /* from the first code to the last */
	const void *map;      /* the loader's handle; compared only */
	unsigned gen;
	uint32_t gone;	 /* atomic: unloaded */
	uint32_t exe;	 /* the program itself */
	uint32_t ready;	 /* atomic: all fields above and below are set */
	unsigned logged; /* in the image of this number; see image.h */
	struct monimg_module *log; /* its entry there */
	unsigned buildid_len;
	unsigned char buildid[MMI_BUILDID_MAX];
	char path[1024]; /* "" unknown */
};

/* What the unwinder needs to know of an address. */
struct mmi_object {
	unsigned
		gen; /* of the module, for the key; MMI_GEN_NONE: it has none */
	const uint8_t *eh_hdr; /* .eh_frame_hdr; NULL: no unwind information */
	bool loader;	       /* the dynamic loader: its start has no rules */
	bool own;	       /* the monitor's library */
};

/*
 * Find, and register when new, the module of address pc.  False when no module
 * is there; where one is that there was no room to register, it is counted.
 * ctx: slow.
 */
bool mmi_modules_find(uintptr_t pc, struct mmi_object *o);

/* The program's own path, for the module whose name the loader leaves empty. */
void mmi_modules_init(const char *exe);

/*
 * dlclose() begins and ends: between the two, and when something was unloaded,
 * remembered rules aren't valid.  ctx: not in a hook.
 */
void mmi_modules_unload_begin(void);
void mmi_modules_unload_end(void);

/* All go into the image that was just made.  ctx: init, slow. */
void mmi_modules_share(void);

/* A dlclose() of another thread didn't come along.  ctx: fork. */
void mmi_modules_fork(void);

/*
 * All that are there get into the table, as the loader lists them.  Between
 * mmi_peek_begin() and _end().  ctx: exit.
 */
void mmi_modules_survey(void);

/* Where the loader is; no bytes: not known, or there is none. */
extern HIDDEN struct mmi_modules_loader {
	uintptr_t start, size;
} mmi_modules_loader;

/* The loader has freed p.  ctx: hook. */
void mmi_modules_freed(const void *p);

/*
 * Code at pc frees p: where that is the loader's handle of a module, the module
 * is unloaded by now.  Not only dlclose() does so, but a dlopen() that fails
 * and the libc itself, too.  ctx: hook.
 */
static inline __attribute__((always_inline)) void
mmi_modules_free(uintptr_t pc, const void *p)
{
	if (UNLIKELY(pc - mmi_modules_loader.start < mmi_modules_loader.size))
		mmi_modules_freed(p);
}

/*
 * Changes whenever remembered rules and chains become invalid; while one of the
 * bits of MMI_MODULES_CLOSING is set, none may be remembered or believed.  ctx:
 * hook.
 */
extern HIDDEN uint64_t mmi_modules_state;
#define MMI_MODULES_CLOSING 0xffffull
#define MMI_MODULES_EPOCH 0x10000ull /* is added */
void mmi_modules_next(uint64_t more); /* adds `more'.  ctx: slow */

/* Rules of an old epoch may look new.  Defined in chain/rules.c.  ctx: slow. */
void mmi_modules_wrapped(void);

/* Set for good when calls are traced (traced.h). */
#define MMI_MODULES_TRACED (1ull << 63)

/*
 * The module of the table in which the address of data is, and its number from
 * 0; NULL: none, or it is code that is there.  Nothing of the loader's is read.
 * ctx: exit.
 */
const struct mmi_module *mmi_modules_data(uintptr_t a, unsigned *number);

/*
 * chain/module_read.c: set the module's build-id, code and storage from its
 * headers.  start, end and bias are set.  elsewhere: no thread may run in it,
 * so it may be unloaded meanwhile.  ctx: slow.
 */
void mmi_module_read(struct mmi_module *m, bool elsewhere);

/* Modules in the table; some may not be ready.  ctx: any. */
unsigned mmi_modules_count(void);

/* Module i, or NULL when it isn't ready.  ctx: any. */
const struct mmi_module *mmi_modules_at(unsigned i);

/* The number of the module of key k from 0, or -1.  ctx: exit. */
int mmi_modules_of_key(uint64_t k);

#endif
