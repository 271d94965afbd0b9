/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: no traced calls, no generated code, no other sources of blocks. */
#ifndef MEMMON_NOCALLS_H
#define MEMMON_NOCALLS_H

#include "monitor/chain/origin.h"
#include "monitor/chain/traced.h"
#include "monitor/file/codes_put.h"

void
mmi_traced_ends(void)
{
}

struct mmi_frame *
mmi_origin_frame_other(struct mmi_thread *t, struct mmi_frame *s,
		       const struct mmi_origin *o)
{
	(void)t;
	(void)o;
	return s;
}

unsigned
mmi_codes_put_modules(struct mmi_emit *o, unsigned others)
{
	(void)o;
	return others;
}

int
mmi_codes_module_of(uint64_t key)
{
	(void)key;
	return -1;
}

void
mmi_codes_in_module(uint64_t key)
{
	(void)key;
}

bool
mmi_codes_after(unsigned i)
{
	(void)i;
	return true;
}

#endif
