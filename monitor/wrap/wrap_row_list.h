/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc that need no more than a row: what they do with their
 * caller's memory, once they are done.
 *
 *	ROW(type, failed, name, (parameters), (arguments), done)
 *	VOID(failed, name, (parameters), (arguments), done)
 *
 * `failed' is what it returns, or does, when there is no next function; r in
 * `done' is what that returned.  R, W and RW count a read, a write or both of n
 * bytes; R1, W1 and RW1 of what a pointer points to, which may be NULL; IF does
 * what follows only where it is so.  H is for memory that is the function's
 * from then on, or of which isn't known what it does with it: handed.h.  Other
 * words are of the file that makes functions of the rows: wrap_row.h.
 *
 * Included several times, where ROW and VOID are defined: neither this nor the
 * files with the rows are guarded against that.
 */
#include "monitor/wrap/wrap_row_io.h"
#include "monitor/wrap/wrap_row_memory.h"
#include "monitor/wrap/wrap_row_names.h"
#include "monitor/wrap/wrap_row_strings.h"
#include "monitor/wrap/wrap_row_system.h"
#include "monitor/wrap/wrap_row_wide.h"
