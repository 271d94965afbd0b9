/* SPDX-License-Identifier: MIT */
/*
 * Between instrumented code and libmemmon-access: what both must agree on.  The
 * plugin for gcc includes it too.
 *
 * The address space is seen as granules of 16 bytes.  Each has a word of 64
 * bits, in one array for all addresses, so a granule's word is found without a
 * look-up: cells[address >> 4 & mask]; the mask is cells[-1].  (It takes 44
 * bits of an address; where the array can't be had, what stands in for it is
 * small.)  Instrumented code adds to the counts in it.  When the word's upper
 * half isn't that of the present thread and time, it calls __memmon_touch()
 * first, which puts things straight; or, where that is what skip has, it counts
 * none of the accesses to the object.
 *
 *	0-14	writes
 *	15	there are more reads or writes elsewhere
 *	16	when its block was touched at first is known elsewhere
 *	17	several threads touched it
 *	18	with 16: it stands with the granule, not with the block
 *	19-31	reads and writes
 *	32-37	the same, when they have grown too large: the guard
 *	38-55	stamp: when it was last touched, a step of the clock
 *	56-63	tag of the thread that did, 0: none
 *
 * As there are never more writes than both together, one guard is enough, and
 * it stands where a stamp is compared, in which it is 0.
 *
 * An access counts once in each granule that it touches.
 */
#ifndef MEMMON_ABI_H
#define MEMMON_ABI_H

#define MEMMON_GRANULE_SHIFT 4
#define MEMMON_WRITES_BITS 15
#define MEMMON_OVERFLOW_SHIFT 15
#define MEMMON_FIRST_SHIFT 16
#define MEMMON_SHARED_SHIFT 17
#define MEMMON_OWN_SHIFT 18
#define MEMMON_ALL_SHIFT 19
#define MEMMON_ALL_BITS 13 /* below the guard */
#define MEMMON_GUARD_SHIFT 32
#define MEMMON_STAMP_SHIFT 38
#define MEMMON_STAMP_BITS 18
#define MEMMON_TAG_SHIFT 56
#define MEMMON_TAG_BITS 8

/* What a read, and what a write, adds to a word. */
#define MEMMON_READ 0x80000
#define MEMMON_WRITE 0x80001

/* The most reads, and writes, that instrumented code may add at once. */
#define MEMMON_ADD_MAX 16383

/* Up to that n, the word of a + 16 n may be cells[(a >> 4 & mask) + n]. */
#define MEMMON_BESIDE 64

/*
 * A thread's variable in thread-local storage (initial-exec) of this name
 * points to its struct memmon_access_state.  The name tells who reads the
 * linker's message what is missing; its number changes with this file.
 */
#define MEMMON_STATE_NAME "__link_with_lmemmon_access_v5"

/*
 * A recorded function that a pointer may lead to begins with this instruction,
 * which does nothing, but for an endbr64 that may come first.
 */
#define MEMMON_MARK 0x0f, 0x1f, 0x84, 0, 0x6d, 0x6d, 0x6f, 0x6e

/* Bits of an address that are its place, in bytes, in __memmon_targets. */
#define MEMMON_TARGETS_MASK 0x3ff8

/* The offset of `renewed' in struct memmon_access_state, in bytes. */
#define MEMMON_RENEWED 24

#ifndef MEMMON_ABI_NAMES_ONLY
#include <stddef.h>
#include <stdint.h>

#define MEMMON_SKIP_NONE (~0ull)

/*
 * Only the library writes to it, and to `renewed' __memmon_touch()'s entries
 * (touch_entries.h); `now' may change at any time.
 */
struct memmon_access_state {
	uint64_t *cells;
	uint64_t now; /* whose upper half a word must have to be added to */
	/* Accesses to a word that has this upper half aren't counted.  Where
	 * blocks are sampled it is 0, else one that no word has. */
	uint64_t skip;
	/* How often a word didn't fit `now', about; of long calls, twice. */
	uint64_t renewed;
};

extern __thread struct memmon_access_state *__link_with_lmemmon_access_v5
	__attribute__((tls_model("initial-exec")));

/*
 * Before an access is counted in *cell, whose word doesn't fit `now': makes it
 * one that the counts may be added to.  Leaves vector and floating-point
 * registers alone.
 */
void __memmon_touch(uint64_t *cell);

/*
 * Accesses to all of [p, p + size): one of `reads' and `writes' each in every
 * granule that it touches.
 */
void __memmon_range(const void *p, size_t size, uint32_t reads,
		    uint32_t writes);

/*
 * n accesses of `size' bytes each, at first, first + stride, first + 2 stride
 * ...; each counts `reads' and `writes' in every granule that it touches.
 */
void __memmon_loop(const void *first, ptrdiff_t stride, size_t n, size_t size,
		   uint32_t reads, uint32_t writes);

/*
 * A function that recorded code calls and that is defined elsewhere.  `unknown'
 * is 0 where the linker finds that its accesses are recorded too: a recorded
 * function f has a symbol f.memmon, hidden and absolute, of value 1, and this
 * is f.memmon - 1.  __memmon_handed() makes it 0 when it finds out as much.
 */
struct memmon_callee {
	uint64_t unknown;
	int32_t slot; /* from here to a word with the function's address */
	uint32_t asked; /* the library's: when it last found that it isn't */
};

/* A type, as far as code that knows it may follow its pointers. */
struct memmon_pointee {
	uint64_t size, n;
	struct {
		uint64_t offset;
		const struct memmon_pointee *to; /* NULL: no further */
	} pointer[];
};

/*
 * Instead of a type: words, each of which may lead to a block of more of them.
 * The bytes given are those that may be looked at where there is no block.
 */
#define MEMMON_WORDS ((const struct memmon_pointee *)1)

/*
 * The function is about to be called, and `unknown' isn't 0.  There follow n
 * times three arguments: a pointer that it gets; the type, or NULL; how many
 * bytes from there on are of that type, or 0, when that isn't known.
 */
void __memmon_handed(struct memmon_callee *callee, unsigned n, ...);

/*
 * What calls of the function hand over whose pointers come in registers for
 * integers: they call code of their unit, which jumps to the function; before,
 * when `unknown' isn't 0, it calls __memmon_handed_entry, which each program or
 * library has once (touch_entries.h), with r11 leading here, and that calls
 * this, with the six registers.
 */
struct memmon_handing {
	int32_t callee; /* from here to its struct memmon_callee */
	uint32_t n;
	struct {
		uint64_t bytes;
		int32_t type; /* from here; 0: NULL; 1: MEMMON_WORDS */
		uint32_t place;
	} pointer[];
};
void __memmon_handed_registers(const struct memmon_handing *handing,
			       const uintptr_t *registers);

/*
 * The same for a function that is called by a pointer, which isn't the one that
 * stands in its place: those are known as recorded.  The library puts it there
 * if it is, too, and takes all out before anything is unloaded.
 */
extern uint64_t __memmon_targets[MEMMON_TARGETS_MASK / 8 + 1];
void __memmon_handed_target(const void *target, unsigned n, ...);
#endif

#endif
