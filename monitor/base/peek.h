/* SPDX-License-Identifier: MIT */
/*
 * What stands in memory that may be unmapped at any time, or can't be read: the
 * kernel copies it, and nothing faults.
 */
#ifndef MEMMON_PEEK_H
#define MEMMON_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* n bytes at `at'.  False: they can't be read, or only in part.  ctx: hook. */
bool mmi_peek_now(void *to, uintptr_t at, size_t n);

/*
 * The same of many places: pages that were read are kept from begin to end.
 * Waits for another thread that does so.  False: that takes long, or no page
 * can be read.  With signals blocked.  ctx: slow.
 */
bool mmi_peek_begin(void);
bool mmi_peek(void *to, uintptr_t at, size_t n);
void mmi_peek_end(void);

/* The text at `at' with its NUL, of which `to' has the first n - 1 bytes.  The
 * same. */
bool mmi_peek_text(char *to, size_t n, uintptr_t at);

/* Nobody reads any more.  ctx: fork. */
void mmi_peek_fork(void);

#pragma GCC visibility pop

#endif
