/* SPDX-License-Identifier: MIT */
/* Generated code in the data file.  All ctx: exit. */
#ifndef MEMMON_CODES_PUT_H
#define MEMMON_CODES_PUT_H

#include "monitor/base/emit.h"

/*
 * _put_modules: put modules for it into the open table, after the `others'
 * other items; returns how many items the table has then.  _module_of: the
 * number of a key's module, from 0 on; -1: none of these.
 */
unsigned mmi_codes_put_modules(struct mmi_emit *o, unsigned others);
int mmi_codes_module_of(uint64_t key);

/* A key is in one of the other modules: its function may have another name. */
void mmi_codes_in_module(uint64_t key);

/* Did module i, from 0 on, have an item when the others were put? */
bool mmi_codes_after(unsigned i);

/* Put the table of codes: those that keys are in. */
void mmi_codes_put(struct mmi_emit *o);

#endif
