/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of the JSON as comma-separated values (RFC 4180): each member of
 * the one object that is an array of objects, or an object, is a table, its
 * objects are rows.  An object within a row becomes columns, with a dot between
 * the names; an array a cell of JSON; null an empty one.
 */
#ifndef MEMMON_CSV_H
#define MEMMON_CSV_H

#include "reduce/profile/profile.h"

#include <stdio.h>

/*
 * Print one table of *p on out, by its name; NULL: sites; "all": all of them,
 * each with its name on a line before it and an empty line behind.  0, or -1
 * with *e set: there is no such table, or no memory.
 */
int csv_print(const struct profile *p, const char *table, FILE *out,
	      struct err *e);

#endif
