/* SPDX-License-Identifier: MIT */
/*
 * Can the library be loaded into a program?  memmon reads the program's file
 * before it runs the program, and a recorded process before it starts another
 * one.
 */
#ifndef MEMMON_PROGRAM_H
#define MEMMON_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The first release of glibc, 2.N, with all functions that the library calls:
 * _dl_find_object() came with 2.35, and the headers of 2.38 and later turn
 * strtoul() into __isoc23_strtoul().
 */
#if defined(__GLIBC__) && __GLIBC_MINOR__ >= 38
#define MMI_PROGRAM_GLIBC 38u
#else
#define MMI_PROGRAM_GLIBC 35u
#endif

/* The longest name of a loader that is read, in bytes, with its NUL. */
#define MMI_PROGRAM_LOADER 512u

enum mmi_program_kind {
	MMI_PROGRAM_FITS,
	MMI_PROGRAM_UNKNOWN,   /* not an ELF file, or one that can't be read */
	MMI_PROGRAM_MACHINE,   /* for another CPU, or 32 bits */
	MMI_PROGRAM_STATIC,    /* no dynamic loader runs it */
	MMI_PROGRAM_LIBC,      /* its loader is another C library's */
	MMI_PROGRAM_OLD,       /* its glibc is older than the library needs */
	MMI_PROGRAM_SANITIZER, /* the sanitizer's malloc must come first */
};

struct mmi_program {
	enum mmi_program_kind kind;
	bool is_loader;	    /* a dynamic loader, which runs another program */
	bool own_malloc;    /* it defines malloc() */
	unsigned release;   /* an old glibc: 31 is 2.31; 0 unknown */
	char sanitizer[64]; /* the sanitizer's library, or "" */
	char loader[MMI_PROGRAM_LOADER]; /* its loader, or "" */
};

/* Sets the loader's file of this process, which is known to fit.  ctx: init. */
void mmi_program_begin(const char *loader);

/*
 * Opens a regular file for reading: by its path from a directory's descriptor
 * or AT_FDCWD, or, if the path is "", the file of that descriptor; -1 or less
 * if it can't be read.  The caller closes it.  ctx: fork; a child of vfork(),
 * too.
 */
long mmi_program_open(long directory, const char *path);

/*
 * Reads the file at descriptor fd, which may be for reading only.  Doesn't
 * change errno.  ctx: fork; a child of vfork(), too.
 */
void mmi_program_look(long fd, struct mmi_program *p);

/*
 * Which of the allocator's functions does the file at descriptor fd export?
 * MONOUT_OWN_*.  ctx: as above.
 */
unsigned mmi_program_own(long fd);

/*
 * The index of the program in the arguments of a dynamic loader, argv[1] and
 * on; 0: it will not run a program, but list, check or print something.
 * ctx: any.
 */
int mmi_program_argument(char *const argv[]);

#endif
