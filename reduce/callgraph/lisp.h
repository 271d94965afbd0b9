/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes of Lisp objects, which replace those by size, as in mprof's tables
 * for Lisp (the paper, section 6).
 */
#ifndef MEMMON_LISP_H
#define MEMMON_LISP_H

#include "reduce/monout/mon.h"

enum lisp_class { LISP_CONS, LISP_FLOAT, LISP_STRUCTURE, LISP_OTHER };

/*
 * If the file is of Lisp objects, put all counts of the site into the class of
 * its type.
 */
void lisp_classes(const struct mon *m, const struct mon_site *s,
		  struct counts *n);

#endif
