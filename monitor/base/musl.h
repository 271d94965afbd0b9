/* SPDX-License-Identifier: MIT */
/*
 * Replaces the parts of glibc that musl lacks: included before everything else
 * if the libc is musl (monitor.mk).
 */
#if !defined(MEMMON_MUSL_H) && defined(MEMMON_MUSL)
#define MEMMON_MUSL_H

#include <link.h>
#include <stdint.h>
#include <stdlib.h>

/* Like glibc's, but it takes a lock of musl's list of objects. */
struct dl_find_object {
	void *dlfo_map_start, *dlfo_map_end;
	struct link_map *dlfo_link_map;
	void *dlfo_eh_frame; /* .eh_frame_hdr */
};
#define _dl_find_object mmi_musl_find_object
__attribute__((visibility("hidden"))) int mmi_musl_find_object(
	void *pc, struct dl_find_object *o);

/* An address at the end of the first thread's stack. */
#define __libc_stack_end (*mmi_musl_stack_end())
__attribute__((visibility("hidden"))) void **mmi_musl_stack_end(void);

/*
 * A function that runs at quick_exit() gets no argument here, and needs none.
 */
#define __cxa_at_quick_exit mmi_musl_at_quick_exit
__attribute__((visibility("hidden"))) int mmi_musl_at_quick_exit(
	void (*f)(void *), void *dso);

/*
 * Functions of mmi_next that call others which a program may replace: those
 * calls must not be counted again.
 */
__attribute__((visibility("hidden"))) void mmi_musl_next(void);

/* The arguments of main(), which musl doesn't pass to constructors. */
__attribute__((visibility("hidden"))) void mmi_musl_arguments(int *argc,
							      char ***argv);

/* A field of sigset_t. */
#define __val __bits

#endif
