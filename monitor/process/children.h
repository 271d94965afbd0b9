/* SPDX-License-Identifier: MIT */
/*
 * What programs that a recorded one starts find in LD_PRELOAD.  A program that
 * the library can't be loaded into would not start, or print what it doesn't
 * print alone: it gets an environment without the library.
 */
#ifndef MEMMON_CHILDREN_H
#define MEMMON_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>

/* A program that is about to be started. */
struct mmi_child {
	long directory;	     /* a descriptor that `path' starts from */
	const char *path;    /* "": the program is that descriptor's file */
	bool search;	     /* in $PATH, if there is no slash in it */
	bool spawned;	     /* in a process of its own */
	char *const *argv;   /* may be NULL */
	char *const *envp;   /* likewise */
	bool stays;	     /* the library does, in its environment */
	size_t room;	     /* bytes that its environment takes; 0: as it is */
};

/* Up to so many bytes come from the caller's frame. */
#define MMI_CHILD_FRAME 4096u

/*
 * Look at the program, and set c->room and c->stays.  errno stays as it is.
 * ctx: fork; a child of vfork(), too.
 */
void mmi_child_look(struct mmi_child *c);

/*
 * Make c->envp an environment without the library, in c->room bytes at room, or
 * mapped where that is NULL.  It stays as it is where these can't be had.  ctx:
 * fork; a child of vfork(), too.
 */
void mmi_child_environment(struct mmi_child *c, void *room);

/* Unmap it, if it was.  c->room is set.  ctx: any. */
void mmi_child_release(const struct mmi_child *c);

/* All of it, in a frame that lives as long as the environment is needed. */
#define MMI_CHILD_BEGIN(c) \
	do { \
		mmi_child_look(c); \
		if ((c)->room) \
			mmi_child_environment(c, (c)->room <= MMI_CHILD_FRAME \
							 ? __builtin_alloca( \
								   (c)->room) \
							 : NULL); \
	} while (0)

/*
 * The libc is about to start /bin/sh by itself, with the process's environment.
 * If the library can't be loaded into that shell, the process's LD_PRELOAD has
 * it no more.  ctx: slow.
 */
void mmi_child_shell(void);

#endif
