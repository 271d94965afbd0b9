#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Queries: expressions, groups, orders and columns, by hand; CSV and JSON; the
# messages for wrong ones.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make=$MEMMON_BUILD/tests/monmake
mpreduce=$MEMMON_BUILD/mpreduce
sed 's/make_red_widget/red/; s/\<F\>/f/' "$MEMMON_SRC/tests/golden/prog.s" >prog.s
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog prog.s || echo "Bail out! prog"

# main > red: 10 of 16 (6 by the first thread), 2 of 1000; main > f: 5 of 16.
cat >desc <<'E'
run program /tmp/prog
run pid 5
run length 5000000000
run end exit
run timing 1
run threads 2
module p /tmp/prog exe at 0x400000 0x500000 0
chain red p:0x401008 p:0x401018
chain f p:0x401008 p:0x401048
alloc red 16 10 4 1
alloc red 1000 2 0
alloc f 16 5 5
peak red 4 1048
peak f 3 48
total peak 1096
thread app flags 1 threads 1 allocs 11 bytes 176 frees 9 freed 144
thread worker threads 1 allocs 6 bytes 2064
cell red 1 16 6 4 peak 3
cell red 2 16 4 0 peak 0
cell red 2 1000 2 0 peak 1
cell f 1 16 5 5 peak 3
life red time 1000:2 time 3000:2 temps 2 near 3
life f time 10000000:5 temps 5 near 5
E
"$make" <desc >data 2>make.err
ok $? "data: $(cat make.err)"

# rows ARGUMENTS...: as CSV without its first line, with blanks for the commas.
rows()
{
	"$mpreduce" --export=csv "$@" prog data 2>err | tr -d '\r' |
		sed '1d; s/,/ /g'
}

is "$(rows --group-by=function --columns=allocs,bytes,frees,freed,kept,kept_blocks)" \
	"12 2160 4 64 2096 8 red
5 80 5 80 0 0 f" "functions"
is "$(rows --group-by=thread --columns=allocs,bytes,kept)" \
	"6 2064 2064 worker
11 176 32 app" "threads"
"$make" < <(sed 's/^thread worker/thread app/' desc) >twins 2>err
is "$("$mpreduce" --group-by=thread --columns=allocs --json prog twins 2>err |
	grep -o '"thread":"[^"]*"')" '"thread":"app"
"thread":"app (main)"' "two threads of one name are told apart"
is "$(rows --group-by=size --columns=allocs,bytes,sites)" "2 2000 1 1000
15 240 2 16" "sizes"
is "$(rows --group-by=function,size --sort=allocs --columns=allocs,average)" \
	"10 16 red 16
5 16 f 16
2 1000 red 1000" "functions and sizes, by allocations"
is "$(rows --group-by=size --sort=+allocs --columns=allocs)" "2 1000
15 16" "the fewest first"
is "$(rows --group-by=function,size --sort=function,-size --columns=allocs)" \
	"5 f 16
10 red 16
2 red 1000" "sorted by two columns, one of them the other way round"
is "$(rows --group-by=lifetime --columns=allocs)" "12 1us to 10us
5 10ms to 100ms" "lifetimes: means of 2us and 10ms"
sed 's/time 10000000:5/time 4000:5/' desc >desc.near
"$make" <desc.near >near 2>make.err
is "$("$mpreduce" --export=csv --group-by=lifetime --columns=allocs prog near 2>err |
	tr -d '\r' | tail -n 1)" "17,1us to 10us" "of two call paths, 2us and 4us"
is "$(rows --columns=function,life,life_min,life_max,temps,near,reallocs)" \
	"red 2000 1000 3000 2 3 1 main > red
f 10000000 10000000 10000000 5 5 0 main > f" "what is known by site"
is "$(rows --group-by=module --columns=life,temps,reallocs,peak)" \
	"5556444 7 1 1096 prog" "weighed by blocks: 50008000 / 9"
is "$(rows --group-by=thread --columns=life,temps,peak)" "   worker
   app" "of parts of sites it isn't known; nor the peak of threads at one size"
is "$(rows --where='thread == "main"' --columns=allocs,kept)" \
	"6 32 main > red
5 0 main > f" "the first thread is main"
is "$(rows --where='thread == "app" && kept > 0' --columns=allocs)" \
	"6 main > red" "by its name, too"
