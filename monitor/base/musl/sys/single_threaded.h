/* SPDX-License-Identifier: MIT */
/* musl doesn't tell whether there is one thread only: maybe not. */
#ifndef MEMMON_SINGLE_THREADED_H
#define MEMMON_SINGLE_THREADED_H

#define __libc_single_threaded 0

#endif
