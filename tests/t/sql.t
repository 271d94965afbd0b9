#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SQL: the results of statements, in each form; statements can only read; the
# messages for wrong ones; the database of --export=sqlite; the manual's tables
# and questions, with their answers.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
make=$MEMMON_BUILD/tests/monmake
golden=$MEMMON_SRC/tests/golden
"$CC" -nostdlib -static -no-pie -Wl,-Ttext=0x401000,-e,main,--build-id=none \
	-o prog "$golden/prog.s" || echo "Bail out! prog"

# main > make_red_widget: 12 blocks of 1600 bytes, 5 of them by the worker.
cat >desc <<'E'
run program /tmp/prog
run length 5000000000
run end exit
run timing 1
run threads 2
run leakcheck 4000000000
module p /tmp/prog exe at 0x400000 0x500000 0
chain red p:0x401008 p:0x401018
chain f p:0x401008 p:0x401048
alloc red 100 10 2 3
alloc red 300 2
alloc f 574 2
total peak 1600
total lost 6
peak red 5 500
thread app flags 1 threads 1 allocs 7 bytes 700 frees 1 freed 100
thread worker threads 1 allocs 7 bytes 2048 frees 1 freed 100 of_others 1
cell red 1 100 7 2 peak 3
cell red 2 100 3 0 peak 2
cell red 2 300 2 0 peak 0
cell f 2 574 2 0 peak 0
life red time 2000:2 temps 1 near 1
leak red lost 3:300 indirect 2:200 reachable 5:900
mark half 2000000000 allocs 5 bytes 500 frees 1 freed 100
E
"$make" <desc >data 2>make.err
ok $? "data: $(cat make.err)"

# sql STATEMENT: as CSV without its first line, with blanks for the commas.
sql()
{
	"$MPREDUCE" --export=csv --sql="$1" prog data 2>err | tr -d '\r' |
		sed '1d; s/,/ /g'
}
is "$(sql 'SELECT function, sum(kept), count(*) FROM items GROUP BY function')" \
	"F 1148 1
make_red_widget 1400 3" "items"
is "$(sql 'SELECT allocs, kept, leaked, temps, life, site FROM sites')" \
	"12 1400 500 1 2000 main > make_red_widget
2 1148 0 0  main > F" "call paths, and what is known of these"
is "$(sql "SELECT x'00ff', x'4142', CAST(x'00' AS BLOB)")" "X'00FF' X'4142' X'00'" \
	"blobs, whatever their first byte is"
# A figure that is one row of the list of columns is everywhere.
plain() { "$MPREDUCE" "$@" prog data 2>err | tr -d '\r' | tail -n 2; }
# cells COLUMN: the column for the call paths in CSV; no later column contains a
# comma.
cells()
{
	"$MPREDUCE" --export=csv:sites prog data 2>err | tr -d '\r' | awk -F , -v c="$1" '
		NR == 1 { while ($(NF - n) != c && n < NF) n++ }
		NR > 1 { print $(NF - n) }'
}
is "$(sql 'SELECT kept_average FROM sites')" "140
574" "a figure of call paths in SQL"
is "$(plain --columns=kept_average --sort=kept --export=csv | sed 's/,.*//')" \
	"140
574" "... as a column"
is "$("$MPREDUCE" --json prog data | grep -o '"kept_average":[0-9]*')" \
	'"kept_average":140
"kept_average":574' "... in JSON"
is "$(cells kept_average)" "140
574" "... in CSV"
# 1 of 12 blocks is temporary; no block of the other path is.
share=0.0833333333333333
is "$(sql 'SELECT temps_share FROM sites')" "$share
0" "a share of blocks in SQL"
is "$(plain --group-by=function --columns=temps_share --sort=temps_share \
	--where='temps_share > 8%' --export=csv)" "temps_share,function
