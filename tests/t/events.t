#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Events for modules, as compilers emit them: only the requested ones; each
# kind; the events that random programs report about themselves; functions and
# loops that are left in unusual ways.  The programs use a small runtime
# (tests/access/events_runtime.c), which writes each event to a file.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

SRC=$MEMMON_SRC/tests/access
MM=$MEMMON_BUILD/memmon-cc
gcc -O1 -fno-builtin -I"$MEMMON_SRC" -c -o runtime.o "$SRC/events_runtime.c" &&
	gcc -O1 -I"$MEMMON_SRC" -c -o naive.o "$SRC/events_naive.c" ||
	{ echo 'Bail out! no runtime'; exit 1; }

compilers=$(with_plugin gcc clang)
[ "$compilers" ] || skip_all 'no plugin'

# module EVENTS: m.so, a module that asks for EVENTS.
module()
{
	local events
	events=$(tr -s '\n\t' '  ' <<<"$1")
	echo "const char memmon_module_events[] = \"MEMMON-EVENTS: $events\";" |
		gcc -shared -fPIC -x c -o m.so -
}

# build OUT ARGUMENT...: by $cc, with events for m.so, with the runtime.
build()
{
	local out=$1 name=memmon-cc other=$cc
	shift
	case "$*" in *.cc*) name=memmon-c++ other=${cc/gcc/g++}
		other=${other/clang/clang++} ;; esac
	MEMMON_CC=$other MEMMON_CXX=$other "$MEMMON_BUILD/$name" \
		--module=./m.so -Wall -Wextra -Werror \
		-Wno-unknown-attributes -Wno-gnu -I"$MEMMON_SRC" \
		-c -o "$out.o" "$@" >said 2>&1 &&
		[ ! -s said ] || { diag "$(cat said)"; return 1; }
	$other -pthread -o "$out" "$out.o" runtime.o naive.o -lm 2>said ||
		{ diag "$(cat said)"; return 1; }
}

# ------------------------------------------------- only what is asked for --

cat >stores.c <<'C'
extern int a[];
void f(int n);
void f(int n) { do a[n] = n; while (n--); }
C
cat >both.c <<'C'
#include <stdlib.h>
int a[9], b;
int main(void) { for (int i = 0; i < 9; i++) a[i] = b += abs(i); return a[0]; }
C
cat >calls.c <<'C'
#include <math.h>
#include <stdlib.h>
#include <string.h>
double a[9];
void *volatile p;
__attribute__((noinline, noipa)) double quiet(int n);
double quiet(int n)
{
	double s = n;
	memset(a, 0, sizeof(a));
	for (int i = 0; i < 9; i++)
		s += sqrt(a[i]);
	return s;
}
int main(void)
{
	double s = 0;
	for (int i = 0; i < 3; i++) {
		p = malloc(9);
		s += quiet(i);
		free(p);
	}
	return s > 9;
}
C
for cc in $compilers; do
	module 'load:address'
	MEMMON_CC=$cc "$MM" --module=./m.so -O2 -c stores.c -o stores.o
	is "$(nm stores.o | sed 's/.* //; /^[.]L/d' | xargs):$(
		readelf -SW stores.o | grep -c memmon_events)" "a f:0" \
		"$cc: for loads, code that only stores is as ever"
	build both -O1 both.c && EVENTS_LOG=log ./both
	is "$(cut -d ' ' -f 2 log | sort -u)" load \
		"$cc: ... and there are no others"
	is "$(awk '{ print $8 }' log | sort -u)" - \
		"$cc: ... without values, which aren't asked for"
	module 'loop iteration'
	build both -O1 both.c && EVENTS_LOG=log ./both
	is "$(awk '{ print $2, $6 }' log | sort | uniq -c | xargs)" \
		"9 iteration - 1 loop -" "$cc: only loops, without addresses"
	module 'entry:calls exit:calls loop:calls iteration:calls loop_exit:calls'
	build calls -O1 calls.c && EVENTS_LOG=log ./calls
	is "$(awk '{ print $2, $4 }' log | sort | uniq -c | xargs)" \
		"1 entry main 1 exit main 3 iteration main 1 loop main $(
		)1 loop_exit main" \
		"$cc: only functions and loops that call what may allocate"
	module 'load:adress'
	MEMMON_CC=$cc "$MM" --module=./m.so -c both.c 2>err
	like "$?:$(cat err)" '^1:.*no such event.*adress' \
		"$cc: an unknown argument is an error"
