/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accesses that compilers don't instrument.  gcc calls a function at accesses
 * to objects of any size.  clang (ThreadSanitizer.cpp,
 * getMemoryAccessFuncIndex()) does so only for 1, 2, 4, 8 and 16 bytes: it
 * calls no function for long double, for vectors of more bytes, and for rows of
 * bit-fields that take 3, 5, 6 or 7 bytes.
 */
#ifndef MEMMON_REDUCE_UNINSTRUMENTED_H
#define MEMMON_REDUCE_UNINSTRUMENTED_H

#include <stdbool.h>

#include "reduce/binaries/debugfile.h"

/*
 * Might code of this file, which is instrumented, access memory without a call?
 * With debug information: does a unit of clang, or of an unknown compiler, have
 * a type for which that may happen?  Without: may the file be compiled by
 * another compiler than gcc?  Call this inside guard_run().
 */
bool uninstrumented_any(const struct debugfile *f);

#endif
