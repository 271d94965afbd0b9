/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces monitor/chain/fold.c: call paths aren't folded. */
#include <stdlib.h>

#include "monitor/chain/fold.h"

uint32_t mmi_fold_from = UINT32_MAX;

uint32_t
mmi_fold_function(uint64_t key, bool make)
{
	(void)key;
	(void)make;
	abort();
}

uint32_t
mmi_fold_start(uint32_t node, uint32_t function)
{
	(void)node;
	(void)function;
	abort();
}

void
mmi_fold_learn(uint32_t start, uint32_t node)
{
	(void)start;
	(void)node;
	abort();
}

unsigned
mmi_fold_level(uint32_t start)
{
	(void)start;
	abort();
}

uint64_t
mmi_fold_name(struct mmi_thread *t, uint32_t start, uint32_t node, uint64_t key,
	      uint32_t function, unsigned level)
{
	(void)t;
	(void)start;
	(void)node;
	(void)key;
	(void)function;
	(void)level;
	abort();
}

void
mmi_fold_fork(void)
{
}
