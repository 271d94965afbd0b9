#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# memmon --allocator before the run, --with and --calibrate-allocators; what
# mpreduce makes of them.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# setting: prints the result of the pre-run.
setting()
{
	"$MPREDUCE" -i mon.out | sed -n 's/^ *setting *MEMMON_ALLOCATOR_PROBE=//p'
}
# value KEY
value()
{
	setting | tr ' ' '\n' | sed -n "s/^$1=//p"
}

# Blocks of one thread that another thread deletes; each thread also has blocks
# of its own.
cat >cross.cc <<'C'
#include <thread>
static char *volatile made[1000];
int main()
{
	std::thread([] { for (auto &p : made) p = new char[100]; }).join();
	for (auto &p : made)
		delete[] p;
}
C
"$CXX" -std=c++17 -O1 -g -o cross cross.cc -pthread
ok $? "a C++ program"

# Thresholds as the allocators document them: glibc's M_MMAP_THRESHOLD of 128 KB
# less 8 bytes of head, rounded to 16; jemalloc's small classes up to 14 KB;
# mimalloc's up to 128 KB (MI_MEDIUM_OBJ_SIZE_MAX); tcmalloc's kMaxSize, 256 KB.
libraries=
while read -r name library style threshold; do
	LD_PRELOAD=${library#-} timeout "$HANG" "$MEMMON" -q --allocator \
		"$PROG/operations" kinds >out 2>err
	is "$? $(cat err)" "0 " "$name: runs"
	if [ "$library" != - ] && ! grep -q "$library" <<<"$(value path)"; then
		skip 7 "no $name"
		continue
	fi
	libraries+=,$name
	is "$(value style) $(value threshold) $(value cache)" \
		"$style $threshold thread" "$name: style, threshold, cache"
	like "$("$MPREDUCE" --allocator "$PROG/operations" mon.out)" \
		"Big blocks have $threshold bytes" "$name: it is used"
	# Each class of the blocks is one of the classes that the pre-run found.
	"$MPREDUCE" --export=csv:allocator_sizes "$PROG/operations" mon.out |
		tr -d '\r' | sed 1d | cut -d , -f 1 | awk -v known="$(value classes)" '
		BEGIN { n = split(known, v, ",")
			for (i = 1; i <= n; i++)
				if (v[i] == "..") {
					step = v[i - 1] - v[i - 2]
					for (x = v[i - 1]; x <= v[i + 1]; x += step)
						is[x] = 1
				} else
					is[v[i]] = 1
			last = v[n] }
		$1 <= last && $1 < 65536 && $1 % 4096 != 4080 &&
			!($1 in is) { print }' >bad
	# Those of glibc that have pages of their own are 16 bytes less than
	# these.
	is "$(cat bad)" "" "$name: all sizes are among the classes"
	id=$(value id)
	is "$(sed 's/ .*//' "cache/memmon/probes/$id")" "style=$style" \
		"$name: it is kept"
	sed -i 's/threshold=[0-9]*/threshold=5000/' "cache/memmon/probes/$id"
	LD_PRELOAD=${library#-} "$MEMMON" -q --allocator true
	is "$(value threshold)" 5000 "$name: and read again"
	echo garbage >"cache/memmon/probes/$id"
	LD_PRELOAD=${library#-} "$MEMMON" -q --allocator true
	is "$(value threshold)" "$threshold" "$name: what is damaged is made anew"
	LD_PRELOAD=${library#-} "$MEMMON" -q --allocator ./cross
	is "$("$MPREDUCE" --export=csv --sql='SELECT sum(remote) BETWEEN 1000 AND
		1010 FROM allocator_operations' ./cross mon.out | tr -d '\r' |
		tail -n 1)" 1 "$name: blocks of another thread that are deleted"
done <<'EOF'
glibc - sequential 131049
jemalloc libjemalloc.so.2 runs 14337
mimalloc libmimalloc.so.2.0 runs 131073
tcmalloc libtcmalloc_minimal.so.4 runs 262145
EOF
MEMMON_ALLOCATOR_PROBE=threshold=77 "$MEMMON" -q --allocator true
is "$(setting)" threshold=77 "what the user has set stays"
"$MEMMON" -q true
is "$(setting)" "" "without --allocator nothing is looked for"
XDG_CACHE_HOME=/proc/nowhere "$MEMMON" -q --allocator true
is "$(value threshold)" 131049 "no place to keep it is no matter"

# ----------------------------------------------------------------- others --
timeout "$HANG" "$MEMMON" --with=glibc -o with.out "$PROG/operations" kinds \
	>out 2>err
is "$? $(grep -c compare err)" "0 1" "--with runs it"
like "$(cat err)" 'mpreduce --allocator=compare with.out.glibc' \
	"and says how to read it"
[ -s with.out.glibc ]
ok $? "its data file"
is "$("$MEMMON" -q --with=glibc,nosuch true 2>&1; echo $?)" \
	"memmon: 'nosuch' isn't a known allocator; name glibc, jemalloc, mimalloc, tcmalloc or the path of a library
125" "an allocator that nobody knows"
is "$("$MEMMON" -q --with=glibc,glibc true 2>&1; echo $?)" \
	"memmon: glibc: named twice; name each allocator once
125" "twice the same"
is "$("$MEMMON" -q --with=./none.so true 2>&1; echo $?)" \
	"memmon: ./none.so: No such file or directory
125" "a library that isn't there"
"$CC" -shared -fPIC -o libplain.so -x c - <<<'int nothing;'
is "$("$MEMMON" -q --with=./libplain.so true 2>&1; echo $?)" \
	"memmon: $T/libplain.so isn't an allocator: it contains no malloc
125" "a library that is none"
is "$("$MEMMON" -q --with=glibc sh -c 'exit 3'; echo $?)" 3 "the exit status"
is "$("$MEMMON" -q --with=glibc sh -c 'kill -KILL $$'; echo $?)" 137 \
	"... of a killed one"
"$CC" -std=gnu11 -O1 -g -D_GNU_SOURCE -I"$MEMMON_SRC" -fPIC -shared \
	-o libbump.so -DBUMP "$MEMMON_SRC/tests/prog/libprobe.c" -pthread
"$MEMMON" -q --with="glibc,$T/libbump.so" -o two.out "$PROG/operations" kinds >out
is "$? $(ls two.out.*)" "0 two.out.glibc
two.out.libbump" "two runs, one by the path of a library"

# calls FILE: function, flags, calls, cycles of each class.
calls()
{
	"$MEMMON_BUILD/tests/rawdump" "$1" | sed -n 's/^cost //p' |
		awk '$1 == "calls" { n[$2] = $4 } $1 == "time" { t[$2] = $4 " " $5 }
			$1 == "hz" { hz = $6 } $1 == "cpu" { cpu = $5 }
			END { print "hz", hz; print "cpu", cpu
			      for (of in n) print of, n[of], t[of] }'
}
mkdir reference
cp two.out.glibc reference/a.mon
cp two.out.libbump reference/b.mon
echo no data >reference/c.mon
export MEMMON_REFERENCE=$T/reference
# The same by the definition: each class at the mean of the most like one.
predicted=$({ calls two.out.glibc; echo own; calls two.out.glibc; echo other
	calls two.out.libbump; } | perl -ne '
	chomp; @w = split;
	if (@w == 1) { $who = $w[0]; next }
	if (!$who) {
		if ($w[0] eq "hz") { $hz = $w[1] }
		elsif ($w[0] eq "cpu") { $cpu = $w[1] }
		else { $run{$w[0]} = [@w[1 .. 3]] }
		next }
	if ($w[0] eq "hz") { $rate{$who} = $w[1] }
	elsif ($w[0] ne "cpu" && $w[2] >= 100) {
		$ref{$who}{$w[0]} = $w[3] / $w[2] / $rate{$who} * 1e9 }
	END {
		for $who ("own", "other") {
			for $of (keys %run) {
				my ($best, $least);
				for (keys %{$ref{$who}}) {
					next if ((0 + $_) ^ (0 + $of)) & (7 | 8 | 128);
					my $d = (0 + $_) ^ (0 + $of);
					$d = ($d & 32 ? 4 : 0) + ($d & 16 ? 2 : 0) +
						($d & 64 ? 1 : 0);
					($least, $best) = ($d, $_)
						if !defined $least || $d < $least;
				}
				$sum{$who} += defined $best
					? $run{$of}[0] * $ref{$who}{$best}
					: $run{$of}[2] / $hz * 1e9;
			}
		}
		$in += $_->[2] / $hz * 1e9 for values %run;
		printf "%d %d\n", $in * $sum{other} / $sum{own},
			($cpu > $in ? $cpu - $in : 0) +
				$in * $sum{other} / $sum{own};
	}')
got=$("$MPREDUCE" --export=csv --sql="SELECT time, cpu FROM allocator_predictions
	WHERE allocator = 'libbump.so'" "$PROG/operations" two.out.glibc |
	tr -d '\r' | tail -n 1 | tr , ' ')
awk -v a="$predicted" -v b="$got" 'function near(x, y) {
		return x - y <= x / 1000 + 100 && y - x <= x / 1000 + 100 }
	BEGIN { split(a, x, " "); split(b, y, " ")
		exit !(x[1] > 0 && near(x[1], y[1]) && near(x[2], y[2])) }'
ok $? "the prediction is the one of the definition" ||
	diag "by definition: $predicted" "printed: $got"
"$MPREDUCE" --allocator=compare "$PROG/operations" two.out.* >compare
like "$(cat compare)" ' predicted +off +allocator' "runs side by side"
is "$(grep -c 'two.out' compare)" 2 "a row for each"
is "$("$MPREDUCE" --export=csv --sql='SELECT predicted FROM allocator_runs' \
	"$PROG/operations" two.out.glibc two.out.libbump | tr -d '\r' | tail -n 1)" \
	"${got#* }" "with the same prediction"
like "$("$MPREDUCE" --allocator "$PROG/operations" two.out.glibc)" \
	'For comparison: libc.so.6 itself takes' "and how good it is"
rm -r reference
like "$("$MPREDUCE" --allocator=compare "$PROG/operations" two.out.*)" \
	'memmon --calibrate-allocators' "without measurements it says what to do"
mkdir reference
# All of them take a few seconds.
! exhaustive && libraries=,glibc
"$MEMMON" --calibrate-allocators"$(exhaustive || echo =glibc)" >said 2>err
is "$? $(cat err)" "0 " "--calibrate-allocators"
is "$(ls reference | sed 's/[.]mon$//' | sort | tr '\n' ' ')" \
	"$(tr , '\n' <<<"${libraries#,}" | sort | tr '\n' ' ')" \
	"each allocator that is there is measured"
is "$("$MPREDUCE" --export=csv --sql="SELECT count(*) FROM allocator_operations
	WHERE function IN ('malloc', 'free', 'calloc', 'realloc', 'memalign')
	AND timed >= 100 AND NOT first" reference/glibc.mon 2>/dev/null |
	tr -d '\r' | tail -n 1 | awk '{ print ($1 >= 15) }')" 1 \
	"in enough classes of operation"
is "$("$MEMMON" --with=glibc -p $$ 2>&1; echo $?)" \
	"memmon: --with and --calibrate-allocators can't be used with -p
125" "nor is a process that runs run again"
is "$("$MEMMON" --calibrate-allocators=glibc true 2>&1; echo $?)" \
	"memmon: --calibrate-allocators takes no program; use --with to run a program
125" "it takes no program"
is "$(MEMMON_REFERENCE=$T/nowhere "$MEMMON" --calibrate-allocators=glibc 2>&1 |
	sed 's/.*the data file can.t be.*/no place/')" "no place
memmon: glibc: the allocator could not be measured" "nor a place that isn't there"
done_testing
