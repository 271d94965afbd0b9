/* SPDX-License-Identifier: MIT */
/* Records with packed payloads.  ctx of all: exit. */
#ifndef MEMMON_PACKED_H
#define MEMMON_PACKED_H

#include <stdint.h>

/* The pack of struct mmi_emit: packs long payloads, except totals and runs. */
uint8_t *mmi_packed(uint32_t tag, const uint8_t *payload, uint32_t *n);

/* The file is complete: free the memory for packing. */
void mmi_packed_end(void);

#endif
