/* SPDX-License-Identifier: MIT */
/* The leak check: which live blocks can the program still get at? */
#ifndef MEMMON_LEAK_H
#define MEMMON_LEAK_H

#include "monitor/base/emit.h"

/*
 * Read MEMMON_LEAKCHECK: whether to check at the end of the process, and of
 * each file that is written before; how many seconds a check may take; which
 * forms of pointers count.  ctx: init.
 */
void mmi_leak_init(void);
bool mmi_leak_wanted(void); /* ctx: any */

/* Find out how this glibc is laid out.  ctx: init. */
void mmi_leak_init_glibc(void);

/*
 * The file is about to be written, because the process ends (by signal `sig',
 * if a signal ends it) or goes on.  Runs the check if one is wanted and this
 * end allows it.  ctx: exit, signal.
 */
void mmi_leak_end(int end, int sig);

/*
 * The same for a file that is written while the process runs.  `what' is what
 * to do in addition to what MEMMON_LEAKCHECK and MEMMON_GRAPH say.
 */
enum mmi_leak_what { MMI_LEAK_WANTED, MMI_LEAK_LEAKS, MMI_LEAK_GRAPH };
void mmi_leak_dump(enum mmi_leak_what what);

/*
 * The library was entered from a frame that ends at `sp'; all registers are
 * saved from there on.  The stack below isn't the program's.  ctx: exit.
 */
void mmi_leak_entered(const uintptr_t *sp);

/*
 * _due: is a graph to be made when exit() begins?  ctx: any.  _exits: make it;
 * it goes to the file that is written at the end.  ctx: exit.
 */
bool mmi_leak_graph_due(void);
void mmi_leak_graph_exits(void);

/* Counts start again from zero: forget earlier results.  ctx: slow. */
void mmi_leak_forget(void);

/* Forget the parent's results.  ctx: fork. */
void mmi_leak_fork(void);

/*
 * Write the results of the last check to the file: its keys of RUN; the tables,
 * site by site (`number' in SITES); how many items there were.  ctx: exit.
 */
void mmi_leak_run(struct mmi_emit *o);
void mmi_leak_begin(struct mmi_emit *o);
void mmi_leak_site(uint64_t number, uint32_t node);
void mmi_leak_tables(uint64_t *leaks, uint64_t *holds, uint64_t *links);

/*
 * Does the process have more seccomp filters than the first process of its
 * system?  Then one of them may end the process for a system call that the
 * program doesn't make itself.  The caller provides `text', as a signal stack
 * may be small.  ctx: exit.
 */
#define MMI_LEAK_STATUS 4096u
bool mmi_leak_filters(char text[MMI_LEAK_STATUS]);

/* A stack that glibc made: [start, end); below it guard bytes, no access. */
struct mmi_leak_stack {
	uintptr_t start, end, guard;
};

/*
 * The stack of one more thread, in glibc's list of them.  *link: 0 at first.
 * False: there are no more, or the list isn't known.  ctx: exit.
 */
bool mmi_leak_stack_next(uintptr_t *link, struct mmi_leak_stack *s);

#endif
