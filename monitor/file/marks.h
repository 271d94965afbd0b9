/* SPDX-License-Identifier: MIT */
/* Marks: names that the program gives to times, with the totals then. */
#ifndef MEMMON_MARKS_H
#define MEMMON_MARKS_H

#include "monitor/base/emit.h"

/* Bytes of a name, with its NUL; a longer name is shortened. */
#define MMI_MARK_NAME 64u

/* Most marks. */
#define MMI_MARKS_MAX 16384u

/* Forget all marks.  ctx: fork, any. */
void mmi_marks_clear(void);

/* Write the table.  Returns how many there were.  ctx: exit, one at a time. */
uint64_t mmi_marks_put(struct mmi_emit *o);

#endif