$share,make_red_widget" "... as a column that --where compares"
is "$(cells temps_share)" "$share
0" "... in CSV, and so in JSON"
# 10 of 12 and 2 of 2 were never freed.
never=0.833333333333333
is "$(sql 'SELECT unfreed_share FROM sites')" "$never
1" "a share of what wasn't freed in SQL"
is "$(plain --columns=unfreed_share --sort=unfreed_share -b | tr -s ' ' | cut -d ' ' -f 2)" "100.0
83.3" "... as a column of a table"
is "$("$MPREDUCE" --json prog data | grep -o '"unfreed_share":[0-9.]*')" \
	"\"unfreed_share\":$never
\"unfreed_share\":1" "... in JSON"
is "$(cells unfreed_share)" "$never
1" "... in CSV"
# golden/uses.in: 100 blocks with 400 writes, 50 with 200 accesses, 3 with 188.
"$make" <"$golden/uses.in" >uses
is "$("$MPREDUCE" --export=csv --sql='SELECT round(accesses_average, 2) FROM sites
	ORDER BY id' prog uses 2>err | tr -d '\r' | sed 1d | paste -sd ' ')" \
	"4 4 62.67 2 " "accesses of a block, where they are known"
is "$("$MPREDUCE" --columns=accesses_average --where='accesses_average > 60' \
	--export=csv prog uses 2>err | tr -d '\r' | sed 1d)" "63,worker > F" \
	"... as a column that --where compares"
is "$("$MPREDUCE" --json prog uses 2>err | sed -n '/^"sites"/,/^\]/p' |
	grep -o '"accesses_average":[0-9a-z]*' | cut -d : -f 2 | paste -sd ' ')" \
	"4 4 63 2 null" "... in JSON"
is "$(sql 'SELECT type, peak_share FROM sites WHERE type IS NULL LIMIT 1')" \
	" 1" "what isn't known is NULL"
is "$(sql 'SELECT name, allocs, of_others FROM threads')" "app 7 0
worker 7 1" "threads"
is "$(sql 'SELECT lost, leaked, kept, allocs, unrecorded FROM totals')" \
	"300 500 2548 14 6" "totals"
is "$(sql "SELECT name, time, bytes - freed FROM marks")" "half 2000000000 400" \
	"marks"
is "$(sql 'SELECT f.name, a.bytes FROM arcs a JOIN functions f
	ON f.id = a.callee_id ORDER BY 2')" "F 1148
make_red_widget 1600" "calls, by numbers"
is "$(sql 'SELECT group_concat(function, "|") FROM frames' 2>&1)" "" \
	"names aren't texts"
like "$(cat err)" 'no such column: \|; write texts in single quotes' "... is said"
is "$(sql "SELECT group_concat(function, '|') FROM frames WHERE height = 2")" \
	"main|main" "functions on paths"
is "$(sql 'SELECT size, kept FROM bins ORDER BY size')" "100 800
300 600
574 1148" "sizes"
is "$("$MPREDUCE" --sql='SELECT 1e300 a, -1e300 b, 1e14 c, 1e-9 d' prog data |
	tail -n 1 | tr -s ' ')" " 1e+300 -1e+300 100000000000000 1e-09" \
	"numbers that are large, in a table"
is "$(sql "SELECT function FROM items WHERE function REGEXP '^F'")" "F" "REGEXP"
is "$(sql 'WITH t AS (SELECT 1 AS a UNION SELECT -2) SELECT a / 2.0 FROM t')" \
	"-1
0.5" "WITH; numbers below 0, and fractions"
is "$(sql 'SELECT * FROM leaks')" "500 5  main > make_red_widget" "a view"

# As a table, and JSON.
cat >want <<'E'
    bytes     life  % share   function            half

      700   2.00us     25.5   make_red_widget      350
      300   2.00us     10.9   make_red_widget      150
      600   2.00us     21.8   make_red_widget      300
     1148        -     41.8   F                    574
E
"$MPREDUCE" --sql='SELECT bytes, life, share, function, bytes / 2 AS half
	FROM items' prog data >out 2>err
is_file out want "a table"
is "$("$MPREDUCE" --json --sql="SELECT 1 AS a, -0.5 AS b, NULL AS c, 'x' AS d,
	life FROM sites" prog data 2>err)" '[
{"a":1,"b":-0.5,"c":null,"d":"x","life":2000},
{"a":1,"b":-0.5,"c":null,"d":"x","life":null}]' "JSON"
is "$("$MPREDUCE" --sql='SELECT 1 WHERE 0' prog data 2>err)" "No row matches." \
	"no rows"
