/* SPDX-License-Identifier: MIT */
/*
 * What the monitor takes from glibc and musl hasn't: comes before all else
 * where the libc is musl (monitor.mk).
 */
#if !defined(MEMMON_MUSL_H) && defined(MEMMON_MUSL)
#define MEMMON_MUSL_H

#include <link.h>
#include <stdint.h>
#include <stdlib.h>

/* As glibc's, but that it takes a lock, of musl's list of objects. */
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

/* What is done at quick_exit() gets no argument here, and needs none. */
#define __cxa_at_quick_exit mmi_musl_at_quick_exit
__attribute__((visibility("hidden"))) int mmi_musl_at_quick_exit(
	void (*f)(void *), void *dso);

/*
 * Functions of mmi_next that call others which a program may replace: what
 * these do isn't to be counted twice.
 */
__attribute__((visibility("hidden"))) void mmi_musl_next(void);

/* What constructors aren't told. */
__attribute__((visibility("hidden"))) void mmi_musl_arguments(int *argc,
							      char ***argv);

/* Of a sigset_t. */
#define __val __bits

#endif
