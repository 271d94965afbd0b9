/* SPDX-License-Identifier: MIT */
/* musl doesn't say whether there is only one thread: assume several. */
#ifndef MEMMON_SINGLE_THREADED_H
#define MEMMON_SINGLE_THREADED_H

#define __libc_single_threaded 0

#endif