is "$(rows --where='life < 1ms' --columns=allocs)" "12 main > red" "life"
is "$(rows --where='size == 16 && life > 2us' --columns=allocs)" \
	"5 main > f" "of an item it is its site's"
is "$(rows --where='size > 15' --where='size < 1K' --columns=allocs)" \
	"12 main > red
5 main > f" "all must hold"
is "$(rows --where='site ~ "^main > (red|g)$"' --columns=allocs)" \
	"12 main > red" "a path"
is "$(rows --where='function !~ "r.d"' --columns=allocs)" "5 main > f" "!~"
is "$(rows --where='share > 90%' --columns=share)" \
	"0.964285714285714 main > red" "of a row, though of no part of it"
is "$(rows --group-by=function --where='kept > 2050' --columns=kept)" \
	"2096 red" "rows are compared after blocks are put together"
is "$(rows --group-by=function --where='kept > 2050 && thread == "worker"' \
	--columns=kept)" "2064 red" "... of those that are asked for"
is "$(rows --group-by=function --where='(kept > 2050 || function == "f")' \
	--columns=kept)" "2096 red
0 f" "... also beside what is the same in all of a row"
is "$(rows --group-by=function --columns=peak,peak_share --where='peak_share > 95%')" \
	"1048 0.956204379562044 red" "shares of the peak"
is "$(rows --where='known(lost)' --columns=allocs)" "" "leaks aren't known"
is "$(rows --where='!known(lost) && !(lost > 0) && !(lost <= 0)' \
	--columns=lost)" " main > red
 main > f" "and what isn't known is neither more nor less"
is "$(rows --where='type != "x" || type !~ "x"')" "" "nor other"
is "$(rows --top=1 --columns=allocs)" "12 main > red" "the first"

# Numbers and operators.
while read -r want expr; do
	is "$(rows --where="$expr" --group-by=site,thread,size --columns=allocs |
		awk '{ n += $1 } END { if (NR) print n }')" "${want#-}" "$expr"
done <<'E'
17 1 + 2 * 3 == 7
17 (1 + 2) * 3 == 9
17 10 - 2 - 3 == 5
17 16 / 4 / 2 == 2
- 1 / 0 > 0 || 1 / 0 <= 0
17 1K == 1024 && 1k = 1024 && 1KB == 1KiB && 1M == 1K * 1K
17 1G == 1024M && 1T == 1024GB && 1B == 1
17 1us == 1000ns && 1s == 1000ms && 1m == 60s && 1h == 60m && 1.5s == 1500ms
17 50% == 0.5
17 9223372036854775807 - 9223372036854775806 == 1
17 18446744073709551615 > 18446744073709500000
17 kept < 10% * 100 * bytes + 1
17 1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2 && 1 != 2
- 1 > 2 || 2 < 1 || 1 >= 2 || 2 <= 1 || 1 == 2
17 1 == 1 || 1 == 2 && 1 == 3
- (1 == 1 || 1 == 2) && 1 == 3
17 !(1 == 2) && !(!(1 == 1))
2 bytes / allocs == 1000
2 bytes > 1KB
12 kept > 0
4 kept.blocks > 2 && kept.bytes > 63
12 size>16||size==16&&kept.blocks>=2
E

# As a table.
cat >want <<'E'
--------- Blocks by Function ------------

where: size < 17 && allocs > 4
       keeps 240 of 2240 bytes (10.7%), 15 of 17 allocations

   allocs    bytes  % share     life   function

       15      240     10.7        -   <TOTAL>

       10      160      7.1        -   red
        5       80      3.6   10.0ms   f
E
"$mpreduce" --group-by=function --columns=allocs,bytes,share,life \
	--where='size < 17 && allocs > 4' -b prog data >out
is_file out want "a table"
"$mpreduce" --group-by=function --columns=allocs --top=1 -b prog data >out 2>err
is "$(tail -n 2 out)" "       12   red
        5   (1 other)" "the others are together"
"$mpreduce" --group-by=function --columns=allocs,life,temps,peak --top=1 -b \
	prog data >out 2>err
is "$(tail -n 1 out)" "        5   10.0ms        5       48   (1 other)" \
	"... with lives and the peak"
"$mpreduce" --group-by=function --columns=life,mean prog data >out
grep -q "^life  *mean time from" out
ok $? "the legend is of the columns"
"$mpreduce" --where='allocs > 99' -b prog data >out
is "$?" 0 "nothing is so"
is "$(tail -n 1 out)" "No block matches." "which is said"
"$mpreduce" --units=human --group-by=module --columns=bytes -b prog data >out
like "$(tail -n 1 out)" "2.19K +prog" "--units=human"

# JSON.
is "$("$mpreduce" --group-by=function --columns=bytes,share,lost --json \
	prog data)" '[
{"bytes":2160,"share":0.964285714285714,"lost":null,"function":"red"},
{"bytes":80,"share":0.0357142857142857,"lost":null,"function":"f"}]' "JSON"
is "$("$mpreduce" --where='allocs > 99' --json prog data)" "[]" "no rows"

