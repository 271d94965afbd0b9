/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of a granule, read by code that isn't recorded itself. */
#ifndef TESTS_ACCESS_CALLS_WORD_H
#define TESTS_ACCESS_CALLS_WORD_H

#include <stdint.h>

/* Reads and writes so far of the granule that p is in; below 8192. */
uint64_t word_reads(const volatile void *p);
uint64_t word_writes(const volatile void *p);

#endif