done

# -------------------------------------------------------- each kind of event --

# expect FUNCTION LINE...: its events, as kind, size, value.
expect()
{
	local name=$1
	shift
	printf '%s\n' "$@" >expected
	awk -v f="$name" '$4 == f { print $2, $7, $8 }' log | grep -v '^resume' |
		sed 's/ \(7f\|5[5-7]\)[0-9a-f]\{10\}$/ ADDRESS/' >got
	cmp -s expected got
	ok $? "$cc $level: $name" || diag "$(diff expected got)"
}

inner=('loop 0 -' 'iteration 0 -')
for cc in $compilers; do
	module 'load:address,value,size
		store:address,value,size entry:address exit:address loop:address
		iteration loop_exit stack_alloc:address,size stack_free:address
		pointer:address global:address'
	levels=-O2
	! exhaustive || levels='-O0 -O2 -O3'
	for level in $levels; do
		build kinds $level "$SRC/events_kinds.c" &&
			EVENTS_LOG=log ./kinds
		ok $? "$cc $level: events of each kind"
		expect scalars 'entry 0 -' 'pointer 0 -' 'store 4 fffffffb' \
			'load 4 fffffffb' 'store 1 78' 'store 2 fffe' \
			'load 2 fffe' 'store 8 3ff8000000000000' \
			'load 8 3ff8000000000000' 'store 4 3f000000' \
			'store 8 123456789abcdef' 'load 4 0' 'store 4 0' \
			'exit 0 -'
		for i in 0 1; do
			eval "two$i=(\"iteration 0 -\" \"\${inner[@]}\" \
				'store 4 $i' 'iteration 0 -' 'store 4 $i' \
				'iteration 0 -' 'store 4 $i' 'loop_exit 0 -')"
		done
		six=()
		for i in 0 1 2 3 4 5; do
			six+=('iteration 0 -' "${inner[@]}" "store 4 $i" \
				'loop_exit 0 -')
		done
		expect loops 'entry 0 -' 'loop 0 -' "${two0[@]}" "${two1[@]}" \
			'loop_exit 0 -' 'exit 0 -' 'entry 0 -' 'loop 0 -' \
			"${six[@]}" 'loop_exit 0 -' 'exit 0 -'
		expect copies 'entry 0 -' 'pointer 0 -' 'pointer 0 -' \
			'load 16777215 14' 'store 16777215 14' \
			'store 16777215 15' 'exit 0 -'
		expect atomics 'entry 0 -' 'pointer 0 -' 'store 4 4' \
			'load 4 -' 'store 4 -' 'load 4 -' 'store 4 -' \
			'load 4 9' 'exit 0 -'
		expect pointers 'entry 0 -' 'pointer 0 -' 'load 8 ADDRESS' \
			'pointer 0 -' 'store 4 1' 'pointer 0 -' 'store 4 1' \
			'exit 0 -'
		expect recursive 'entry 0 -' 'entry 0 -' 'entry 0 -' 'exit 0 -' \
			'store 4 0' 'exit 0 -' 'store 4 1' 'exit 0 -'
		is "$(awk '$4 == "stack" { print $2, $7, $8 }' log | grep stack |
			sort | xargs)" \
			"stack_alloc 16777215 9 stack_alloc 20 - stack_free 20 -" \
			"$cc $level: objects on the stack"
		is "$(awk '$4 == "stack" && $2 == "stack_alloc" && $7 == 20 {
				from = $6 }
			$4 == "stack" && $2 == "store" && $7 == 4 { at = $6 }
			END { print from, at }' log |
			perl -ne 'print hex((split)[1]) - hex((split)[0])')" 4 \
			"$cc $level: ... and what is stored there"
		is "$(awk '$2 == "global" { print $NF }' log | sort | xargs)" \
			"global pointer table words" "$cc $level: variables"
		is "$(awk '$2 == "global" && $NF == "table" { print $6 }
			$4 == "loops" && $2 == "store" { print $6; exit }' \
			log | uniq | wc -l)" 1 \
			"$cc $level: ... which have the addresses of accesses"
		is "$(awk '$4 == "scalars" && $2 == "store" { print $6 }' log |
			head -n 6 | perl -ne 'push @a, hex;
			END { print join " ", map { $_ - $a[0] } @a[0 .. 4] }')" \
			"0 4 6 8 16" "$cc $level: addresses of members"
	done
