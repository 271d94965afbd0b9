/* SPDX-License-Identifier: MIT */
/*
 * What instrumented code and libmemmon-access must agree on.  The plugin for
 * gcc includes it, too.
 *
 * The address space is divided into granules of 16 bytes.  Each granule has a
 * word of 64 bits, in one array for all addresses, so its word is found without
 * a look-up: cells[address >> 4 & mask]; the mask is cells[-1].  (The mask
 * keeps 44 bits of an address; if the array can't be mapped, a small array is
 * used instead.)  Instrumented code adds to the counts in the word.  If the
 * word's upper half isn't that of the present thread and time, the code first
 * calls __memmon_touch(), which updates the word; but if the upper half equals
 * `skip', the code doesn't count the accesses to the object.
 *
 *	0-14	writes
 *	15	there are more reads or writes elsewhere
 *	16	the time of the first access to its block is stored elsewhere
 *	17	several threads touched it
 *	18	with 16: it is stored with the granule, not with the block
 *	19-31	reads and writes
 *	32-37	the same, when they have grown too large: the guard
 *	38-55	stamp: when it was last touched, a step of the clock
 *	56-63	tag of the thread that touched it last, 0: none
 *
 * As there are never more writes than reads and writes together, one guard is
 * enough.  It is in the half that is compared with a stamp, in which it is 0.
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

/*
 * If n is at most this, the word of a + 16 n may be cells[(a >> 4 & mask) + n].
 */
#define MEMMON_BESIDE 64

/*
 * A thread's variable in thread-local storage (initial-exec) of this name
 * points to its struct memmon_access_state.  If the library is missing, the
 * linker's message shows this name, which says what to do; the number changes
 * with this file.
 */
#define MEMMON_STATE_NAME "__link_with_lmemmon_access_v6"

/*
 * A recorded function that a pointer may lead to begins with this instruction,
 * which does nothing; an endbr64 may precede it.
 */
#define MEMMON_MARK 0x0f, 0x1f, 0x84, 0, 0x6d, 0x6d, 0x6f, 0x6e

/* Bits of an address that are its offset, in bytes, in __memmon_targets. */
#define MEMMON_TARGETS_MASK 0x3ff8

/* The offset of `renewed' in struct memmon_access_state, in bytes. */
#define MEMMON_RENEWED 24

#ifndef MEMMON_ABI_NAMES_ONLY
#include <stddef.h>
#include <stdint.h>

#define MEMMON_SKIP_NONE (~0ull)

/*
 * Only the library writes to it, except that __memmon_touch()'s entries
 * (touch_entries.h) write to `renewed'; `now' may change at any time.
 */
struct memmon_access_state {
	uint64_t *cells;
	/* A word's upper half must equal this for counts to be added. */
	uint64_t now;
	/*
	 * Accesses to a word with this upper half aren't counted.  When blocks
	 * are sampled it is 0, else a value that no word has.
	 */
	uint64_t skip;
	/* About how often a word didn't fit `now'; twice for long calls. */
	uint64_t renewed;
	/* Accesses at this address and above aren't counted. */
	uint64_t limit;
};

extern __thread struct memmon_access_state *__link_with_lmemmon_access_v6
	__attribute__((tls_model("initial-exec")));

/*
 * Call it before an access is counted in *cell, if the word there doesn't fit
 * `now': updates the word so that counts may be added.  Doesn't change vector
 * and floating-point registers.
 */
void __memmon_touch(uint64_t *cell);

/*
 * Accesses to all of [p, p + size): `reads' and `writes' are added in every
 * granule that the range touches.
 */
void __memmon_range(const void *p, size_t size, uint32_t reads,
		    uint32_t writes);

/*
 * n accesses of `size' bytes each, at first, first + stride, first + 2 stride
 * ...; each adds `reads' and `writes' in every granule that it touches.
 */
void __memmon_loop(const void *first, ptrdiff_t stride, size_t n, size_t size,
		   uint32_t reads, uint32_t writes);

/*
 * A function that recorded code calls, and that is defined elsewhere.
 * `unknown' is 0 if the linker finds that the function's accesses are recorded,
 * too: a recorded function f has a symbol f.memmon, hidden and absolute, of
 * value 1, and `unknown' is f.memmon - 1.  __memmon_handed() sets it to 0 when
 * it finds out the same.
 */
struct memmon_callee {
	uint64_t unknown;
	int32_t slot; /* from here to a word with the function's address */
	/*
	 * Set by the library: when it last found that the function isn't
	 * recorded.
	 */
	uint32_t asked;
};

/* A type, with the pointers in it that may be followed. */
struct memmon_pointee {
	uint64_t size, n;
	struct {
		uint64_t offset;
		const struct memmon_pointee *to; /* NULL: no further */
	} pointer[];
};

/*
 * Instead of a type: words, each of which may lead to a block of further words.
 * If there is no block, as many bytes as given may be read.
 */
#define MEMMON_WORDS ((const struct memmon_pointee *)1)

/*
 * Call it before the function is called, if `unknown' isn't 0.  Then follow n
 * times three arguments: a pointer that the function gets; the type, or NULL;
 * how many bytes from the pointer on have this type, or 0 if that is unknown.
 */
void __memmon_handed(struct memmon_callee *callee, unsigned n, ...);

/*
 * The pointers that calls of the function pass, if all of them are in registers
 * for integers.  These calls go to code in their own unit, which jumps to the
 * function.  If `unknown' isn't 0, this code first calls __memmon_handed_entry,
 * which each program or library has once (touch_entries.h), with r11 pointing
 * here; that calls __memmon_handed_registers() with the six registers.
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
 * The same for a function that is called through a pointer, unless the pointer
 * is the one in its slot of __memmon_targets: these functions are recorded.
 * The library adds a function there if it is recorded, too, and removes all of
 * them before anything is unloaded.
 */
extern uint64_t __memmon_targets[MEMMON_TARGETS_MASK / 8 + 1];
void __memmon_handed_target(const void *target, unsigned n, ...);
#endif

#endif
