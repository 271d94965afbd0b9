/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names and lines of an address. */
#ifndef MEMMON_SYMBOLS_FRAME_H
#define MEMMON_SYMBOLS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* Set in entries of functions that exist only inlined: they have no address. */
#define SYMBOLS_KEY (UINT64_C(1) << 63)

/* A function at an address.  A physical frame consists of one or more. */
struct symbols_frame {
	const char *name;     /* demangled if asked for; "[module+0xentry]" when
			       * no symbol covers the address */
	const char *linkage;  /* the symbol's name; NULL: the same */
	const char *file;     /* source of the call; "" unknown */
	unsigned line;	      /* of the call; 0 unknown */
	const char *def_file; /* where the function is defined; "" unknown */
	unsigned def_line;
	uint64_t entry; /* address of the function; if it exists only inlined, a
			 * unique key with SYMBOLS_KEY; the return address
			 * itself if nothing is known */
	bool inlined;	/* into the next frame of the array */
	bool known;	/* false: name is "[module+0xentry]" */
	bool part;	/* the compiler split it off the function, which calls
			 * it: this isn't recursion */
};

#endif
