/* SPDX-License-Identifier: MIT */
/* Generated code, as the data file has it.  All ctx: exit. */
#ifndef MEMMON_CODES_PUT_H
#define MEMMON_CODES_PUT_H

#include "monitor/base/emit.h"

/*
 * Modules for it go to that table, behind its `others' other items.  How many
 * items it has then.  And which one, from 0, is a key's; -1: none of these.
 */
unsigned mmi_codes_put_modules(struct mmi_emit *o, unsigned others);
int mmi_codes_module_of(uint64_t key);

/* A key is in one of the other modules: is its function called otherwise? */
void mmi_codes_in_module(uint64_t key);

/* Of the other items: was module i, from 0, among them? */
bool mmi_codes_after(unsigned i);

/* The table of codes: of those that keys are in. */
void mmi_codes_put(struct mmi_emit *o);

#endif
