/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds an operator new that the program defines and the monitor didn't see.
 * If no library calls it, it is in no dynamic symbol table.
 */
#ifndef REDUCE_OWN_H
#define REDUCE_OWN_H

#include "reduce/monout/mon.h"
#include "reduce/model/result.h"

/*
 * If the program's file defines an operator new, add MONOUT_OWN_NEW to each
 * run's `own'.  Runs of several programs stay unchanged.
 */
void own_find(struct profile *p, const struct mon *m);

#endif
