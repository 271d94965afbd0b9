/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of what calls return. */
#include "reduce/guess.h"

enum guess_answer
guess_cxx(const struct guess_call *c, struct guess_type *t)
{
	(void)c;
	(void)t;
	return GUESS_UNKNOWN;
}

void
guess_cxx_outer(const struct guess_call *c, struct guess_type *t)
{
	(void)c;
	t->open = false;
}
