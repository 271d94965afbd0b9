#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# F22: with other libraries that replace malloc, or that are linked in special
# ways: all is counted, or one line says what isn't, or memmon refuses the
# program with one line.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# The victim: 3,000 blocks, 1,501,500 bytes, 2,250 freed, 1,125,750 bytes.
cat >victim.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static void *p[1000];
int main(void)
{
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < 1000; i++) {
			void *volatile q = malloc(i + 1);
			if (k < 2 || i % 4 == 0) free(q);
			else p[i] = q;
		}
	return write(1, "done\n", 5) != 5;
}
C
# By construction: the third round frees the sizes 1, 5, ... 997.
want="3000 1501500 2250 $((2 * 500500 + 250 * (1 + 997) / 2))"

# same NAME PROGRAM...: as without memmon, all counted.
same()
{
	local name=$1
	shift
	rm -f mon.out
	is "$(timeout "$HANG" "$MEMMON" "$@" 2>&1; echo $?)" \
		"$(timeout "$HANG" "$@" 2>&1; echo $?)" "F22: $name: runs as alone"
	is "$(totals mon.out)" "$want" "F22: $name: all is counted"
}
# main_of PROGRAM: main()'s own allocations.
main_of()
{
	local key
	json mon.out "$1"
	for key in allocs bytes frees; do
		printf '%s ' "$(self main $key)"
	done
	self main freed
}
$CC -w -g -O1 victim.c -o victim
same 'plain' ./victim
for flags in '-Wl,-z,now' '-Wl,-Bsymbolic' '-rdynamic -Wl,-E' '-no-pie' \
	'-Wl,--hash-style=gnu -Wl,-z,pack-relative-relocs'; do
	# shellcheck disable=SC2086
	if $CC -w -g -O1 $flags victim.c -o v 2>/dev/null; then
		same "$flags" ./v
	else
		skip 2 "$CC has no $flags"
	fi
done

# The sanitizer's library needs the C++ library, which allocates once.
if $CC -w -g -O1 -fsanitize=undefined victim.c -o v 2>/dev/null; then
	is "$(timeout "$HANG" "$MEMMON" ./v; echo $?)" "done
0" 'F22: -fsanitize=undefined: runs'
	is "$(main_of ./v)" "$want" 'F22: -fsanitize=undefined: all is counted'
else
	skip 2 "$CC has no -fsanitize=undefined"
fi

# Other hooks, before ours and after: one that passes on, and counts.
cat >hook.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
static unsigned long seen;
static void *(*next)(size_t);
void *malloc(size_t n)
{
	if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	seen++;
	return next(n);
}
void free(void *p)
{
	static void (*f)(void *);
	if (!f) f = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	f(p);
}
__attribute__((destructor)) static void out(void)
{ if (seen < 3000) write(1, "too few\n", 8); }
C
$CC -w -g -O1 -fno-builtin -fPIC -shared hook.c -o hook.so -ldl
for order in "$T/hook.so:$LIBMEMMON" "$LIBMEMMON:$T/hook.so"; do
	rm -f mon.out
	where=behind
	[ "${order%%:*}" = "$LIBMEMMON" ] || where='in front'
	is "$(timeout "$HANG" env LD_PRELOAD="$order" ./victim; echo $?)" "done
0" "F22: another hook $where: runs"
	is "$(totals mon.out)" "$want" "F22: another hook $where: all is counted"
done

# Allocators, before and after ours.  The program uses the first one; if that
# isn't ours, nothing is counted, and nothing harmed.
for lib in libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4; do
	path=$(ldconfig -p 2>/dev/null | awk -v l=$lib '$1 == l { print $NF; exit }')
	if [ -z "$path" ]; then
		skip 6 "no $lib"
		continue
	fi
	rm -f mon.out
	is "$(LD_PRELOAD=$path timeout "$HANG" "$MEMMON" ./victim; echo $?)" "done
0" "F22: $lib behind: runs"
	# It may allocate for itself, too.
	is "$(main_of ./victim)" "$want" \
		"F22: $lib behind: all is counted"
	rm -f mon.out
	is "$(timeout "$HANG" env LD_PRELOAD="$path:$LIBMEMMON" ./victim; echo $?)" "done
0" "F22: $lib in front: runs"
	is "$("$MPREDUCE" --json ./victim mon.out 2>/dev/null |
		grep -c '^{"name":"main"')" 0 \
		"F22: $lib in front: nothing is said to be counted that isn't"
	# Linked with it, and preloaded; linked with both.
	if $CC -w -g -O1 victim.c -o v -Wl,--no-as-needed "$path" 2>/dev/null; then
		rm -f mon.out
		is "$(timeout "$HANG" "$MEMMON" ./v; echo $?)" "done