done

# ------------------------------------------------- what programs say they do --

for cc in $compilers; do
	module 'load:address,value,size
		store:address,value,size entry:address exit:address loop:address
		iteration loop_exit'
	while read -r seed level; do
		perl "$SRC/events_random.pl" "$seed" >random.c
		build random "$level" -w random.c &&
			NAIVE_LOG=told EVENTS_LOG=log ./random
		awk '$2 == "load" || $2 == "store" { print $2, $6, $7, $8; next }
			$2 == "entry" || $2 == "exit" { print $2, $4; next }
			$2 != "resume" { print $2, "-" }' log >got
		# Loops of one round are no loops any more.
		[ "$level" = -O0 ] || sed -i '/ -$/d' told got
		cmp -s told got && [ "$(wc -l <told)" -gt 20 ]
		ok $? "$cc $level: program $seed does what it tells" ||
			diag "$(diff told got | head -20)"
	done < <(some <<-'X'
	1 -O0
	1 -O2
	+ 1 -O3
	4 -O0
	4 -O3
	+ 7 -O0
	+ 7 -O1
	+ 7 -O2
	+ 7 -O3
	+ 12 -O0
	+ 12 -O2
	X
	)
done

# ------------------------------------------------------------------ odd ways --

for cc in $compilers; do
	module 'load:address store:address entry:address
		exit:address loop:address iteration loop_exit'
	while read -r level; do
		build ways "$level" -std=c++17 "$SRC/events_ways.cc" &&
			is "$(EVENTS_LOG=log ./ways)" "540 618 700 815" \
				"$cc $level: exceptions among threads"
		perl "$SRC/events_nest.pl" log >bad
		is "$?:$(cat bad)" 0: "$cc $level: ... functions and loops nest"
		build jumps "$level" "$SRC/events_jumps.c" &&
			is "$(EVENTS_LOG=log timeout "$HANG" ./jumps)" "5 50" \
				"$cc $level: jumps and handlers"
		perl "$SRC/events_nest.pl" \
			<(grep -v ' handler ' log) >bad
		is "$?:$(cat bad)" 0: "$cc $level: ... functions and loops nest"
	done < <(some <<-'X'
	+ -O0
	+ -O1
	-O2
	+ -O3
	X
	)
done

# ---------------------------------------------------------------- restricted --

cat >parts.c <<'C'
#include <stdio.h>
static int a[9];
static inline int twice(int i) { return a[i] * 2; }
__attribute__((noinline)) static int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += twice(i);
	for (int i = 0; i < n; i++)
		s += a[i];
	return s;
}
int main(int argc, char **argv)
{
	a[argc] = 5;
	printf("%d %s\n", sum(argc + 3), argv[1] ? argv[1] : "");
	return 0;
}
C
module 'load:address store:address entry loop iteration'
for cc in $compilers; do
	build parts -O1 -g --only=twice parts.c && EVENTS_LOG=log ./parts >/dev/null
	is "$(awk '{ print $2 }' log | sort | uniq -c | xargs)" "4 load" \
		"$cc: --only of a function that is inlined"
	build parts -O1 -g --only=main parts.c && EVENTS_LOG=log ./parts >/dev/null
	is "$(awk '$2 != "resume" { print $2, $4 }' log | sort -u | xargs)" \
		"entry main load main store main" "$cc: --only=main"
	build parts -O1 -g --loop=parts.c:9 parts.c &&
		EVENTS_LOG=log ./parts >/dev/null
	is "$(awk '{ print $2 }' log | sort | uniq -c | xargs)" \
		"4 iteration 4 load 1 loop" "$cc: --loop"
done

