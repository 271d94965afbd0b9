#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real programs: output and status are unchanged, and the totals equal those of
# an independent count in the same run (tests/prog/liboracle.c), and valgrind's.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

have()
{
	command -v "$1" >/dev/null 2>&1
}

# The system's python: another one may be a wrapper, which would be measured.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# run NAME COMMAND...: with both, and without.
run()
{
	local name=$1 s0 s1 f o all
	shift
	if ! have "$1"; then
		skip 2 "no $1"
		return
	fi
	rm -rf data && mkdir data
	"$@" >out0 2>err0 </dev/null
	s0=$?
	ORACLE_OUT=$T/data/o LD_PRELOAD=$PROG/liboracle.so \
		"$MEMMON" -o "$T/data/m.%p" "$@" >out1 2>err1 </dev/null
	s1=$?
	cmp -s out0 out1 && cmp -s err0 err1 && [ $s0 -eq $s1 ]
	ok $? "$name: output and status ($s0, $s1)"
	all=0
	for f in data/m.*[0-9]; do
		o=data/o.${f#data/m.}
		[ -f "$o" ] || continue
		all=$((all + 1))
		want=$(awk '{ print $1, $2, $3, $4, $6 }' "$o")
		got="$(totals "$f") $(total "$f" 'peak as counted')"
		[ "$got" = "$want" ] || break
	done
	[ "$all" -gt 0 ] && [ "$got" = "$want" ]
	ok $? "$name: counts of $all processes ($got)" ||
		diag "$f: got $got, oracle $want"
}

export PYTHONHASHSEED=0 PERL_HASH_SEED=0
run python "$python" -c 'import json, re, ast
t = open(ast.__file__).read()
print(len(ast.dump(ast.parse(t))), len(json.dumps(re.findall("[a-z]+", t))))'
PYTHONMALLOC=malloc run 'python, small blocks too' "$python" -c \
	'print(sum(len(str(i)) for i in range(20000)))'
run perl perl -e 'my %h; $h{$_ % 701} .= $_ x 3 for 1 .. 20000;
print join(",", map { length $h{$_} } sort keys %h), "\n"'
run 'sqlite3' sqlite3 :memory: 'create table t(a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
insert into t select i, hex(i * 7919) from n;
select count(*), max(b), sum(length(b)) from t; select * from t order by b limit 3;'
printf '[' >j.json
for i in $(seq 500); do
	printf '{"n":%d,"g":"%s","l":[1,2,%d]},' "$i" "$((i % 7))" "$i" >>j.json
done
echo '{}]' >>j.json
run jq jq -c 'group_by(.g) | map(length)' j.json
{
	echo '<all>'
	for i in $(seq 300); do echo "<item n='$i'><b>text $i</b></item>"; done
	echo '</all>'
} >x.xml
run xmllint xmllint --format x.xml
run 'ls, to a pipe' ls -l /usr/share
run 'sh with children' sh -c 'for i in 1 2 3; do ls / | sort -r | head -n 2; done; exit 5'
n=60
! exhaustive || n=300
for i in $(seq $n); do
	echo "static int f$i(int x) { int s = 0; for (int i = 0; i < x; i++)"
	echo "s += i * $i % (x + 3) + (x > $i ? s ^ i : s | x); return s; }"
done >big.c
echo 'int (*all[])(int) = {' >>big.c
for i in $(seq $n); do echo "f$i," >>big.c; done
echo '};' >>big.c
run 'gcc -O2, with cc1 and as' gcc -O2 -c big.c -o /dev/null
run 'a failing command' gcc -c /nonexistent.c

# valgrind's "total heap usage", as a second opinion.  Its environment differs
# from ours, so only programs that don't copy theirs.
if have valgrind; then
	while read -r p; do
		# shellcheck disable=SC2086
		have ${p%% *} || continue
		# shellcheck disable=SC2086
		valgrind --run-libc-freeres=no --run-cxx-freeres=no \
			--log-file=vg $p >/dev/null
		want=$(sed -n 's/,//g; s/.*usage: \([0-9]*\) allocs \([0-9]*\) frees \([0-9]*\) bytes.*/\1 \3 \2/p' vg)
		# shellcheck disable=SC2086
		"$MEMMON" -o v.mm $p >/dev/null
		# shellcheck disable=SC2046
		set -- $(totals v.mm)
		is "$1 $2 $3" "$want" "valgrind agrees: ${p##*/}"
	done < <(some <<E2
$PROG/widgets half
+ $PROG/recurse self 50
ls -R $MEMMON_SRC/man
+ xmllint --format x.xml
jq . j.json
E2
)
else
	skip 5 'no valgrind'
fi
done_testing
