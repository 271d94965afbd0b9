/* SPDX-License-Identifier: MIT */
/* Areas of a struct iovec. */
#ifndef MEMMON_ACCESS_WRAP_IOV_H
#define MEMMON_ACCESS_WRAP_IOV_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#pragma GCC visibility push(hidden)

/*
 * Count `all' bytes, as for mmi_wrap_count(), in the first of n areas, and the
 * vector itself as read.  ctx: hook.
 */
void mmi_wrap_vector(const struct iovec *v, size_t n, size_t all, uint64_t add);

#pragma GCC visibility pop

#endif