"$MPREDUCE" --units=human --sql='SELECT sum(bytes) AS a, bytes FROM functions LIMIT 1' \
	prog data >out 2>err
like "$(tail -n 1 out)" "5496 +2.68K" "--units=human is for what is known as bytes"

# Saved statements.
# bad STATUS MESSAGE ARGUMENTS...: this status, and only MESSAGE on stderr.
bad()
{
	local status=$1 message=$2
	shift 2
	"$MPREDUCE" "$@" prog data >out 2>err
	is "$?" "$status" "$*"
	is "$(grep -v ': no debug inf' err)" \
		"mpreduce: --sql$message" "... what is said"
}
bad 2 ': no such column: sise; do you mean "size"?
  SELECT sise FROM items
         ^' --sql='SELECT sise FROM items'
bad 2 ': no such table: itms; do you mean "items"?
  SELECT * FROM itms
                ^' --sql='SELECT * FROM itms'
bad 2 ': no such function: lenght; do you mean "length"?
  SELECT lenght(site) FROM items
         ^' --sql='SELECT lenght(site) FROM items'
bad 2 ': near "GROUP": syntax error
  SELECT bytes FROM items WHERE GROUP BY 1
                                ^' --sql='SELECT bytes FROM items WHERE GROUP BY 1'
bad 2 ': no such column: name here; --sql=list shows the tables that have it
  SELECT name FROM items
         ^' --sql='SELECT name FROM items'
bad 2 ': incomplete input
  SELECT bytes FROM
                   ^' --sql='SELECT bytes FROM'
bad 2 ': a second statement; give one
  SELECT 1; SELECT 2
           ^' --sql='SELECT 1; SELECT 2'
bad 2 ': no statement
  -- none
  ^' --sql='-- none'
bad 2 ': use WHERE, GROUP BY, ORDER BY and LIMIT of SQL; leave out --where and similar options' \
	--sql='SELECT 1' --where='kept > 0'
bad 1 ': no blocks were logged; run the program with memmon --log' \
	--sql='SELECT * FROM blocks'
bad 1 ': not a regular expression: Unmatched ( or \(' \
	--sql="SELECT 'a' REGEXP '('"
bad 1 ': string or blob too big' --sql='SELECT zeroblob(70000000)'
bad 1 ': the text is too long for a pattern' \
	--sql="SELECT printf('%.*c', 2000000, 'a') REGEXP 'b'"
while read -r statement; do
	"$MPREDUCE" --sql="$statement" prog data >out 2>err
	is "$?" 2 "it can only read: $statement"
	like "$(head -n 1 err)" "^mpreduce: --sql: (only a SELECT|not authorized|table .* may not be modified|no query solution|this returns no rows)" "... what is said"
done <<'E'
DELETE FROM items
UPDATE items SET bytes = 1
INSERT INTO items(bytes) VALUES(1)
CREATE TABLE a(b)
CREATE TEMP TABLE a AS SELECT 1
DROP VIEW leaks
ATTACH 'made' AS made
VACUUM INTO 'made'
PRAGMA database_list
PRAGMA temp_store_directory = '.'
SELECT load_extension('made')
SELECT * FROM pragma_database_list
BEGIN
E
[ ! -e made ]
ok $? "nothing is made"

# All names are words that need no quotes.
"$MPREDUCE" --sql=list >list
is "$(awk '/^[a-z]/ { t = substr($1, 1, length($1) - 1) }
	/^  [a-z]/ && $2 != "columns" { print t, $1 }' list | while read -r t f; do
	"$MPREDUCE" --sql="SELECT $f FROM $t LIMIT 0" prog data >out 2>&1 ||
		echo "$t $f"
done | sort -u)" "" "each column of each table" || diag "$(cat err)"

