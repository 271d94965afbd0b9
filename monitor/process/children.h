/* SPDX-License-Identifier: MIT */
/*
 * LD_PRELOAD of programs that a recorded program starts.  A program that the
 * library can't be loaded into would not start, or would print messages that it
 * doesn't print alone.  Such a program gets an environment without the library.
 */
#ifndef MEMMON_CHILDREN_H
#define MEMMON_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>

/* A program that is about to be started. */
struct mmi_child {
	long directory;	     /* descriptor that `path' is relative to */
	const char *path;    /* "": the descriptor's own file */
	bool search;	     /* in $PATH, if it contains no slash */
	bool spawned;	     /* in a process of its own */
	char *const *argv;   /* may be NULL */
	char *const *envp;   /* may be NULL */
	bool stays;	     /* its environment keeps the library */
	size_t room;	     /* bytes for a new environment; 0: unchanged */
};

/* Up to this many bytes come from the caller's frame. */
#define MMI_CHILD_FRAME 4096u

/*
 * Can the path, the lists and their texts be read?  If not, the libc or the
 * kernel says what is wrong.  ctx: fork; a child of vfork(), too.
 */
bool mmi_child_readable(const struct mmi_child *c);

/*
 * Looks at the program, and sets c->room and c->stays.  errno stays as it is.
 * ctx: fork; a child of vfork(), too.
 */
void mmi_child_look(struct mmi_child *c);

/*
 * Makes c->envp an environment without the library, in c->room bytes at room;
 * if room is NULL, maps the bytes.  The environment stays as it is if they
 * can't be mapped.  ctx: fork; a child of vfork(), too.
 */
void mmi_child_environment(struct mmi_child *c, void *room);

/* Unmaps the environment if it was mapped.  c->room is set.  ctx: any. */
void mmi_child_release(const struct mmi_child *c);

/* All of this, in a frame that lives as long as the environment is needed. */
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
 * The libc is about to start /bin/sh itself, with the process's environment.
 * If the library can't be loaded into that shell, this removes the library from
 * the process's LD_PRELOAD.  ctx: slow.
 */
void mmi_child_shell(void);

#endif
