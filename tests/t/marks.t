#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Marks, and other rare data: a process that was killed, recording that was off,
# counts that were reset, pools.  In tables, sums, -i and JSON.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s" || echo "Bail out! prog"

# In all: 50 allocations of 5000 bytes, 20 frees of 2000.
cat >desc <<'EOF1'
run program /tmp/prog
run pid 5
run length 5000000000
run end exit
module p /tmp/prog exe at 0x400000 0x500000 0
chain red p:0x401008 p:0x401018
alloc red 100 50 20
EOF1
cat >marks <<'EOF1'
mark load 1500000000 allocs 10 bytes 1000 frees 1 freed 100
mark - 1500000000 allocs 10 bytes 1000 frees 1 freed 100
mark two\swords 4250000000 allocs 40 bytes 4000 frees 20 freed 2000
EOF1
"$make" <desc >none
cat desc marks | "$make" >three

"$mpreduce" --prolog=marks -b prog three >got 2>/dev/null
cat >want <<'EOF1'
--------- Marks ------------

   seconds   live bytes     blocks |     allocs        bytes      frees  freed bytes   mark

     1.500          900          9 |         10         1000          1          100   load
     1.500          900          9 |          0            0          0            0   -
     4.250         2000         20 |         30         3000         19         1900   two words
     5.000         3000         30 |         10         1000          0            0   (end)
EOF1
is_file got want "the table"
"$mpreduce" --prolog=marks --units=human prog three >got 2>/dev/null
like "$(cat got)" "1000 +1 +100   load" "bytes for humans"
like "$(cat got)" "The times that the program gave names" "the legend"
is "$("$mpreduce" prog three 2>/dev/null | grep -c '^--------- Marks')" 1 "unasked, when there are some"
is "$("$mpreduce" prog none 2>/dev/null | grep -c '^--------- Marks')" 0 "and only then"
is "$("$mpreduce" -L prog three 2>/dev/null | grep -c '^--------- Marks')" 0 "nor with other tables"
like "$("$mpreduce" --prolog=marks prog none 2>/dev/null)" "The program set no marks\." "none"
like "$("$mpreduce" -i three)" " 4250000000 +40 +4000 +20 +2000  two words" "-i"
"$mpreduce" --json prog three >json 2>/dev/null
is "$(grep '"name":"two words"' json)" \
	'{"name":"two words","time_ns":4250000000,"allocs":40,"bytes":4000,"frees":20,"freed":2000,"restart":false}],' \
	"JSON"

# Sums.
"$mpreduce" -s three
"$mpreduce" --prolog=marks -b prog mon.sum >got 2>/dev/null
is_file got want "of one file they are kept"
"$mpreduce" --prolog=marks prog three none >got 2>/dev/null
like "$(cat got)" "marks of several runs; print each file by itself" "of several they aren't"
like "$("$mpreduce" prog none three 2>/dev/null)" "several runs have no common marks" "a note in the prolog"
"$mpreduce" -s none three
is "$("$mpreduce" -i mon.sum | grep -c ' marks$')" 0 "nor in their sum"

# A reset starts again at 0, at any time.
cat desc - >reset.in <<'EOF1'
run reset 2000000000
mark before 1000000000 allocs 900 bytes 90000 frees 80 freed 8000
mark after 3000000000 allocs 10 bytes 1000 frees 4 freed 400
EOF1
"$make" <reset.in >reset
"$mpreduce" --prolog=marks -b prog reset 2>err >got
is "$(sed 1,5d got)" \
"     1.000        82000        820 |        900        90000         80         8000   before
     3.000          600          6 |         10         1000          4          400   after
     5.000         3000         30 |         40         4000         16         1600   (end)" \
	"a reset between marks"
is "$(grep -c impossible err)" 0 "and no complaint"
{ cat desc; echo "run reset 4000000000"; sed 3q marks; } | "$make" >reset
{ sed 's/4250000000/3000000000/' marks | cat desc -; echo "run reset 4000000000"; } | "$make" >reset
"$mpreduce" --prolog=marks -b prog reset 2>err >got
is "$(tail -n 1 got)" \
	"     5.000         3000         30 |         50         5000         20         2000   (end)" \
	"a reset after the last mark"
cat desc - <<'EOF1' | "$make" >reset
run reset 3000000000
mark a 1000000000 allocs 900 bytes 90000 frees 80 freed 8000
mark b 2000000000 allocs 7 bytes 700 frees 0 freed 0
EOF1
"$mpreduce" --prolog=marks -b prog reset 2>err >got
like "$(cat got)" "7          700          0            0   b" "one that isn't the last shows, too"