# In a loop over a vector all conditions belong to inlined functions.  If the
# loop is in a function of the library, so does all of it.
cat >over.cc <<'C'
#include <numeric>
#include <vector>
int sums[2];
__attribute__((noinline)) static void add(std::vector<int> &v)
{
	for (int &x : v)
		sums[0] += x;
	for (auto i = v.begin(); i != v.end(); ++i)
		sums[0] += *i;
	sums[1] = std::accumulate(v.begin(),
		v.end(), 0);
}
int main()
{
	std::vector<int> v(7, 2);
	add(v);
	return sums[0] != 28 || sums[1] != 14;
}
C
lines=8
! exhaustive || lines='6 8 10'
for cc in $compilers; do
	for line in $lines; do
		build over -O1 -g --loop=over.cc:$line over.cc &&
			EVENTS_LOG=log ./over
		is "$(awk '{ print $2 }' log | sort | uniq -c |
			awk '$2 == "iteration" || $2 == "loop" {
				print $1, $2 }' | xargs)" "7 iteration 1 loop" \
			"$cc: --loop=over.cc:$line, whose conditions are inlined"
	done
done

# ------------------------------------------------------------------ the list --

for cc in $compilers; do
	module 'load:address loop'
	build parts -O1 -g --loop=parts.c:9 parts.c
	"$MM" --list-events parts >list
	is "$?:$(awk '$1 != "function" { print $1, $2, $4, $5 }' list |
		sed 's/ a\[\]$/ a/' | xargs)" \
		"0:kind function bytes what loop sum - load sum 4 a" \
		"$cc: --list-events"
	cp list before
	build parts -O1 -g --loop=parts.c:9 parts.c
	"$MM" --list-events parts >list
	cmp -s before list
	ok $? "$cc: ... the same in each build"
	at=$(readelf -SW parts | awk '/[.]memmon_events/ {
		sub(/.*memmon_events */, ""); print $3 }')
	for off in 4 8 12; do
		cp parts damaged
		printf '\377\377\377\177' |
			dd of=damaged bs=1 seek=$((16#$at + off)) conv=notrunc \
				status=none
		"$MM" --list-events damaged >list 2>err
		is "$?:$(cat err)" \
			"1:memmon-cc: damaged: the list of events is damaged" \
			"$cc: ... of a damaged program ($off)"
	done
done
# --only and --loop with a name that doesn't exist: a warning if memmon-cc can
# know that.
cat >more.c <<'C'
int b[9];
void more(int n);
void more(int n) { for (int i = 0; i < n; i++) b[i] = i; }
C
# missing OPTION...: --list-events of parts.c and more.c, without the list
# itself.
missing()
{
	MEMMON_CC=$cc "$MM" --module=./m.so -O1 -g "$@" -c parts.c -o p.o &&
		MEMMON_CC=$cc "$MM" --module=./m.so -O1 -g "$@" -c more.c \
			-o q.o && $cc -o both p.o q.o runtime.o
	"$MM" --list-events both 2>&1 >list | sed 's/^memmon-cc: both: //'
	[ "${PIPESTATUS[0]}" -eq 0 ] || echo "status ${PIPESTATUS[0]}"
}
for cc in $compilers; do
	[ "$cc" != clang ] || exhaustive || continue
	module 'load:address store:address loop iteration'
	is "$(missing --only=more)" "" "$cc: a function that one file has"
	is "$(missing --only=twice)" "" "$cc: ... or that is only inlined"
	is "$(missing --only=twise)" \
		"--only=twise: no function of that name has events; did you mean twice?" \
		"$cc: ... or none, but one like it"
	is "$(missing --only=nothing_like_it --only=sum)" \
		"--only=nothing_like_it: no function of that name has events" \
		"$cc: ... or none at all"
	is "$(missing --loop=parts.c:9)" "" "$cc: a loop that one file has"
	is "$(missing --loop=parts.c:11 --only=main)" \
		"--loop=parts.c:11: no loop that begins there has events; did you $(
		)mean parts.c:9?" "$cc: ... or none, but one near"
	is "$(missing --loop=others.c:11)" \
		"--loop=others.c:11: no loop that begins there has events" \
		"$cc: ... or none at all"
done
"$MM" --list-events runtime.o >list 2>err
like "$?:$(cat err)" '^1:.*no events' '... of a file without events'
done_testing
