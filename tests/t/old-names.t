#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names of memmon.h that were replaced before 1.0: programs with these names
# still compile, in each language, and link, and get the same figure.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >old.c <<'C'
#include "monitor/memmon.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	struct memmon_totals t;
	/* An address that isn't a multiple of 8 is unrecorded. */
	char *p = (char *)malloc(64);
	memmon_alloc(p + 1, 8);
	memmon_alloc(p + 2, 8);
	if (memmon_totals(&t) != 0 || sizeof(t) != 8 * sizeof(uint64_t))
		return 1;
	printf("%d %d\n", (int)t.lost, (int)t.unrecorded);
	free(p);
	return 0;
}
C
build()
{
	"$@" -Wall -Wextra -Werror -pedantic -I"$MEMMON_SRC" \
		"$MEMMON_BUILD/libmemmon.so" -Wl,-rpath,"$MEMMON_BUILD" -o old
}
for std in c99 c11 gnu17; do
	build "$CC" -std=$std old.c -Wl,--no-as-needed
	ok $? "$std: the old name compiles without a warning"
	is "$(MEMMON_OUT=old.mon ./old)" "2 2" "... and is the new one"
done
for std in c++11 c++17; do
	build "${CXX:-c++}" -std=$std -x c++ old.c -x none -Wl,--no-as-needed
	ok $? "$std: the old name compiles without a warning"
	is "$(MEMMON_OUT=old.mon ./old)" "2 2" "... and is the new one"
done
done_testing
