/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that are not recorded, for cost.cc. */
void use(const void *p);
void use_tree(const void *p);
void use_link(const void *p);

void
use(const void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

void
use_tree(const void *p)
{
	use(p);
}

void
use_link(const void *p)
{
	use(p);
}
