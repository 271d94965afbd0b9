/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32 (ISO-HDLC, which zip and Ethernet use), as in mon.out(5). */
#ifndef MEMMON_REDUCE_CRC32_H
#define MEMMON_REDUCE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/*
 * The CRC of n bytes at p.  `crc' is 0 for the first bytes, and the CRC so far
 * for the bytes that follow: crc32_add(crc32_add(0, a, n), b, m) is the CRC of
 * a and b together.
 */
uint32_t crc32_add(uint32_t crc, const void *p, size_t n);

#endif
