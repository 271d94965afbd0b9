#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sampling (tests/prog/sampled.c, whose totals are known): estimates, the errors
# that are stated, what is exact all the same, and what isn't known.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

ALLOCS=32220 BYTES=10950000 KEPT=2000000

# sampled SEED FILE ARGS...: run the program.
sampled()
{
	local seed=$1 file=$2
	shift 2
	MEMMON_SAMPLE_SEED=$seed "$MEMMON" --sample=64K -o "$file" "$@" \
		"$PROG/sampled"
}

# figures FILE: allocs, bytes, kept, peak and their errors in percent.
figures()
{
	"$MPREDUCE" -b "$PROG/sampled" "$@" 2>&1 | awk '
	function error(s) { sub(/.*\+-/, "", s); sub(/%.*/, "", s); return s }
	/^allocations/ { a = $2 " " error($3) }
	/^bytes /      { b = $2 " " error($3) }
	/^live at exit/ { k = $4 " " error($6) }
	/^peak/	       { p = $2 " " error($4) }
	/^counted/     { c = $2 " " $5 }
	/^---.*Leaks/  { print a, b, k, p, c; exit }'
}

for seed in $(seq 1 40); do
	sampled "$seed" m.out || diag "seed $seed: status $?"
	figures m.out
done >all
is "$(wc -l <all)" 40 'every run has all figures'
is "$(cut -d' ' -f 9,10 all | sort -u)" "$ALLOCS $BYTES" \
	'what is counted of all blocks is exact'
# mean COLUMN TRUTH NAME: is the mean near, and are the errors that are stated
# about what they are off?
mean()
{
	awk -v c="$1" -v truth="$2" '{
		e = ($c - truth) / truth * 100; s += e; q += e * e
		v += $(c + 1) * $(c + 1); n++
	} END {
		sd = sqrt(q / n); z = s / n / sd * sqrt(n)
		r = sqrt(v / n) / sd
		print z, r
		exit !(z > -4 && z < 4 && r > 0.6 && r < 1.5)
	}' all >z
	ok $? "$3: right on average, and as far off as it says" ||
		diag "z and ratio: $(cat z)"
}
mean 1 "$ALLOCS" allocations
mean 3 "$BYTES" bytes
mean 5 "$KEPT" 'what is kept'
mean 7 $((KEPT + 20 * 100000)) 'the peak'

sampled 5 a.out
sampled 5 b.out
"$MPREDUCE" -b "$PROG/sampled" a.out | grep -v '^\(pid\|date\|sec\|peak\|monitor\)' >1
"$MPREDUCE" -b "$PROG/sampled" b.out | grep -v '^\(pid\|date\|sec\|peak\|monitor\)' >2
cmp -s 1 2
ok $? 'the same seed gives the same tables' || diag "$(diff 1 2 | head)"
grep -q '^sampled: every 64K bytes on average, ' 1
ok $? 'every table says that it is of samples'
# The graph has no title.
is "$(grep -c '^sampled: ' 1)" "$(($(grep -c '^----*  *[A-Z].*---$' 1) + 1))" \
	'every one' || diag "$(grep -- '^---.*[A-Z]' 1)"
grep -q 'kept bytes (%) *+- *allocs *+- *bytes (%) *+-' 1
ok $? 'and has columns of errors'
"$MPREDUCE" --json "$PROG/sampled" a.out >a.json
grep -q '"sample": *{"rate": *65536,' a.json
ok $? 'JSON says so, too' || diag "$(grep -i sample a.json | head -3)"
grep -q '"errors": *{"allocs": *[1-9]' a.json
ok $? 'with errors'

# Sums.
cp a.out c.out
"$MPREDUCE" -b "$PROG/sampled" a.out c.out | grep '^\(alloc\|bytes\|live\)' >1
(cd "$T" && "$MPREDUCE" -s "$PROG/sampled" a.out c.out) >/dev/null 2>err
"$MPREDUCE" -b "$PROG/sampled" mon.sum | grep '^\(alloc\|bytes\|live\)' >2
cmp -s 1 2
ok $? 'a sum keeps estimates and errors' ||
	diag "$(cat err; diff 1 2; ls)"
"$MEMMON" -o full.out "$PROG/sampled"
"$MPREDUCE" -b "$PROG/sampled" a.out full.out >both
grep -q '^sampled: every 64K bytes on average at most, or in some runs' both
ok $? 'with a run of which all is known'
grep -q "^counted *$((2 * ALLOCS)) allocations of $((2 * BYTES)) bytes" both
ok $? 'exact totals add up' || diag "$(grep counted both)"
"$MPREDUCE" -b "$PROG/sampled" full.out >plain
! grep -q -e '+-' -e sampled: plain
ok $? 'alone, it has nothing of all that'