# Lines that can't be true.
bad()
{
	local name=$1 regex=$2
	shift 2
	{ cat desc marks; printf '%s\n' "$@"; } | "$make" >bad
	"$mpreduce" -L -b prog bad >out 2>err
	is "$?" 4 "$name: status"
	like "$(cat err)" "$regex" "$name: warning"
}
one="1 impossible mark left out; .*, 3 of 4 marks"
bad "before the one before" "$one" "mark x 4249999999 allocs 40 bytes 4000 frees 20 freed 2000"
bad "more than there was in all" "$one" "mark x 4500000000 allocs 51 bytes 4000"
bad "more bytes" "$one" "mark x 4500000000 allocs 50 bytes 5001"
bad "more frees" "$one" "mark x 4500000000 allocs 50 bytes 5000 frees 21"
bad "more bytes freed" "$one" "mark x 4500000000 allocs 50 bytes 5000 frees 20 freed 2001"
bad "bytes without blocks" "$one" "mark x 4500000000 bytes 1"
bad "lost marks" "parts are missing; .*, 2 of 3 marks" "most 1" "drop marks 2"
bad "damaged marks" "1 damaged record left out; .*, 0 of 3 marks" "bad-crc marks 1"

# ---------------------------------------------------------------- killed --

{ sed '/^run end/d' desc; cat <<'EOF1'; } | "$make" >killed
run end cut
run seen 12345000000
run cut_why names\sof\sthreads
EOF1
"$mpreduce" prog killed >out 2>err
is "$?" 0 "a process that was killed: status"
is "$(grep -v 'no debug information' err)" "" "no warning"
is "$(sed -n '/^ended/,/^threads/p' out)" \
"ended         unknown or still running
              the last event that was timed was 12.345 s after the start
              names of threads
threads       0" "what the prolog says"
{ sed '/^run end/d' desc; echo "run end cut"; } | "$make" >bare
is "$("$mpreduce" prog bare 2>/dev/null | sed -n '/^ended/,/^threads/p' | wc -l)" 2 "less, when less is known"
"$mpreduce" prog killed none >out 2>/dev/null
like "$(cat out)" "killed: .*pid 5, at least 5.000 s, unknown or still running" "of several files"
like "$(cat out)" "missing       killed: names of threads" "what is missing of one of several"
"$mpreduce" -i killed >out
like "$(cat out)" "end        unknown or still running.*last \(ns\)  12345000000.*missing    names of threads" "-i"
"$mpreduce" --json prog killed >json 2>/dev/null
like "$(cat json)" '"killed":true,"seen_ns":12345000000,"missing":"names of threads"' "JSON"
"$mpreduce" -s killed none
is "$("$mpreduce" -i mon.sum | grep -c 'last (ns)')" 0 "a sum has no last event"
like "$("$mpreduce" -i mon.sum)" "missing    names of threads" "but what is missing"

# ------------------------------------------------------------- switched --

cat desc - >rare.in <<'EOF1'
run off 1
run off_time 2500000000
run reset 1000000000
total off_frees 2
total off_freed 200
total off_unseen 7
total pool_allocs 3
total pool_bytes 300
total pool_backing 4096
EOF1
"$make" <rare.in >rare
"$mpreduce" prog rare >out 2>/dev/null
is "$(grep -E '^(off|unmatched|reset|pools) ' out)" \
"off           recording was off for 2.500 s, and at the end; 2 frees of 200 bytes in that time are counted
reset         counts begin 1.000 s after the start, when they were reset
unmatched     7 frees of blocks that were allocated while recording was off, or before the reset
pools         3 allocations of 300 bytes by the program's own allocators, in blocks of 4096 bytes" \
	"recording that was off, a reset, pools"
is "$("$mpreduce" prog none 2>/dev/null | grep -cE '^(off|unmatched|reset|pools) ')" 0 "no lines without"
"$mpreduce" prog rare rare none >out 2>/dev/null
is "$(grep -E '^(off|unmatched|reset|pools) ' out)" \
"off           recording was off for 5.000 s, and at the end of 2 of the runs; 4 frees of 400 bytes in that time are counted
reset         2 of 3 runs: counts begin at a reset after the start
unmatched     14 frees of blocks that were allocated while recording was off, or before the reset
pools         6 allocations of 600 bytes by the program's own allocators, in blocks of 8192 bytes" \
	"of several files"
figures()
{
	"$mpreduce" -i "$1" | awk '/ (off|reset) / { print }
		/frees while off|freed while off|unmatched|in pools|pools divide/ { printf "%s ", $1 }'
}
is "$(figures rare)" \
"  off        1
  off (ns)   2500000000
  reset (ns) 1000000000
2 200 7 3 300 4096 " "-i"
"$mpreduce" -s rare none rare
is "$(figures mon.sum)" \
"  off        1
  off (ns)   5000000000
  reset (ns) 1000000000
4 400 14 6 600 8192 " "a sum"
"$mpreduce" --json prog rare >json 2>/dev/null
like "$(cat json)" '"off":true,"off_ns":2500000000,"reset_ns":1000000000' "JSON: runs"
like "$(cat json)" '"off_frees":2,"off_freed":200,"off_unseen":7,"pool_allocs":3,"pool_bytes":300,"pool_backing":4096' \
	"JSON: totals"
for lie in "off_frees 21" "off_freed 2001" "pool_allocs 51" "pool_bytes 5001"; do
	{ cat rare.in; echo "total $lie"; } | "$make" >lie
	like "$("$mpreduce" -L prog lie 2>&1)" "lie: impossible counts of pools, or of frees while recording was off" "$lie"
done
done_testing
