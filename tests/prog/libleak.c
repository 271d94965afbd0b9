/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For leakshapes: thread-local storage that is made at the first access. */
__thread void *leak_held[64];

void
leak_hold(void *p)
{
	leak_held[7] = p;
}
