/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * If no library calls the program's operator new, no dynamic symbol table has
 * it, and the monitor did not see it.
 */
#ifndef REDUCE_OWN_H
#define REDUCE_OWN_H

#include "reduce/file/mon.h"
#include "reduce/model/result.h"

/*
 * If the program's file has an operator new of its own, add MONOUT_OWN_NEW to
 * each run's `own'.  Runs of several programs are left as they are.
 */
void own_find(struct profile *p, const struct mon *m);

#endif
