/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names without what makes those of C++ and Rust long. */
#ifndef MEMMON_SYMBOLS_SHORT_H
#define MEMMON_SYMBOLS_SHORT_H

/*
 * Shorten a demangled name: template arguments become "<>", and parameters,
 * types of results, ABI tags and qualifiers of member functions are left out.
 * What isn't a name of that kind, or a short one, stays as it is.  to: room for
 * as many bytes as the name has, with its NUL.  O(length).
 */
void symbols_shorten(const char *name, char *to);

#endif
