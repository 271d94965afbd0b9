/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of an address. */
#ifndef MEMMON_SYMBOLS_FRAME_H
#define MEMMON_SYMBOLS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* In entries of functions that exist only inlined, and have no address. */
#define SYMBOLS_KEY (UINT64_C(1) << 63)

/* One function at an address.  A physical frame has one or more of them. */
struct symbols_frame {
	const char *name;     /* demangled if asked for; "[module+0xentry]"
				 * when no symbol covers the address */
	const char *linkage;  /* name as the linker has it; NULL: no other */
	const char *file;     /* source of the call; "" unknown */
	unsigned line;	      /* of the call; 0 unknown */
	const char *def_file; /* where the function is defined; "" unknown */
	unsigned def_line;
	uint64_t entry; /* address of the function; of one that exists
				 * only inlined, a key with SYMBOLS_KEY that
				 * tells it from others; the return address
				 * itself when nothing is known */
	bool inlined;	/* into the next frame of the array */
	bool known;	/* false: name is "[module+0xentry]" */
	bool part;	/* split off the function by the compiler, and called
		       * by the rest of it: no recursion */
};

#endif