0" "F22: linked with $lib: runs"
		a=$(total mon.out allocations)
		ok $((a < 3000)) "F22: linked with $lib: all is counted ($a)"
	else
		skip 2 "can't link $lib"
	fi
done

# Plug-ins: each finds its own functions first (RTLD_DEEPBIND), or binds to
# itself.
cat >plug.c <<'C'
#include <stdlib.h>
void *plug(size_t n) { return malloc(n); }
void unplug(void *p) { free(p); }
C
cat >host.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *h = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	void *(*plug)(size_t) = h ? (void *(*)(size_t))dlsym(h, "plug") : 0;
	void (*unplug)(void *) = h ? (void (*)(void *))dlsym(h, "unplug") : 0;
	if (!plug || !unplug) return 2;
	/* Freed on this side, and on that. */
	for (int i = 0; i < 100; i++) free(plug(700));
	for (int i = 0; i < 100; i++) unplug(malloc(800));
	for (int i = 0; i < 100; i++) unplug(plug(900));
	return write(1, "done\n", 5) != 5;
}
C
$CC -w -g -O0 host.c -o host -ldl
for flags in '' -Wl,-Bsymbolic; do
	# shellcheck disable=SC2086
	$CC -w -g -O0 -fPIC -shared $flags plug.c -o plug.so
	rm -f mon.out
	is "$(timeout "$HANG" "$MEMMON" ./host ./plug.so; echo $?)" "done
0" "F22: RTLD_DEEPBIND ${flags:-plain}: runs"
	"$MPREDUCE" --json ./host mon.out 2>/dev/null >json
	is "$("$MEMMON_BUILD/tests/jsonrows" bins size=800 allocs <json)" 100 \
		"F22: RTLD_DEEPBIND ${flags:-plain}: the program's own is counted"
	is "$(for size in 700 900; do
		"$MEMMON_BUILD/tests/jsonrows" bins size=$size allocs bytes frees kept <json
	done) $(total mon.out 'frees unseen')" "100 70000 100 0
100 90000 100 0 0" "F22: RTLD_DEEPBIND ${flags:-plain}: and the plug-in's, no free unseen"
done

# A malloc in the executable.
$CC -w -g -O1 -fno-builtin -rdynamic victim.c "$MEMMON_SRC/tests/prog/libbump.c" \
	-o own
rm -f mon.out
is "$(timeout "$HANG" "$MEMMON" ./own 2>err; echo $?)" "done
0" 'F22: a program with its own malloc runs'
is "$(cat err)" "memmon: ./own has its own malloc: memmon sees only the \
blocks that it gets from the C library's malloc" \
	'F22: and it is said what is not seen'

# A malloc that passes its calls on: they are counted, and the message is true.
cat >passes.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
void *malloc(size_t n)
{
	static void *(*next)(size_t);
	if (!next)
		next = dlsym(RTLD_NEXT, "malloc");
	return next(n);
}
int main(void)
{
	for (int i = 0; i < 100; i++)
		malloc(50);
	return 0;
}
C
$CC -g -w -O0 passes.c -o passes
rm -f mon.out
"$MEMMON" ./passes 2>err
like "$(cat err)" "sees only the blocks that it gets from the C library" \
	'F22: a malloc of the program that calls the next one'
is "$(totals mon.out)" '100 5000 0 0' '... its blocks are counted'

# Sanitizers have their own, and must be first.
for cc in gcc clang; do
	for kind in address thread memory leak; do
		for more in '' -shared-libasan -static-libasan; do
			# shellcheck disable=SC2086
			[ "$kind$more" = "$kind" ] || [ $kind = address ] || continue
			# shellcheck disable=SC2086
			if ! $cc -w -g -fsanitize=$kind $more victim.c -o san 2>/dev/null; then
				skip 2 "$cc has no -fsanitize=$kind $more"
				continue
			fi
			out=$(timeout "$HANG" "$MEMMON" ./san 2>err)
			like "$(cat err)" '^memmon: ./san (is built with a sanitizer|has its own malloc)' \
				"F22: $cc -fsanitize=$kind $more: it is said"
			is "$(grep -c '^memmon:' err)" 1 \
				"F22: $cc -fsanitize=$kind $more: in one line"
		done
	done
done

# What memmon-cc builds isn't taken for one.
for way in plugin calls; do
	if MEMMON_CC=gcc MEMMON_WAY=$way "$MEMMON_BUILD/memmon-cc" -w -g -O1 \
		-fno-builtin victim.c -o access 2>/dev/null; then
		rm -f mon.out
		is "$(timeout "$HANG" "$MEMMON" ./access 2>&1)" 'done' \
			"F22: memmon and memmon-cc ($way)"
		is "$(totals mon.out)" "$want" "F22: all is counted ($way)"
	else
		skip 2 "no $way"
	fi
done
done_testing
