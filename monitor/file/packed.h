/* SPDX-License-Identifier: MIT */
/* Records of which the payload is packed.  ctx of all: exit. */
#ifndef MEMMON_PACKED_H
#define MEMMON_PACKED_H

#include <stdint.h>

/* For struct mmi_emit's pack: long payloads, but not of totals and runs. */
const uint8_t *mmi_packed(uint32_t tag, const uint8_t *payload, uint32_t *n);

/* The file is done: the memory that it took goes back. */
void mmi_packed_end(void);

#endif
