/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32 (ISO-HDLC), a nibble at a time: the table is a constant. */
#include "reduce/base/crc32.h"

/*
 * crc32_table[i]: the remainder of i * x^28 divided by the polynomial,
 * reflected.
 */
static const uint32_t crc32_table[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c
};

uint32_t
crc32_add(uint32_t crc, const void *p, size_t n)
{
	const unsigned char *s = p;

	crc = ~crc;
	while (n--) {
		crc ^= *s++;
		crc = crc >> 4 ^ crc32_table[crc & 15];
		crc = crc >> 4 ^ crc32_table[crc & 15];
	}
	return ~crc;
}
