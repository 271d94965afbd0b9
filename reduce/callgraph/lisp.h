/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classes of Lisp objects, in place of those by size, as in mprof's tables for
 * Lisp (the paper, section 6).
 */
#ifndef MEMMON_LISP_H
#define MEMMON_LISP_H

#include "reduce/file/mon.h"

enum lisp_class { LISP_CONS, LISP_FLOAT, LISP_STRUCTURE, LISP_OTHER };

/* Where there were Lisp objects, the site's counts are of its type's class. */
void lisp_classes(const struct mon *m, const struct mon_site *s,
		  struct counts *n);

#endif
