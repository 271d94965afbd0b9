#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The holders of the memory at the peak (tests/prog/peaks.c), and real programs
# against an independent count.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
. "$MEMMON_SRC/tests/figures.sh"

# peaks NAME ARGS...: run it, read the figures.
peaks()
{
	"$MEMMON" -o m.out "$PROG/peaks" "$@" || return 1
	json m.out "$PROG/peaks"
}

# held FUNCTION=BYTES...: the peak has these functions and no others.
held()
{
	local name=$1 want all=0 f
	shift
	for f; do
		is "$(self "${f%=*}" peak)" "${f#*=}" "$name: held by ${f%=*}"
		all=$((all + ${f#*=}))
	done
	is "$(sum peak)" "$all" "$name: together, that is the peak"
	is "$(total_of main peak)" "$all" "$name: by way of main"
}

peaks once
held 'once' alpha=300000 beta=1000000 gamma_=4900000 delta=0
is "$(sum peak_blocks) $(sum peak_slack)" '570 0' 'in blocks, exactly'
is "$(sum kept)" 0 'all is freed in the end'
"$MPREDUCE" -b --peak "$PROG/peaks" m.out >table
for row in '4900000 .* 70 .*gamma_' '1000000 .* 200 .*beta' \
	'300000 .* 300 .*alpha'; do
	grep -q "$row\$" table
	ok $? "the table has $row" || diag "$(cat table)"
done
grep -q 'Peak: 6200000 bytes in 570 blocks' table
ok $? 'and says how much it was'

peaks end
held 'at the end' alpha=300000 beta=1000000 gamma_=4900000
is "$(sum kept) $(sum peak_blocks)" '6200000 570' 'and is kept'
length=$(figures runs length_ns)
is "$(sum peak_at_ns)" "$length" 'it lasts to the end'
peaks when
held 'when' alpha=1000000
at=$(sum peak_at_ns) length=$(figures runs length_ns)
ok $((at < 60000000 || length - at < 60000000)) \
	"it lasted from the start for $at ns of $length"
peaks often
held 'reached a thousand times' alpha=300000 beta=1000000
is "$(sum peak_blocks)" 500 'in blocks'
peaks climb
held 'a thousand peaks' alpha=1000 epsilon=1000
is "$(sum peak_blocks)" 2 'in blocks'
peaks resize
held 'resized' alpha=1000 zeta=1048576
is "$(sum peak_blocks)" 2 'in blocks'

# near NAME GOT WANT SLACK
near()
{
	local d=$(($2 - $3))
	ok $((${d#-} > $4)) "$1: $2 is $3 give or take $4"
}

# Several threads: the peak also contains the blocks of starting them.
for n in 1 3 8; do
	peaks crew $n
	slack=$(sum peak_slack)
	other=$(($(sum bytes) - n * 245000))
	near "$n threads" "$(sum peak)" $((n * 245000 + other)) "$slack"
	# 32 KiB for each thread that allocates; one more starts them.
	ok $((slack > (n + 1) * 32768)) "$n threads: slack of $slack bytes"
	a=$(self alpha peak) b=$(self beta peak)
	near "$n threads, who" $((a + b)) $((n * 245000)) "$slack"
	# All figures of the peak belong to one time: the sum of the sites is as
	# near.
	all=$(figures sites count.peak | added)
	near "$n threads, sites" "$all" $((n * 245000 + other)) "$slack"
done

# Real programs: $ORACLE_OUT.PID.peak has blocks and bytes at the peak.
run()
{
	local name=$1 f o got=none want=
	shift
	if ! command -v "$1" >/dev/null 2>&1; then
		skip 1 "no $1"
		return
	fi
	rm -rf data && mkdir data
	ORACLE_OUT=$T/data/o LD_PRELOAD=$PROG/liboracle.so \
		"$MEMMON" -o "$T/data/m.%p" "$@" >/dev/null 2>&1 </dev/null
	for f in data/m.*[0-9]; do
		o=data/o.${f#data/m.}
		[ -f "$o.peak" ] || continue
		want=$(awk '{ n += $2; b += $1 * $2 } END { print b, n }' "$o.peak")
		json "$f"
		all=$(figures sites count.peak peak_blocks | added)
		got="$(sum peak) $(sum peak_blocks)"
		[ "$got, $all" = "$want, $want" ] || break
	done
	is "$got, sites $all" "$want, sites $want" "$name: bytes and blocks at the peak"
}
export PYTHONHASHSEED=0 PERL_HASH_SEED=0
run peaks "$PROG/peaks" once
python=/usr/bin/python3
[ -x "$python" ] || python=python3
PYTHONMALLOC=malloc run python "$python" -c \
	'import json; print(len(json.dumps([str(i) for i in range(9000)])))'
run perl perl -e 'my %h; $h{$_ % 701} .= $_ x 3 for 1 .. 9000; undef %h;
	print length join(",", map { $_ x 7 } 1 .. 3000)'
run sqlite3 sqlite3 :memory: 'create table t(a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
insert into t select i, hex(i * 7919) from n; delete from t where a % 3;
select count(*), max(b) from t;'
run ls ls -lR "$MEMMON_SRC/tests"
run sort sort "$MEMMON_SRC/README"
done_testing
