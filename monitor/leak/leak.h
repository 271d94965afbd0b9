/* SPDX-License-Identifier: MIT */
/* The leak check: which live blocks can the program still get at? */
#ifndef MEMMON_LEAK_H
#define MEMMON_LEAK_H

#include "monitor/base/emit.h"

/*
 * What MEMMON_LEAKCHECK says: is there to be a check at the end of the process,
 * and of each file that is written before; how many seconds it may take; which
 * forms of pointers count.  ctx: init.
 */
void mmi_leak_init(void);
bool mmi_leak_wanted(void); /* ctx: any */

/* Find out what there is to be known of glibc.  ctx: init. */
void mmi_leak_init_glibc(void);

/*
 * The file is about to be written, as the process ends (by signal `sig', if
 * that ends it) or goes on; the check, if one is wanted and this is an end that
 * allows it.  ctx: exit, signal.
 */
void mmi_leak_end(int end, int sig);

/*
 * The same for a file that is written while the process runs.  What is asked
 * for, in addition to what MEMMON_LEAKCHECK and MEMMON_GRAPH say.
 */
enum mmi_leak_what { MMI_LEAK_WANTED, MMI_LEAK_LEAKS, MMI_LEAK_GRAPH };
void mmi_leak_dump(enum mmi_leak_what what);

/*
 * The library was entered from a frame that ends at `sp', with all registers
 * saved from there on: what is below isn't the program's.  ctx: exit.
 */
void mmi_leak_entered(const uintptr_t *sp);

/*
 * Is a graph to be made as exit() begins?  It is made, and goes to the file
 * that is written at the end.  ctx: any; exit.
 */
bool mmi_leak_graph_due(void);
void mmi_leak_graph_exits(void);

/* Counts begin anew, and results so far are of other blocks.  ctx: slow. */
void mmi_leak_forget(void);

/* Results so far are the parent's.  ctx: fork. */
void mmi_leak_fork(void);

/*
 * While the file is written, of the last check: its keys of RUN; the tables,
 * site by site (`number' in SITES); how many items there were.  ctx: exit.
 */
void mmi_leak_run(struct mmi_emit *o);
void mmi_leak_begin(struct mmi_emit *o);
void mmi_leak_site(uint64_t number, uint32_t node);
void mmi_leak_tables(uint64_t *leaks, uint64_t *holds, uint64_t *links);

/*
 * Has the process more seccomp filters than the first process of its system?
 * Then one of them may end it for a system call that it doesn't make itself.
 * The caller has room for text, as a signal stack may be small.  ctx: exit.
 */
#define MMI_LEAK_STATUS 4096u
bool mmi_leak_filters(char text[MMI_LEAK_STATUS]);

/* A stack that glibc made: [start, end), above guard bytes without access. */
struct mmi_leak_stack {
	uintptr_t start, end, guard;
};

/*
 * The stack of one more thread, in glibc's list of them.  *link: 0 at first.
 * False: there are no more, or the list isn't known.  ctx: exit.
 */
bool mmi_leak_stack_next(uintptr_t *link, struct mmi_leak_stack *s);

#endif
