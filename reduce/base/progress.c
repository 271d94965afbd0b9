/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tell how far mpreduce is. */
#include "reduce/base/progress.h"
#include "reduce/base/str.h"

#include <stdio.h>

void
progress_start(struct progress *p, const char *what, const char *file)
{
	if (!p || !p->say)
		return;
	snprintf(p->what, sizeof(p->what), "%s%s%s", what, file ? " " : "",
		 file ? str_basename(file) : "");
	/* The text goes to a terminal. */
	for (char *c = p->what; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	}
	p->say(p->arg, p->what, 0, 0);
}

void
progress_at(struct progress *p, uint64_t done, uint64_t of)
{
	if (p && p->say)
		p->say(p->arg, p->what, done < of ? done : of, of);
}

void
progress_erase(void *arg)
{
	struct progress *p = arg;

	if (p && p->say)
		p->say(p->arg, NULL, 0, 0);
}