# CSV.
printf 'bytes,function\r\n2160,red\r\n80,f\r\n' >want
"$mpreduce" --group-by=function --columns=bytes --export=csv prog data >out
is_file out want "CSV"
"$mpreduce" --group-by=function --export=csv -o rows.csv prog data
ok $? "CSV into a file"
is "$(head -n 1 rows.csv | tr -d '\r')" \
	"bytes,share,allocs,kept,peak,sites,function" "the usual columns"
"$mpreduce" --where='allocs > 0' --export=dhat -o no.out prog data 2>err
is "$?" 2 "a query has no other format"
like "$(cat err)" "^mpreduce: --export=dhat: .*csv or json" "... what to do"
[ ! -e no.out ]
ok $? "... and nothing is written"

# bad STATUS MESSAGE ARGUMENTS...: this status, and only MESSAGE on stderr.
bad()
{
	local status=$1 message=$2
	shift 2
	"$mpreduce" "$@" prog data >out 2>err
	is "$?" "$status" "$*"
	is "$(grep -v ': no debug inf' err)" "$message" "... what is said"
}
columns=$("$mpreduce" --sql=list | sed -n '2,/^$/s/^  \([a-z_]*\) .*/\1/p' |
	sed '/^site_id$/,$d' | paste -sd, | sed 's/,/, /g')
bad 2 'mpreduce: --where: no column "sise"; do you mean "size"?
  kept > 1 && sise > 2
              ^' --where='kept > 1 && sise > 2'
bad 2 'mpreduce: --where: no column "xyzzy"; the names are '"$columns"'
  xyzzy > 2
  ^' --where='xyzzy > 2'
bad 2 'mpreduce: --where: `>'"'"' has a text on its left, a number on its right
  type > 2
       ^' --where='type > 2'
bad 2 'mpreduce: --where: not a regular expression: Unmatched ( or \(
  type ~ "a(b"
         ^' --where='type ~ "a(b"'
