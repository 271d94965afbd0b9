/* SPDX-License-Identifier: MIT */
/* Large tables; most programs use little of them. */
#include "monitor/base/table.h"

#include <sys/mman.h>

#ifdef MEMMON_TABLES
/* tables.ld defines these: whole pages of any size. */
extern HIDDEN char mmi_tables_start[] __attribute__((weak));
extern HIDDEN char mmi_tables_end[] __attribute__((weak));

bool
mmi_table_open(void)
{
	return &mmi_tables_start[0] == &mmi_tables_end[0] ||
	       ARCH_SYS(SYS_mprotect, mmi_tables_start,
			mmi_tables_end - mmi_tables_start,
			PROT_READ | PROT_WRITE, 0, 0, 0) == 0;
}
#else
bool
mmi_table_open(void)
{
	return true;
}
#endif