# What needs all blocks.
sampled 1 m.out -l
"$MPREDUCE" -b "$PROG/sampled" m.out >table
grep -q 'no leak check: blocks are sampled' table
ok $? 'no leak check of samples' || diag "$(sed -n 20,40p table)"
MEMMON_SAMPLE=64K MEMMON_OUT=acc.out \
	LD_PRELOAD=$MEMMON_BUILD/libmemmon-access.so.0 "$PROG/sampled"
"$MPREDUCE" -b "$PROG/sampled" acc.out >table 2>&1
grep -q '^sampled *no, though it was asked for: accesses' table
ok $? 'none where accesses are recorded' || diag "$(head -20 table)"
is "$(awk '/^allocations/ { print $2 }' table)" "$ALLOCS" 'so it is exact'

# Marks are estimates while the sums aren't yet.
MEMMON_SAMPLE=1K MEMMON_OUT=ph.out "$PROG/phases-mm" >/dev/null
"$MPREDUCE" -b "$PROG/phases-mm" ph.out >table 2>err
is "$(cat err)$(grep -c ^incomplete table)" 0 'marks of samples are all there'

# Blocks that other threads free: whose changes those are.
for p in crew threads; do
	MEMMON_SAMPLE=4K MEMMON_SAMPLE_SEED=3 MEMMON_OUT=$p.out \
		"$PROG/$p-mm" >/dev/null
	"$MPREDUCE" -b --at=50% "$PROG/$p-mm" $p.out >table 2>err
	is "$? $(cat err)" '0 ' "$p: a snapshot of samples of several threads"
	"$MPREDUCE" -b --at=100% "$PROG/$p-mm" $p.out >table 2>err
	"$MPREDUCE" -b "$PROG/$p-mm" $p.out >end
	is "$(awk '/^(allocations|bytes) / { print $1, $2 }' table)" \
		"$(awk '/^(allocations|bytes) / { print $1, $2 }' end)" \
		"$p: its last one is the end"
done

# All allocations are counted, recorded or not.
counted()
{
	"$MPREDUCE" -b "$@" 2>err | awk '/^counted/ { print $2, $5; exit }'
}
plain()
{
	"$MPREDUCE" -b "$@" 2>err |
		awk '/^allocations/ { a = $2 } /^bytes / { print a, $2; exit }'
}
# Threads, resized blocks, types, C++, blocks handed on, forks.
for p in crew temps typed typedxx relay widgets family; do
	MEMMON_OUT=p.out "$PROG/$p-mm" >/dev/null 2>&1
	MEMMON_SAMPLE=16K MEMMON_OUT=s.out "$PROG/$p-mm" >/dev/null 2>&1
	want=$(plain "$PROG/$p-mm" p.out)
	like "$want" '^[1-9][0-9]* [1-9]' "$p: known without sampling"
	is "$(counted "$PROG/$p-mm" s.out)" "$want" \
		"$p: as many are counted where they are sampled"
	rm -f p.out s.out
done

# Killed.
# shellcheck disable=SC2016
"$MEMMON" --sample=4K -o k.out bash -c 'x=$(seq 9999); kill -9 $$' 2>/dev/null
"$MPREDUCE" -b k.out >table 2>&1
grep -q '^sampled: every 4K bytes' table
ok $? 'after SIGKILL the image knows it' || diag "$(head -20 table)"

# Whole blocks of what was held are no more than were allocated.
"$MEMMON_BUILD/tests/monmake" >held <<'EOF1'
run program /bin/x
run sample 4096
run threads 1
module w /bin/x exe at 0x400000 0x500000 0
chain a w:0x401008
chain b w:0x401088
alloc a 24 1 1
alloc b 24 1
peak a 1 24
peak b 1 24
thread main threads 1 flags 1 allocs 2 bytes 48 frees 1 freed 24
cell a 1 24 1 1 peak 1
cell b 1 24 1 0 peak 1
total peak 48
EOF1
is "$("$MPREDUCE" --sql='SELECT sum(peak_blocks > allocs) AS n FROM sites' \
	held 2>/dev/null | tail -n 1 | tr -d ' ')" 0 \
	'no path held more at the peak than it allocated'

"$MEMMON" --sample=x true 2>err
is "$?" 125 'no number of bytes'
grep -q -- '--sample takes a number of bytes' err
ok $? 'is refused'
done_testing
