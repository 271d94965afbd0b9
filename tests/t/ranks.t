#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Processes of a parallel job: ranks, as launchers number them, are in the names
# of data files and in the files.  --threads=ranks compares them, in tables,
# SQL, JSON, CSV and on the page; a rank that was killed is among them.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce="$MEMMON_BUILD/mpreduce"

# Eight ranks; rank 3 has 1000 blocks of 16 bytes more at its peak.
mkdir job
"$MEMMON_BUILD/tests/jobmake" job 8 20 30 || echo "Bail out! jobmake"
"$mpreduce" -b --threads=ranks:site job >out 2>err
is "$?" 0 "--threads=ranks"
like "$(cat out)" "8 ranks of job 4711 on 1 host" "what there is"
# Path 0: 1 + rank % 4 blocks, and 1000 of rank 3: 2 * (1 + 2 + 3 + 4) + 1000.
mean=$((1020 * 16 / 8))
like "$(cat out)" "7\.87 +$(printf '%d +%d +3 +%d +0 +8 ' $mean $((1004 * 16)) 16)" \
	"the peak of the path that differs"
is "$(sed -n '/^Bytes live at the peak/,/^Bytes not freed/p' out |
	grep -cE '^ *[0-9]+\.[0-9]{2} ')" "$(sed -n \
	'/^Bytes live at the peak/,/^Bytes not freed/p' out |
	grep -E '^ *[0-9]+\.[0-9]{2} ' | sort -s -k 1,1 | wc -l)" "rows"

# By the formulas of tests/jobmake.c, for all paths and figures.
"$mpreduce" --sql="select i.mean, i.most, i.most_rank, i.least, i.least_rank,
	i.ranks, i.sum, i.figure, s.id from imbalance i join sites s
	on s.site = i.site where i.of = 'site'" --export=csv job 2>/dev/null |
	tr -d '\r' | sed 1d | sort >got
