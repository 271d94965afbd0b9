#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The heap scores, types and fields of data files of known content
# (golden/uses.in), and the options that are about them.
. "${MEMMON_SRC:-.}/tests/tap.sh"
golden=$MEMMON_SRC/tests/golden
mpreduce=$MEMMON_BUILD/mpreduce
# With sanitizers, if such a build exists.
[ -x "$MEMMON_BUILD/asan/mpreduce" ] && mpreduce=$MEMMON_BUILD/asan/mpreduce
export ASAN_OPTIONS=detect_leaks=0

# The program, with the compiler's record of types: make_widget's allocations
# called from make_red_widget are of struct red, by way of a void *; list_add's
# are of a type of 16 bytes.
{
	cat "$golden/prog.s"
	cat <<-'EOF'
		.macro type at, size, kind, name
		.quad \at
		.uleb128 \size
		.byte \kind
		.asciz "\name"
		.endm
		.section .debug_memmon, "", @progbits
		type 0x401038, 0, 0, ""
		type 0x401018, 64, 1, "struct red"
		type 0x401088, 16, 1, "std::pair<int, char>"
	EOF
} >typed.s
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog typed.s
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o bare "$golden/prog.s"
for name in uses widgets; do
	"$MEMMON_BUILD/tests/monmake" <"$golden/$name.in" >"$name.mon"
done

# run STATUS OPTION...: its output is in out, its messages in err.
run()
{
	local status=$1
	shift
	"$mpreduce" "$@" >out 2>err
	is "$?" "$status" "status of mpreduce $*"
}

# prints TEXT NAME: a line of out equals TEXT, except for the number of blanks.
prints()
{
	tr -s ' ' <out | sed 's/^ //' | grep -qxF -- "$(tr -s ' ' <<<"$1")"
	ok $? "$2" || diag "$(cat out)"
}

# none REGEX NAME: no line of out matches.
none()
{
	! grep -E -- "$1" out >found
	ok $? "$2" || diag "$(cat found)"
}

# Types: of 11016 bytes 6400 are red, 16 of the pair; 3200 of 4216 kept are red.
run 0 -T -b prog uses.mon
prints '161      11016             108       4216           5    0.28    0.65   <TOTAL>' \
	"all types: 3116 of 11016 bytes used, 101.5 of 154 blocks useful"
prints '64       1        100       6400 (58)         50       3200 (75)      1    0.00    0.50   =struct red' \
	"a type behind a void *"
prints '16       1          1         16 (.)           0         16 (.)       1    1.00       -   =std::pair<int, char>' \
	"a type of C++"
prints '60       4600 (41)         58       1000 (23)      3    0.67    0.97   (not known)' \
	"the rest: 3100 of 4600 bytes used, 51.5 of 53 useful"
run 0 -T --top=1 -b prog uses.mon
prints '64       1        100       6400 (58)         50       3200 (75)      1    0.00    0.50   =struct red' \
	"--top=1: the first row"
prints '61       4616 (41)         58       1016 (24)           0.67    0.95   (2 others)' \
	"and the others in one: 3116 of 4616 bytes used, 51.5 of 54 blocks useful"
run 0 -S -b prog uses.mon
prints '5531        11      0.50    0.00    0.50    0.00        100        6400   write-only 100%   =struct red' \
	"scores by type"
run 0 -T -b --verbose=no --units=human --names=10 prog uses.mon
prints '64       1        100      6.25K (58)         50      3.13K (75)      1    0.00    0.50   =struct red' \
	"--units=human"
prints '16 1 1 16 (.) 0 16 (.) 1 1.00 - =std...har>' "--name-width"
run 0 --fields -b prog uses.mon
prints '=struct red, 64 bytes' "the fields have the type"
run 0 --fields=red -b prog uses.mon
is "$(grep -c ' blocks, ' out)" 1 "--fields=red: no other"
run 0 --fields='struct r*' -b prog uses.mon
prints '=struct red, 64 bytes' "--fields with a glob"
run 1 --fields=nobody prog uses.mon
like "$(cat err)" 'mpreduce: no type nobody is in the fields' \
	"--fields=nobody: a message"
run 0 -T -b bare uses.mon
prints 'No type is known.  Types come from debug information and the code at each call:' \
	"no types without the section"

# Which tables.
run 0 -b prog uses.mon
is "$(grep -c '^--------- Heap Scores by' out)" 3 "scores by default"
none '^--------- (Allocations by Type|Fields)' "types and fields aren't"
prints 'accesses      195 reads, 595 writes recorded (plugin), clock step 1.00us' \
	"accesses in the prolog"
run 0 -b -L prog uses.mon
none 'Heap Scores' "-L alone"
run 0 -b prog widgets.mon
none 'Heap Scores|accesses' "no scores by default without accesses"
run 0 -b -S --fields prog widgets.mon
is "$(grep -c '^How blocks were used is not known: the data file has no' out)" \
	2 "with -S and --fields a line says so"
is "$(grep -c 'memmon-cc(1)' out)" 2 "and what to do"
run 0 -b --fields -S -T -q -B prog uses.mon
is "$(grep -oE '^--------- [A-Z][a-z]+ [a-zA-Z]+|^index|^--------- Fields' out |
	sed 's/^--------- //' | tr '\n' ',')" \
	"Allocation Bins,Allocations by,index,Heap Scores,Heap Scores,Heap Scores,Fields," \
	"the order of tables"
