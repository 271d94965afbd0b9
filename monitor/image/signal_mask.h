/* SPDX-License-Identifier: MIT */
/* No signal handler of the program's meanwhile. */
#ifndef MEMMON_SIGNAL_MASK_H
#define MEMMON_SIGNAL_MASK_H

#include "monitor/base/mask.h"

/*
 * Block all signals except the one for what mmi_image_fault() mends, and let go
 * again.  A signal that was sent because a file grows too large, or because
 * nobody reads a pipe, is our own doing and taken back.  False: they can't be
 * blocked, and so needn't be let go.  ctx: slow, exit.
 */
struct mmi_signal_mask {
	struct mmi_mask mask;
	uint64_t pending;
};
bool mmi_signal_mask_block(struct mmi_signal_mask *m);
void mmi_signal_mask_unblock(const struct mmi_signal_mask *m);

#endif
