/* SPDX-License-Identifier: MIT */
/* The leak check: which live blocks can the program still get at? */
#ifndef MEMMON_LEAK_H
#define MEMMON_LEAK_H

#include "monitor/base/emit.h"

/*
 * At the end of the process there is to be a check, which may take so many
 * seconds (0: as many as usual).  ctx: init.
 */
void mmi_leak_init(unsigned seconds);

/* Find out what there is to be known of glibc.  ctx: init. */
void mmi_leak_init_glibc(void);

/*
 * The process ends; the check, if one is wanted and this is an end that allows
 * it.  ctx: exit.
 */
void mmi_leak_end(int end);

/* Results so far are the parent's.  ctx: fork. */
void mmi_leak_fork(void);

/*
 * While the file is written, of the last check: its keys of RUN; the tables,
 * site by site (`number' in SITES); how many items there were.  ctx: exit.
 */
void mmi_leak_run(struct mmi_emit *o);
void mmi_leak_begin(struct mmi_emit *o);
void mmi_leak_site(uint64_t number, uint32_t node);
void mmi_leak_tables(uint64_t *leaks, uint64_t *holds);

#endif
