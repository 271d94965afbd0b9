/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changes mon.out(5) files so that the reader gets to the changes: by records
 * and numbers, with right CRCs.
 */
#ifndef MEMMON_TESTS_FUZZ_RECORDS_H
#define MEMMON_TESTS_FUZZ_RECORDS_H

#include <stddef.h>
#include <stdint.h>

/* Makes the header and all CRCs right, as far as the records go. */
void records_repair(uint8_t *p, size_t size);

/*
 * Change a file of `size' bytes in p, which has room for `most'; returns its
 * new size.  The same seed does the same.  raw() changes bytes, as
 * LLVMFuzzerMutate does.
 */
size_t records_mutate(uint8_t *p, size_t size, size_t most, unsigned seed,
		      size_t (*raw)(uint8_t *p, size_t size, size_t most));

#endif
