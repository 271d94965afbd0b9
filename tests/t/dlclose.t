#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Libraries that are unloaded: their names stay, and a library that is loaded at
# the address of one that is gone has its own names, and rules.  So has code
# that a program makes.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/unwind/oracle.sh"

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
# The monitor's memory for the heap over time must not take the address of a
# library.
same=$(MEMMON_TIMELINE=0 "$MEMMON" ./host ./one.so ./two.so)
ok $((same < 60)) "F09: the second library is loaded at the first one's address ($same of 100)"
"$MPREDUCE" --json ./host mon.out >json 2>err
own()
{
	"$MEMMON_BUILD/tests/jsonrows" functions "name=$1" 'self.allocs[]' 'self.freed[]' <json |
		awk -F '[ ,]' '{ print $1, $2, $5, $6 }'
}
is "$(own plug_alloc)" '50 0 960 0' 'F09: the first: 50 blocks of 24 bytes, 40 freed'
is "$(own other_alloc)" '0 50 0 1920' 'F09: the second: 50 of 48 bytes, 40 freed'
is "$("$MPREDUCE" -i mon.out | awk '$1 ~ /^[0-9]+$/ && /(one|two)\.so/' | wc -l)" 2 'each is in the map once' ||
	diag "$("$MPREDUCE" -i mon.out)"

# Within known call paths: libraries that are the same, address for address, but
# have frames of other sizes, or only another name.
oracle_tools 2>err || { diag "$(cat err)"; echo 'Bail out! oracle.S'; exit 1; }
for room in 256 384 512 1024; do
	$CC -g -O1 -fPIC -shared -DROOM=$room "$unwind/plug.c" -o plug$room.so
done
cp plug256.so plug257.so
cp plug512.so plug513.so
for cc in gcc clang; do
	if ! oracle_can $cc; then
		skip 11 "no $cc"
		continue
	fi
	oracle_build prog load.c $cc -O1
	oracle "$cc, libraries in turn" ./prog libs ./plug*.so
	read -r again _ <out
	ok $((again < 200)) "one lay where another had, $again of 400 times"
	is "$(total mon.out 'call paths stopped')" 0 'no chain stops there'
	oracle 'code of the program alone' ./prog code
	is "$(total mon.out 'call paths stopped')" 800 'all chains stop there'
	oracle 'libraries and code by turns' ./prog mixed ./plug*.so
	read -r again _ stead _ <out
	ok $((again < 50)) "code lay where a library had, $again times"
	is "$(total mon.out 'call paths stopped')" "$stead" 'only those stop'
done
done_testing
