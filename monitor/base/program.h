/* SPDX-License-Identifier: MIT */
/*
 * Can the library be loaded into a program?  Programs are looked at as files:
 * before memmon runs one, and before a recorded process starts another.
 */
#ifndef MEMMON_PROGRAM_H
#define MEMMON_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The first release of glibc, 2.N, that has all functions which the library
 * calls: _dl_find_object() came with 2.35, and the headers of 2.38 and later
 * make __isoc23_strtoul() of strtoul().
 */
#if defined(__GLIBC__) && __GLIBC_MINOR__ >= 38
#define MMI_PROGRAM_GLIBC 38u
#else
#define MMI_PROGRAM_GLIBC 35u
#endif

/* Bytes of the longest loader's name that is looked at, with its NUL. */
#define MMI_PROGRAM_LOADER 512u

enum mmi_program_kind {
	MMI_PROGRAM_FITS,
	MMI_PROGRAM_UNKNOWN,   /* not an ELF file, or one that can't be read */
	MMI_PROGRAM_MACHINE,   /* for another CPU, or for 32 bits */
	MMI_PROGRAM_STATIC,    /* no dynamic loader runs it */
	MMI_PROGRAM_LIBC,      /* its loader is of another C library */
	MMI_PROGRAM_OLD,       /* its glibc is older than the library needs */
	MMI_PROGRAM_SANITIZER, /* the sanitizer's malloc must come first */
};

struct mmi_program {
	enum mmi_program_kind kind;
	bool is_loader;	    /* a dynamic loader, to be told what to run */
	bool own_malloc;    /* it defines malloc() */
	unsigned release;   /* of an old glibc: 31 is 2.31; 0 unknown */
	char sanitizer[64]; /* the library that makes it one, or "" */
	char loader[MMI_PROGRAM_LOADER]; /* that it asks for, or "" */
};

/* The loader's file of this process, so that it is known to fit.  ctx: init. */
void mmi_program_begin(const char *loader);

/*
 * A descriptor for reading a regular file, by its path from a directory's
 * descriptor or AT_FDCWD, or at that descriptor where the path is ""; -1 or
 * less if it can't be read.  The caller closes it.  ctx: fork; a child of
 * vfork(), too.
 */
long mmi_program_open(long directory, const char *path);

/*
 * Look at the file at descriptor fd, which may be one for reading only.  errno
 * stays as it is.  ctx: fork; a child of vfork(), too.
 */
void mmi_program_look(long fd, struct mmi_program *p);

/*
 * Which of the allocator's functions does the file at descriptor fd define for
 * others to call?  MONOUT_OWN_*.  ctx: as above.
 */
unsigned mmi_program_own(long fd);

/*
 * Which of the arguments of a dynamic loader, argv[1] and on, is the program
 * that it will run?  0: it will run none, but list, check or print something.
 * ctx: any.
 */
int mmi_program_argument(char *const argv[]);

#endif
