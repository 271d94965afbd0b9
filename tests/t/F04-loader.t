#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F04: the loader's lock, the unwinder and malloc at once; F05: frames
# registered with libgcc, whose unwinder allocates under its lock
# (tests/prog/loader.cc).  The program ends, and its figures are exact, as
# counted by tests/prog/liboracle.c.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"
n=${LOADER_ROUNDS:-60} times=${LOADER_TIMES:-4}
[ -x "$PROG/loader" ] || skip_all 'no C++ compiler'

for i in $(seq "$times"); do
	rm -f o.*
	out=$(timeout "$HANG" env ORACLE_OUT="$T/o" LD_PRELOAD="$PROG/liboracle.so" \
		"$MEMMON" -o m.out "$PROG/loader" "$PROG/libplug.so" "$n")
	is "$? $out" '0 done' "F04, F05: no deadlock, no crash ($i)" || break
	is "$(totals m.out)" "$(awk '{ print $1, $2, $3, $4 }' o.*[0-9])" \
		"F04, F05: exact ($i)"
done
json m.out "$PROG/loader"
made=$((802 * n))
is "$(self make allocs) $(self make bytes) $(self make frees)" \
	"$made $((made * 40)) $made" "F04: the program's own blocks"
is "$(sum unrecorded) $(sum unseen) $(sum reused)" '0 0 0' 'F04: nothing is missed'
# The -mm one is linked with the library, not preloaded.
is "$(timeout "$HANG" "$PROG/loader-mm" "$PROG/libplug.so" "$n")" done \
	'F04, F05: linked'
json mon.out "$PROG/loader-mm"
is "$(self make allocs) $(self make frees)" "$made $made" 'F04: linked: exact'

# The first code to call new is a library that a plug-in needs: the loader has
# no scope for it in which dlsym() would look, and the C++ library isn't in the
# global one.
cat >deep.cc <<'END'
static char *kept[7];
__attribute__((constructor)) static void begin()
{
	for (auto &p : kept)
		p = new char[40];
}
extern "C" int deep() { return kept[6] != nullptr; }
END
echo 'int deep(void); int top(void) { return deep(); }' >top.c
cat >plain.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *h = dlopen(argv[argc - 1], RTLD_NOW);
	int (*top)(void) = h ? (int (*)(void))dlsym(h, "top") : 0;
	puts(top && top() ? "done" : "not loaded");
	return 0;
}
END
$CXX -g -shared -fPIC deep.cc -o libdeep.so &&
	$CC -shared -fPIC top.c -o libtop.so -L. -ldeep -Wl,-rpath,"$PWD" &&
	$CC plain.c -o plain
is "$("$MEMMON" -o plain.out ./plain "$PWD/libtop.so") $?" 'done 0' \
	"F04: new in a library that a plug-in needs"
json plain.out ./plain
is "$(self "begin()" allocs) $(self "begin()" bytes)" '7 280' '... is counted'
done_testing
