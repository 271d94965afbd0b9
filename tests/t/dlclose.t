#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Libraries that are unloaded: their names stay, and a library that is loaded at
# the address of one that is gone has its own names.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

cat >host.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* Loads one, calls it, unloads it, then the other, 50 times. */
int main(int argc, char **argv)
{
	unsigned long first = 0, same = 0;
	for (int i = 0; i < 100; i++) {
		void *h = dlopen(argv[1 + i % 2], RTLD_NOW | RTLD_LOCAL);
		void *(*plug)(void) = h ? dlsym(h, "plug") : 0;
		if (!plug || argc < 3)
			return 1;
		if (!first) first = (unsigned long)plug;
		same += (unsigned long)plug == first;
		void *p = plug();
		if (i % 10 < 8) free(p);
		dlclose(h);
	}
	char line[40];
	int n = snprintf(line, sizeof line, "%lu\n", same);
	return write(1, line, n) != n;
}
C
$CC -g -O1 host.c -o host -ldl
$CC -g -O1 -fPIC -shared "$MEMMON_SRC/tests/prog/libplug.c" -o one.so
$CC -g -O1 -fPIC -shared -DOTHER "$MEMMON_SRC/tests/prog/libplug.c" -o two.so
same=$("$MEMMON" ./host ./one.so ./two.so)
ok $((same < 60)) "the second library is loaded at the first one's address ($same of 100)"
"$MPREDUCE" --json ./host mon.out >json 2>err
own()
{
	sed -n "s/^{\"name\":\"$1\".*\"self\":{\"allocs\":\[\([0-9]*\),\([0-9]*\).*\"freed\":\[\([0-9]*\),\([0-9]*\).*\"kept.*\"total.*/\1 \2 \3 \4/p" json
}
is "$(own plug_alloc)" '50 0 960 0' 'the first: 50 blocks of 24 bytes, 40 freed'
is "$(own other_alloc)" '0 50 0 1920' 'the second: 50 of 48 bytes, 40 freed'
is "$("$MPREDUCE" -i mon.out | awk '$1 ~ /^[0-9]+$/ && /(one|two)\.so/' | wc -l)" 2 'each is in the map once' ||
	diag "$("$MPREDUCE" -i mon.out)"
done_testing
