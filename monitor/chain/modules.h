/* SPDX-License-Identifier: MIT */
/*
 * The libraries (executable or shared objects) that are mapped, for the
 * addresses of call paths.
 *
 * A library is registered when an address in it is first used, and stays in the
 * table after it is unloaded.  Another library at a reused address gets the
 * next generation, which is part of the key, so the two never mix.  There are
 * MMI_GEN_MAX + 1 generations: later libraries there aren't registered, and
 * their functions are in no library.
 */
#ifndef MEMMON_MODULES_H
#define MEMMON_MODULES_H

#include "monitor/base/internal.h"

#define MMI_BUILDID_MAX 64u

struct mmi_module {
	uintptr_t start, end; /* mapped range */
	uintptr_t bias;	      /* run-time address minus address in the file */
	uintptr_t storage; /* thread-local bytes and alignment */
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

/* What the unwinder needs to know about an address. */
struct mmi_object {
	unsigned gen;	       /* for the key; MMI_GEN_NONE: not registered */
	const uint8_t *eh_hdr; /* .eh_frame_hdr; NULL: no unwind information */
	bool loader;	       /* the dynamic loader: its start has no rules */
	bool own;	       /* the monitor's library */
};

/*
 * Finds the library of address pc, and registers it if it is new.  False: pc is
 * in no library.  A library that doesn't fit into the table is counted.
 * ctx: slow.
 */
bool mmi_modules_find(uintptr_t pc, struct mmi_object *o);

/* The program's path: the loader leaves its name empty. */
void mmi_modules_init(const char *exe);

/*
 * dlclose() begins and ends: in between, and after an unload, stored rules
 * aren't valid.  ctx: not in a hook.
 */
void mmi_modules_unload_begin(void);
void mmi_modules_unload_end(void);

/*
 * Copies all libraries into the image, which was just made.  ctx: init, slow.
 */
void mmi_modules_share(void);

/* The child doesn't have the dlclose() of another thread.  ctx: fork. */
void mmi_modules_fork(void);

/*
 * Registers all libraries in the loader's list.  Call it between
 * mmi_peek_begin() and _end().  ctx: exit.
 */
void mmi_modules_survey(void);

/* The loader's code; size 0: not known, or no loader. */
extern HIDDEN struct mmi_modules_loader {
	uintptr_t start, size;
} mmi_modules_loader;

/* The loader has freed p.  ctx: hook. */
void mmi_modules_freed(const void *p);

/*
 * Code at pc frees p: if p is the loader's handle of a library, that is
 * unloaded by now.  Not only dlclose() unloads: a dlopen() that fails and the
 * libc itself do, too.  ctx: hook.
 */
static inline __attribute__((always_inline)) void
mmi_modules_free(uintptr_t pc, const void *p)
{
	if (UNLIKELY(pc - mmi_modules_loader.start < mmi_modules_loader.size))
		mmi_modules_freed(p);
}

/*
 * Changes whenever stored rules and call paths become invalid.  While one of
 * the bits of MMI_MODULES_CLOSING is set, none may be stored or used.  ctx:
 * hook.
 */
extern HIDDEN uint64_t mmi_modules_state;
#define MMI_MODULES_CLOSING 0xffffull
#define MMI_MODULES_EPOCH 0x10000ull /* is added */
void mmi_modules_next(uint64_t more); /* adds `more'.  ctx: slow */

/* Rules of an old epoch may look new.  Defined in chain/rules.c.  ctx: slow. */
void mmi_modules_wrapped(void);

/* Stays set once calls are traced (traced.h). */
#define MMI_MODULES_TRACED (1ull << 63)

/*
 * The registered library that has data at this address, and its number from 0;
 * NULL: no library, or code.  Reads no data of the loader.  ctx: exit.
 */
const struct mmi_module *mmi_modules_data(uintptr_t a, unsigned *number);

/*
 * chain/module_read.c: sets the library's build-id, code and storage from its
 * headers; start, end and bias are set.  elsewhere: no thread may run in it, so
 * it may be unloaded meanwhile.  ctx: slow.
 */
void mmi_module_read(struct mmi_module *m, bool elsewhere);

/* The number of libraries in the table; some may not be ready.  ctx: any. */
unsigned mmi_modules_count(void);

/* Library i, or NULL if it isn't ready.  ctx: any. */
const struct mmi_module *mmi_modules_at(unsigned i);

/* The number, from 0, of the library of key k, or -1.  ctx: exit. */
int mmi_modules_of_key(uint64_t k);

#endif
