/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library; PART 1: its function, in the program; 2: the other one. */
#include "tests/access/handed.h"

static inline void
fill(char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)p)[i] = (char)i;
}

#if PART == 1
void
static_fill(char *p, size_t n)
{
	fill(p, n);
}
#elif PART == 2
void
other_fill(char *p, size_t n)
{
	fill(p, n);
}
#else
static char *kept;

void
lib_run(struct stream *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->out[i] = s->next[i];
}

void
lib_list(struct node *n)
{
	for (; n; n = n->next)
		n->text[0] = 'x';
}

void
lib_keep(char *p)
{
	kept = p;
}

void
lib_use(void)
{
	fill(kept, 8);
}

void
lib_value(struct stream s)
{
	s.out[1] = s.next[0];
}

void
lib_each(char *p, void (*f)(char *p, void *user), void *user)
{
	for (; *p; p++)
		f(p, user);
}
#endif