# The database has the same.
if command -v sqlite3 >/dev/null; then
	"$MPREDUCE" --export=sqlite -o x.db prog data 2>err
	ok $? "a database: $(cat err)"
	is "$(sqlite3 x.db 'PRAGMA integrity_check')" ok "it is whole"
	want=$("$MPREDUCE" --json prog data 2>/dev/null | "$MEMMON_BUILD/tests/jsonrows" \
		totals allocs bytes frees freed kept | tr ' ' '|')
	[ -n "$want" ]
	ok $? "totals: $want"
	for table in items sites types by_module; do
		columns="sum(allocs), sum(bytes), sum(frees), sum(freed), sum(kept)"
		of=$want
		[ $table != by_module ] || {
			columns="sum(allocs), sum(bytes), sum(kept)"
			of=$(echo "$want" | cut -d '|' -f 1,2,5)
		}
		is "$(sqlite3 x.db "SELECT $columns FROM $table")" "$of" \
			"$table adds up to them"
	done
	is "$(sqlite3 x.db 'SELECT sum(self_bytes), sum(self_kept) FROM functions')" \
		"$(echo "$want" | cut -d '|' -f 2,5)" "... and functions"
	is "$(sqlite3 x.db .tables | tr -s ' ' '\n' | sort)" \
		"$(sed -n 's/^\([a-z_][a-z_]*\)[: ].*/\1/p' list | sort)" \
		"the tables that --sql=list has"
	is "$(sqlite3 x.db 'SELECT kept_average FROM sites')" "140
574" "a figure of call paths"
	is "$(sqlite3 x.db 'SELECT unfreed_share > 0.83 FROM sites')" "1
1" "... and a share"
	for q in "SELECT * FROM items WHERE 0" "SELECT type, bytes, life FROM items" \
		"SELECT site, kept, peak, average, lived FROM sites" \
		"SELECT * FROM totals" "SELECT * FROM functions"; do
		is "$(sqlite3 -csv x.db "$q" | tr -d '\r"')" \
			"$("$MPREDUCE" --export=csv --sql="$q" prog data \
				2>/dev/null | tr -d '\r"' | sed 1d)" "$q: the same"
	done
	"$MPREDUCE" --export=sqlite prog data </dev/null >y.db 2>err
	cmp -s x.db y.db
	ok $? "to standard output, the same"
else
	skip 1 "no sqlite3"
fi

# UNION may put texts below numbers.
is "$("$MPREDUCE" --export=csv --sql="select bytes from sites union all
	select function from sites limit 4" prog data 2>err | tr -d '\r' | tail -n 2 |
	tr '\n' ' ')" 'make_red_widget F ' 'texts in a column of numbers' || cat err
# The manual: the tables, and the questions with their answers.
sed -n '/^\.Ss Tables of SQL/,/^\.Ed/p' "$MEMMON_SRC/man/mpreduce-queries.7" |
	sed '1,/^\.Bd/d; /^\.Ed/d; s/^\\&//' >want
is_file list want "mpreduce-queries(7) has the tables and columns"
"$CC" -g -O0 -shared -fPIC -o libcache.so "$golden/libcache.c" &&
	"$CC" -g -O0 -I"$MEMMON_SRC" -o shop "$golden/shop.c" -L. -lcache \
		-Wl,-rpath,'$ORIGIN' -pthread
ok $? "the shop"
"$MEMMON_BUILD/memmon" -l --log ./shop
ok $? "... runs"
sed -n '/^\.Ss Ten questions/,/^\.Ss Other/p' "$MEMMON_SRC/man/mpreduce-queries.7" |
	awk '/^\.Bd/ { n++; next }
		/^\.Ed/ { on = 0 }
		{ gsub(/\\e/, "\\"); sub(/^\\&/, "") }
		/^\$ / { on = 1; sub(/^\$ /, "") }
		on == 1 { print >("command" n); if (/ shop$/) on = 2; next }
		on == 2 { print >("answer" n) }'
is "$(ls command* | wc -l)" 10 "ten questions"
for n in 1 2 3 4 5 6 7 8 9 10; do
	PATH=$MEMMON_BUILD:$PATH bash ./command$n >out 2>err
	is_file out answer$n "$(tr -s ' \n' ' ' <command$n)"
done
done_testing