for pair in "-S:--scores" "-T:--types" "-S:-S --sort=save" "-S:-S --scores=gap:0.10" \
	"--fields=red:--fields=struct[[:space:]]red"; do
	# shellcheck disable=SC2086
	"$mpreduce" ${pair%%:*} prog uses.mon >want 2>/dev/null
	# shellcheck disable=SC2086
	run 0 ${pair#*:} prog uses.mon
	is_file out want "${pair#*:} is ${pair%%:*}"
done
sed 's/^run way.*/run why no\\sroom/; /^use /d; /^group/d; /^field/d' \
	"$golden/uses.in" | "$MEMMON_BUILD/tests/monmake" >why.mon
run 0 -b -S prog why.mon
prints 'No accesses were recorded: no room.' "why not"

# Rows: as many as asked for, the worst first, the rest together.
run 0 -b --scores=1 prog uses.mon
is "$(grep -cE ' \|\| > ' out)" 1 "--scores=1: one path"
is "$(grep -cE '\((2|3) others\)|\(1 other\)' out)" 3 "the rest together"
for key in save:11 severity:11 bytes:11 blocks:11 lifetime:11 usage:11 \
	useful:11; do
	run 0 -b -S --sort="${key%:*}" prog uses.mon
	is "$(awk '/ \|\| > / { print $2; exit }' out)" "${key#*:}" \
		"severity of the first row by ${key%:*}"
done
run 0 -b -S --depth=1 prog uses.mon
prints '4286         7      0.75    0.20    0.66    0.10        150        8000   ...> make_widget' \
	"paths that print the same are one row"
run 0 -b -S --paths=offsets --depth=2 prog uses.mon
like "$(cat out)" '\.\.\.> make_red_widget\+0x8 > make_widget\+0x8' "--paths=offsets"

# Pauses: with 0.1% the worker's blocks are two groups, with 20% one; the same
# in a sum, which keeps its groups.
lifetime()
{
	awk '/ > worker > F$/ { print $3; exit }' out
}
run 0 -b -S prog uses.mon
is "$(lifetime)" 0.70 "two groups"
run 0 -b -S --scores=gap:20 prog uses.mon
is "$(lifetime)" '<.01' "--scores=gap:20: one"
run 0 -b -S --scores=gap:0.1 prog uses.mon
is "$(lifetime)" 0.70 "--scores=gap:0.1 is the default"
run 0 -s prog uses.mon
run 0 -b -S prog mon.sum
is "$(lifetime)" 0.70 "two groups in the sum"
for bad in 0 0.09 101 x 1x -1 nan inf 0x10 1e9; do
	run 2 --scores=gap:"$bad" prog uses.mon
	like "$(cat err)" 'mpreduce: --scores=gap:.*not a percentage' "--scores=gap:$bad"
done
for bad in --sort=size --sort= --scores=0 --scores=x --scores= --types=x; do
	run 2 "$bad" prog uses.mon
	is "$(cat out)" "" "$bad: nothing on standard output"
	like "$(cat err)" 'mpreduce: .*usage: mpreduce' "$bad: messages"
done

# The same files in another order, or read twice, give the same tables.
sed 's/^group red 0 .*/group red 0 1000000000:300000000:400000000:100:20000000000/' \
	"$golden/uses.in" | "$MEMMON_BUILD/tests/monmake" >other.mon
run 0 -S -T --fields --verbose prog uses.mon other.mon
mv out want
run 0 -S -T --fields --verbose prog other.mon uses.mon
is_file out want "the order of data files doesn't matter"
grep -q '^program, 4 sites' out
ok $? "the same sites in both"
none '[[:blank:]]$' "no blanks at the ends of lines"
none '(^|[^a-z])-?(nan|inf)([^a-z]|$)' "no figures that are none"

# JSON.
run 0 --json prog uses.mon
if perl -MJSON::PP -e 1 2>/dev/null; then
	is "$(perl "$golden/check.pl" <out 2>&1)" "" "JSON agrees with itself"
else
	skip 1 "no JSON::PP"
fi
like "$(cat out)" '"type":\{"name":"struct red","mark":"=","confidence":"compiler","size":64\}' \
	"the type of a site"
like "$(cat out)" '"reads":\[100,0\],"writes":\[100,0\],"members":\[\]' \
	"the fields"
run 0 --json prog widgets.mon
like "$(cat out)" '"uses":null' "null without accesses"
like "$(cat out)" '"use":null' "for sites and functions, too"
# One array of 20,000 structs: its elements count by the elements in its first
# bytes.
cat >array.c <<'EOF'
#include <stdlib.h>
struct particle { double x, y, vx, vy, ax, ay; long id, flags, unused[2]; };
enum { N = 20000 };
int main(void)
{
	struct particle *p = malloc(N * sizeof *p);
	volatile double sum = 0;

	for (int i = 0; i < N; i++) {
		p[i].x = 1;
		p[i].y = 1;
		p[i].vx = 1;
		p[i].vy = 1;
		p[i].ax = 2;
		p[i].ay = 2;
		p[i].id = i;
		p[i].flags = i;
	}
	for (int i = 0; i < N; i++)
		sum += p[i].x + p[i].y + p[i].vx + p[i].vy;
	free(p);
	return 0;
}
EOF
MEMMON_WAY=calls "$MEMMON_BUILD/memmon-cc" -g array.c -o array 2>err &&
	MEMMON_OUT=array.mon ./array
run 0 -b --fields=particle array array.mon
prints '20000 elements in 1 block, 1600000 bytes, 204 reads, 408 writes' \
	"an array above 4096 bytes: its elements, accesses of the first 51"
like "$(cat out)" 'arrays above 4096 bytes are those of the elements in the first' \
	"... which is said"
like "$(tr '\n' ' ' <out)" '32 of 80 bytes \(ax, ay, id, flags\) were never read by recorded code, at most written, in 20000 elements: 640000 bytes' \
	"... with the members that nothing reads"
done_testing
