/* SPDX-License-Identifier: MIT */
/*
 * Reads memory that may be unmapped at any time, or unreadable: the kernel
 * copies it, and nothing crashes.
 */
#ifndef MEMMON_PEEK_H
#define MEMMON_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "monitor/base/arch.h"

#pragma GCC visibility push(hidden)

/* n bytes at `at'.  False: they can't be read, or only in part.  ctx: hook. */
bool mmi_peek_now(void *to, uintptr_t at, size_t n);

/*
 * Can the eight bytes at `at', a multiple of 8, be read?  With an invalid `how'
 * the kernel reads the mask, then refuses.  ctx: any.
 */
static inline bool
mmi_peek_word(uintptr_t at)
{
	return ARCH_SYS(SYS_rt_sigprocmask, 0x7fff, at, 0, 8, 0, 0) == -EINVAL;
}

/*
 * Can a byte be read at each of n addresses, at most this many?  If the kernel
 * doesn't say, true.  ctx: hook.
 */
#define MMI_PEEK_EACH 16u
bool mmi_peek_each(const void *const at[], size_t n);

/*
 * The same for many places: pages that were read are stored from begin to end.
 * Waits for another thread that is doing this.  False: the wait takes too long,
 * or no page can be read.  With signals blocked.  ctx: slow.
 */
bool mmi_peek_begin(void);
bool mmi_peek(void *to, uintptr_t at, size_t n);
void mmi_peek_end(void);

/*
 * Copies the text at `at', its first n - 1 bytes and a NUL.  Otherwise like
 * mmi_peek().
 */
bool mmi_peek_text(char *to, size_t n, uintptr_t at);

/* No thread reads any more.  ctx: fork. */
void mmi_peek_fork(void);

#pragma GCC visibility pop

#endif
