/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that need only a row, which says what they do with their
 * caller's memory when they are done.
 *
 *	ROW(type, failed, name, (parameters), (arguments), done)
 *	VOID(failed, name, (parameters), (arguments), done)
 *
 * `failed' is what the function returns, or does, if there is no next function;
 * r in `done' is the next function's result.  R, W and RW count a read, a write
 * or both of n bytes; R1, W1 and RW1 of the object that a pointer points to,
 * which may be NULL; IF does the rest only if a condition holds.  H is for
 * memory that the function keeps, or whose use is unknown: handed.h.  The file
 * that makes functions of the rows defines the other words: wrap_row.h.
 *
 * This file and the files with the rows are included several times, with other
 * definitions of ROW and VOID; so they have no include guards.
 */
#include "monitor/wrap/wrap_row_io.h"
#include "monitor/wrap/wrap_row_memory.h"
#include "monitor/wrap/wrap_row_names.h"
#include "monitor/wrap/wrap_row_strings.h"
#include "monitor/wrap/wrap_row_system.h"
#include "monitor/wrap/wrap_row_wide.h"
