/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library that isn't recorded, and functions that are or aren't. */
#ifndef MEMMON_TESTS_HANDED_H
#define MEMMON_TESTS_HANDED_H

#include <stddef.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

struct stream {
	const char *next;
	size_t n;
	char *out;
	void *user;
	struct state *state;
};

struct node {
	struct node *next;
	char *text;
};

void lib_run(struct stream *s);
void lib_list(struct node *n);
void lib_keep(char *p);
void lib_use(void);
void lib_value(struct stream s);
void lib_each(char *p, void (*f)(char *p, void *user), void *user);
/* Functions of the program: the first isn't recorded, the second is. */
void static_fill(char *p, size_t n);
void other_fill(char *p, size_t n);

#endif
