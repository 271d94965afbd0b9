/* SPDX-License-Identifier: MIT */
/* Records of which the payload is packed.  ctx of all: exit. */
#ifndef MEMMON_PACKED_H
#define MEMMON_PACKED_H

/* The file is done: the memory that it took goes back. */
void mmi_packed_end(void);

#endif
