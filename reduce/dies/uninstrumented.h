/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the calls that compilers make at accesses leave out.  gcc makes them for
 * objects of any size; clang (ThreadSanitizer.cpp, getMemoryAccessFuncIndex())
 * for those of 1, 2, 4, 8 and 16 bytes only: long double, vectors of more
 * bytes, and bit-fields that in a row take 3, 5, 6 or 7 bytes are read and
 * written without a word.
 */
#ifndef MEMMON_REDUCE_UNINSTRUMENTED_H
#define MEMMON_REDUCE_UNINSTRUMENTED_H

#include <stdbool.h>

#include "reduce/objects/debugfile.h"

/*
 * Might code of this file, which calls a function at each access, have accesses
 * that no call tells of?  By its debug information: it has a unit of clang's
 * with a type that they could be of.  Where there is none: it isn't known to be
 * of gcc alone.  Call it in guard_run().
 */
bool uninstrumented_any(const struct debugfile *f);

#endif