"$mpreduce" --export=csv:imbalance job 2>/dev/null | sed 1d | wc -l >rows
[ "$(cat rows)" -gt 90 ]
ok $? "--export=csv:imbalance"
perl -e '
	my (%v, %all);
	for my $r (0 .. 7) {
		for my $i (0 .. 19) {
			my $n = $i ? 1 + ($r * 131 + $i) % 29 : 0;
			my $size = 16 + 8 * ($n % 100);
			my $allocs = 10 + (7 * $n + 3 * $r) % 50;
			my $kept = $n % 5 ? 0 : $r % 4;
			my $held = 1 + ($n + $r) % 4;
			if (!$n && $r == 3) { $allocs += 1000; $held += 1000 }
			$v{peak}{$n}[$r] = $held * $size;
			$v{kept}{$n}[$r] = $kept * $size;
			$v{bytes}{$n}[$r] = $allocs * $size;
		}
	}
	for my $f (keys %v) {
		for my $n (keys %{$v{$f}}) {
			my @x = map { $_ // 0 } @{$v{$f}{$n}}[0 .. 7];
			my ($most, $least, $sum, $some) = (0, 0, 0, 0);
			for (0 .. 7) {
				$most = $_ if $x[$_] > $x[$most];
				$least = $_ if $x[$_] < $x[$least];
				$sum += $x[$_];
				$some++ if $x[$_];
			}
			print join(",", int($sum / 8), $x[$most], $most, $x[$least],
				$least, $some, $sum, $f), "\n";
		}
	}' | sort >want
sed 's/,[0-9]*$//' got | sort >figures
is_file figures want "each figure of each call path"

"$mpreduce" --sql='select rank, host, peak, kept, bytes from ranks' job \
	--export=csv 2>/dev/null | tr -d '\r' | sed 1d >got
is "$(wc -l <got)" 8 "a row for each rank"
is "$(sed -n 4p got | cut -d , -f 1,2)" 3,node0 "in their order"
"$mpreduce" --sql='select sum(peak), sum(kept), sum(bytes) from ranks' job \
	--export=csv 2>/dev/null | tr -d '\r' | sed 1d >got
is "$(cat got)" "$(awk -F , '{ s[$8] += $7 }
	END { print s["peak"] "," s["kept"] "," s["bytes"] }' want)" \
	"they add up to all paths"

# Two hosts with 64 ranks each at most; their ranks ran one second after
# another.
mkdir hosts
"$MEMMON_BUILD/tests/jobmake" hosts 66 10 12
"$mpreduce" --sql='select host, ranks, peak, peak_most from hosts order by host' \
	--export=csv hosts 2>/dev/null | tr -d '\r' | sed 1d >got
is "$(cut -d , -f 1,2 got | tr '\n' ' ')" "node0,64 node1,2 " "hosts"
# All ranks had their peak at the same time, within nanoseconds.
"$mpreduce" --sql="select sum(peak) from ranks where host = 'node1'" \
	--export=csv hosts 2>/dev/null | tr -d '\r' | sed 1d >sum
is "$(sed -n 2p got | cut -d , -f 3,4)" "$(cat sum),$(cat sum)" \
	"what the ranks of a host held at the same time"
"$mpreduce" --json hosts 2>/dev/null >json
perl -MJSON::PP -e 'local $/; my $j = decode_json(<>);
	print scalar(@{$j->{ranks}}), " ", scalar(@{$j->{hosts}}), " ",
	$j->{runs}[5]{rank}, " ", $j->{runs}[5]{job}, " ", $j->{runs}[5]{host}, "\n"' \
	<json >got
is "$(cat got)" "66 2 5 4711 node0" "JSON"
"$mpreduce" --html=page.html job 2>/dev/null
grep -q '"ranks":{"names":\[' page.html
ok $? "the page has them"
# Path N ends at the address of its number: path 0 and the others, each once.
is "$(tr '"' '\n' <page.html | grep -c '0x700[^>]* > \[app+0x800')" \
	"$(tr '"' '\n' <page.html | grep '0x700[^>]* > \[app+0x800' | sort -u |
		wc -l)" "... with paths"
[ "$(tr '"' '\n' <page.html | grep -c '0x700[^>]* > \[app+0x800')" -ge 24 ]
ok $? "... of all rows"
if command -v chromium >/dev/null; then
	timeout "$HANG" chromium --headless --no-sandbox --disable-gpu \
		--user-data-dir="$T/chromium" --virtual-time-budget=4000 \
		--dump-dom "file://$PWD/page.html#view=ranks&metric=peak" \
		>dom 2>/dev/null
	# The job, and 24 call paths and functions each, and a type.
	is "$(grep -o 'class="ranks"' dom | wc -l)" "$((1 + 24 + 24 + 1))" \
		"... a row for each"
	is "$(grep -o '<i style="background: rgba(var(--heat)' dom | wc -l)" \
		"$((50 * 8))" "... with a cell for each rank"
	grep -q '>7\.87<' dom
	ok $? "... and the figures of the table"
else
	skip 3 "no chromium"
fi
"$mpreduce" -s -o sum job && "$mpreduce" --threads=ranks sum >out 2>/dev/null
like "$(cat out)" "can't be compared: a sum does not record its runs" "of a sum"
"$mpreduce" --threads=ranks -j 1 hosts >a 2>/dev/null
"$mpreduce" --threads=ranks -j 3 hosts >b 2>/dev/null
is_file a b "by one thread and by several"

# The names of files, and their contents, by each launcher's variables.
memmon="$MEMMON_BUILD/memmon" true=$(command -v true)
prog="$MEMMON_BUILD/tests/prog/widgets"
while read -r variables rank job; do
	rm -f x.*
	env ${variables//;/ } "$memmon" -o 'x.%j.%r.mon' "$prog" >/dev/null 2>&1
	is "$(echo x.*)" "x.$job.$rank.mon" "$variables"
	"$mpreduce" --json x.*.mon 2>/dev/null | tr ',{' '\n\n' |
		sed -n 's/^"\(host\|job\|rank\)":/\1 /p' | head -n 3 | tr '\n' ' ' >got
	is "$(cat got)" "host \"$(uname -n)\" job $([ $job = none ] && echo null ||
		echo "\"$job\"") rank $([ $rank = none ] && echo null ||
		echo $rank) " "... in the file"
done <<-EOF
	OMPI_COMM_WORLD_RANK=3;PMIX_RANK=7;PMIX_NAMESPACE=n1 3 n1
	PMIX_RANK=7;SLURM_JOB_ID=99 7 99
	PMI_RANK=12;PBS_JOBID=8.host 12 8.host
	SLURM_PROCID=0;SLURM_JOB_ID=5 0 5
	A=B none none
EOF
env SLURM_JOB_ID=a/b "$memmon" -o 'y.%j.mon' "$prog" >/dev/null 2>&1
[ -e y.a_b.mon ]
ok $? "a job's name with a slash"

# One of four is killed: the table lists it with its figures until then.
mkdir killed
for r in 0 1 2; do
	PMI_RANK=$r PMI_JOBID=k "$memmon" -o "killed/%r.mon" "$prog" >/dev/null 2>&1
done
PMI_RANK=3 PMI_JOBID=k "$memmon" -o "killed/%r.mon" \
	"$MEMMON_BUILD/tests/prog/killed" kill >/dev/null 2>&1
"$mpreduce" --threads=ranks killed >out 2>err
like "$(cat out)" "4 ranks of job k on 1 host; 1 without a final file .figures as last written." \
	"one that was killed is among them"
"$mpreduce" --sql="select bytes > 1000, ended from ranks where rank = '3'" \
	--export=csv killed 2>/dev/null | tr -d '\r' | sed 1d >got
is "$(cat got)" "1,SIGKILL or exit_group" "... with what it had"
done_testing