bad 2 'mpreduce: --where: this bracket is not closed
  (kept > 1
  ^' --where='(kept > 1'
bad 2 'mpreduce: --where: expected an operator
  kept > 1 2
           ^' --where='kept > 1 2'
bad 2 'mpreduce: --where: this is a number, but must be a condition
  kept + 1
  ^' --where='kept + 1'
bad 2 'mpreduce: --where: a time needs a unit: ns, us, ms, s, m or h
  life < 5
       ^' --where='life < 5'
bad 2 'mpreduce: --where: a time can'"'"'t be compared with bytes
  life < size
       ^' --where='life < size'
bad 2 'mpreduce: --where: unknown unit; the units are K, M, G, T (also with B), ns, us, ms, s, m, h and %
  size < 5parsec
          ^' --where='size < 5parsec'
bad 2 'mpreduce: --where: this quote is not closed
  type == "a
          ^' --where='type == "a'
bad 2 "mpreduce: --where: \`and' is &&, \`or' is ||
  kept & 1
       ^" --where='kept & 1'
bad 2 'mpreduce: --where: no function "any" here; the only one is known(COLUMN)
  any(kept > 1)
  ^' --where='any(kept > 1)'
bad 2 'mpreduce: --where: the number is too large
  kept > 99999999999999999999
         ^' --where='kept > 99999999999999999999'
bad 2 'mpreduce: --group-by: no group "tread"; do you mean "thread"?  The names are type, site, function, file, module, thread, size, lifetime
  type,tread
       ^' --group-by=type,tread
bad 2 'mpreduce: --group-by: no group "colour"; the names are type, site, function, file, module, thread, size, lifetime
  colour
  ^' --group-by=colour
bad 2 'mpreduce: --columns: no column "byte"; do you mean "bytes"?
  kept, byte
        ^' --columns='kept, byte'
bad 2 "mpreduce: --columns: no column \"bogus\"; the names are $columns
  bogus
  ^" --columns=bogus
bad 2 'mpreduce: --columns: this is given twice
  kept,kept
       ^' --columns=kept,kept
bad 2 'mpreduce: --sort: no column "keptt"; do you mean "kept"?
  -keptt
   ^' --sort=-keptt --group-by=type
long=$(printf 'kept > 1 && %.0s' {1..20})
bad 2 "mpreduce: --where: no column \"nix\"; the names are $columns
  ... && kept > 1 && kept > 1 && kept > 1 && nix && kept > 1 && kept > 1 &&...
  $(printf '%43s' '')^" --where="${long}nix && ${long}1 < 2"
bad 1 'mpreduce: --where: no function "blue" in the data
  function == "blue" && allocs > 0
              ^' --where='function == "blue" && allocs > 0'
bad 3 'mpreduce: --fail-if: no function "rid"; do you mean "red"?
  any(kept > 1 && function == "rid")
                              ^' -L --fail-if='any(kept > 1 && function == "rid")'
bad 0 'mpreduce: --where: no block has a function that is "main"' \
	--where='function == "main"'
bad 0 'mpreduce: --where: no block has a thread like "^x"' \
	--where='thread ~ "^x" && allocs > 0'
bad 0 'mpreduce: --where: temps is unknown in every row, or differs between its blocks' \
	--where='thread == "worker" && temps >= 0'
bad 2 'mpreduce: --where: thread differs between the blocks of a row: join the two conditions with &&, or group by thread, too
  thread == "app" || allocs > 0
  ^' --where='thread == "app" || allocs > 0'
bad 2 'mpreduce: --where: peak is in bytes and can'"'"'t be compared with 10%: write peak_share
  peak > 10%
       ^' --where='peak > 10%'
bad 2 'mpreduce: --where: life is a time and can'"'"'t be compared with 5%: write 5% * the whole
  5% < life
     ^' --where='5% < life'
bad 2 'mpreduce: --where: share is from 0 to 100%: compare it with a percentage
  share > 5
        ^' --where='share > 5'
bad 2 'mpreduce: --fail-if: peak is in bytes and can'"'"'t be compared with 10%: write 10% * bytes
  (peak > 10%)
        ^' --fail-if='(peak > 10%)'

# Without cells: by class, and said so.
is "$("$mpreduce" -b --at=peak --columns=function,reallocs prog data 2>err |
	awk '/>/ { print $1, $2 }')" "<TOTAL> -
red -
f -" "reallocs aren't known of another time than the end"
{ grep -v '^cell\|^thread' desc; echo "no-total cells"; } | "$make" >old
"$mpreduce" --group-by=thread prog old >out 2>err
grep -q "Threads, and sizes that differ, are unknown" out
ok $? "data without cells"
is "$("$mpreduce" --export=csv --group-by=function,size --columns=bytes,kept \
	--sort=function,size prog old | tr -d '\r' | sed 1d)" \
	"80,0,f,16
2000,2000,red,1000
160,96,red,16" "the sizes that can be told"

# The manual has all columns, and no others.
"$mpreduce" --sql=list | sed -n '/^items:/,/^$/s/^  \([^ ]*\) .*/\1/p' |
	sed '/_id$\|^id$\|^file_name$\|^thread_alias$/d
	/^\(lost\|indirect\|interior\|reachable\|leaked\|holds\)_blocks$/d' | sort >columns
sed -n '/^\.Ss Columns/,/^\.Ss SQL/s/^\.It Cm //p' \
	"$MEMMON_SRC/man/mpreduce-queries.7" | tr -d ' ' | tr , '\n' | sort >manual
is "$(cat manual)" "$(cat columns)" "mpreduce-queries(7) has the columns"
[ "$(wc -l <columns)" -gt 50 ]
ok $? "$(wc -l <columns) of them"
done_testing
