#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Output for other programs: keys of JSON, names of columns, numbers of any
# size, and where the output goes.
. "${MEMMON_SRC:-.}/tests/tap.sh"

make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"

cat >desc <<'EOF'
run program /nonexistent/prog
run command prog
run length 5000000000
run end exit
module exe /nonexistent/prog exe
chain a exe:0x1100 exe:0x1200
chain b exe:0x1100 exe:0x1300
alloc a 24 3 1
alloc b 4096 2
peak b 2 8192
total peak 8200
thread main flags 1 allocs 5 bytes 8264 frees 1 freed 24
EOF
"$make" <desc >x.mon
m() { "$mpreduce" "$@" x.mon 2>err; }

# ---------------------------------------------------------- keys of JSON --
q='SELECT sum("bytes"), 1 AS "a\b", 2 AS a, 3 AS a, 4 AS a_4, 5 AS "l
f", 6 AS "" FROM totals'
m --json --sql="$q" >out
is "$(sed -n 2p out)" '{"sum(\"bytes\")":8264,"a\\b":1,"a":2,"a_4":3,"a_4_5":4,"l\u000af":5,"":6}]' \
	"keys are escaped, and each is there once"
m --export=csv --sql="SELECT 1 AS a, 2 AS a FROM totals" >out
is "$(head -n 1 out)" $'a,a\r' "CSV has the names as they are"
m --json --columns=bytes,bytes --where='bytes>0' >out
! grep -q '"bytes".*"bytes":' out
ok $? "columns that are asked for twice"

# -------------------------------------------------- --file-info=list as JSON --
desc2=${PWD}/y.mon
"$make" <desc >"$desc2"
echo nothing >z.mon
for how in --json --export=json; do
	"$mpreduce" --file-info=list $how x.mon y.mon z.mon >out 2>err
	is "$?" 1 "--file-info=list $how: a file can't be read"
	perl -MJSON::PP -0777 -ne '$p = decode_json($_);
		print join " ", scalar @{$p->{runs}}, $p->{runs}[0]{program},
			map { $_ // "null" } @{$p->{runs}[0]}{qw(allocs bytes live peak)}' \
		out >list 2>/dev/null
	if perl -MJSON::PP -e 1 2>/dev/null; then
		is "$(cat list)" "3 /nonexistent/prog 5 8264 8240 8192" \
			"--file-info=list $how: is JSON, with what the lines have"
	else
		skip "no perl with JSON::PP"
	fi
done
for how in --json --export=json --export=massif; do
	"$mpreduce" -i $how x.mon >out 2>err
	is "$? $(wc -c <out)" "2 0" "-i $how: refused"
	like "$(cat err)" "doesn't go with --file-info" "-i $how: with a word why"
done

# ------------------------------------------------------ numbers of rows --
for id in 1 1.0 '2-1.0' "'1'"; do
	is "$(m --export=csv --sql="SELECT count(*) FROM sites WHERE id = $id" | tail -n 1)" \
		$'1\r' "id = $id"
done
for id in 1.5 -1 1e300 "'x'" NULL; do
	is "$(m --export=csv --sql="SELECT count(*) FROM sites WHERE id = $id" | tail -n 1)" \
		$'0\r' "id = $id"
done

# ------------------------------------------------------- long call paths --
{
	cat desc
	echo 'node n0 - exe 0x10'
	for ((i = 1; i < 9000; i++)); do
		printf 'node n%d n%d exe 0x%x\n' $i $((i - 1)) $((0x2000 + 16 * (i % 500)))
	done
	echo 'alloc n8999 8 7'
} | "$make" >deep.mon
"$mpreduce" --export=csv --sql="SELECT allocs FROM items WHERE site LIKE '[prog+0x10] > ... >%[prog+0x3f30]'" \
	deep.mon >out 2>err
is "$(tail -n 1 out)" $'7\r' "the outermost function of a path that is cut is there"

# ---------------------------------------------------------- DHAT's times --
for n in 10000000 20000000000; do
	printf '%s\n' 'run program /p' 'run length 1000000000000' 'run end exit' \
		'run timing 1000000' 'module m /p exe at 0x1000 0x9000 0' \
		'node a - m 0x2000' "alloc a 1 $n $n" 'life a time 1000000000000:1' \
		'peak a 1 1' 'total peak 1' 'total peak_at 5' \
		"thread main flags 1 allocs $n bytes $n frees $n freed $n" |
		"$make" | "$mpreduce" --export=dhat -o out - 2>err
	grep -o '"tl":[0-9]*' out
done >tl
is "$(cat tl)" '"tl":10000000000000000' "times that don't fit are left out, not 0"

# ----------------------------------------------- long names in a database --
long=$(printf 'std::variant<%0900d>' 0)
{
	cat desc
	for ((i = 0; i < 400; i++)); do
		echo "mark $long $((1000 + i)) allocs 1 bytes 24"
	done
	echo 'mark short 2000 allocs 1 bytes 24'
	echo "mark other$long 2001 allocs 1 bytes 24"
} | "$make" >long.mon
"$mpreduce" --export=sqlite -o long.db long.mon 2>err
if command -v sqlite3 >/dev/null; then
	while IFS= read -r q; do
		sqlite3 -csv long.db "$q" 2>&1 | tr -d '"\r' >got
		"$mpreduce" --export=csv --sql="$q" long.mon 2>/dev/null | tail -n +2 |
			tr -d '"\r' >want
		[ -s want ] && cmp -s got want
		ok $? "as --sql has it: $q" || head -n 2 got want >&2
	done <<'EOF'
SELECT name, time, allocs FROM marks ORDER BY time
SELECT count(*), sum(bytes) FROM marks WHERE name LIKE 'std::variant%'
SELECT site, allocs FROM items ORDER BY 1
EOF
	is "$(sqlite3 long.db "SELECT count(*) FROM names")" 2 "long names are there once"
else
	skip "no sqlite3"
fi
n=$(grep -ao 'std::variant<0' long.db | wc -l)
ok $((!(n <= 4))) "... in the file, too ($n of 401)"

# ------------------------------------------------- where the output goes --
mkdir real
echo old >real/x.json
chmod 640 real/x.json
ln -s real/x.json now.json
ln -s real/new.json then.json
m --json -o now.json && m --json -o then.json
ok $((!($(stat -c %s real/x.json) > 100 && $(stat -c %s real/new.json) > 100))) \
	"symbolic links lead to the file that is written"
is "$(stat -c %F now.json then.json | sort -u) $(stat -c %a real/x.json)" \
	"symbolic link 640" "they stay, and so does its mode"
ln -s real/sum s.mon
"$mpreduce" -s -o s.mon x.mon y.mon 2>err
is "$(stat -c %F s.mon real/sum | tr '\n' ' ')" "symbolic link regular file " \
	"and with a sum"
ln -s loop loop
m --json -o loop
is "$?" 1 "a link that leads nowhere: $(cat err)"
is "$(find . -name '*.??????' | wc -l)" 0 "nothing is left behind"

# ------------------------------------------ results of modules, by hand --
# results NAME LINE...: of a module, as x.mon.NAME.
results()
{
	local name=$1
	shift
	printf '%s\n' "$@" | perl -0777 -e '
		$_ = <STDIN>; s/\\t/\t/g;
		use integer; my $s = 0xcbf29ce484222325;
		$s = ($s ^ ord) * 0x100000001b3 for split //;
		no integer; printf "%send\t0x%x\n", $_, $s' >"x.mon.$name"
}
results mine 'memmon-module\t1\tmine\tabout' 'run\t1' 'table\trows\t3\ttitle' \
	'column\tvalue\tcount\tone' 'column\tVALUE\tcount\tother' \
	'column\tvalue\ttext\tlast' 'row\t010\t2\tx' \
	'table\trows\t1\tagain' 'column\ta\tcount\tone' 'row\t5'
"$mpreduce" --module=mine -b x.mon >out 2>err
if grep -q damaged err || [ ! -s out ]; then
	diag "$(cat err; head -c 200 x.mon.mine)"
fi
is "$(m --module=mine --export=csv --sql='SELECT "value", VALUE_2, value_3 FROM mine_rows')" \
	$'value,VALUE_2,value_3\r\n10,2,x\r' "columns of one name are told apart; 010 is ten"
m --module=mine --json >out
is "$(grep -o '"value[^:]*":[^,}]*\|"VALUE[^:]*":[^,}]*' out | tr '\n' ' ')" \
	'"value":10 "VALUE_2":2 "value_3":"x" ' "in JSON, too"
# A glob means the results of all modules that it matches.
m --module='m*' -b >out
like "$(cat out)" 'title' "a glob of results"
"$mpreduce" --module='*/m*' -b x.mon >out 2>err
like "$? $(cat err)" "^2 .*has no results of this module; it has those of mine" \
	"a glob that nothing fits"
rm -f x.db
m --module=mine --export=sqlite -o x.db
is "$? $(head -c 6 x.db)" "0 SQLite" "a database is written"
m --export=sqlite -o y.db
is "$? $(head -c 6 y.db)" "0 SQLite" "and without the module"
# More columns than the table says it has.
results many 'memmon-module\t1\tmany\tabout' 'run\t1' 'table\trows\t1\ttitle' \
	$(for ((i = 0; i < 60; i++)); do printf 'column\\tc%d\\tcount\\tone ' $i; done)
m --module=many -b >out
is "$?" 0 "more columns than were said: $(head -n 1 err)"
# A table without columns, and a row before the first one.
for lines in 'table\trows\t1\ttitle' 'table\trows\t1\ttitle row'; do
	# shellcheck disable=SC2086
	results bare 'memmon-module\t1\tbare\tabout' 'run\t1' $lines
	for view in -b --json; do
		m --module=bare $view >/dev/null 2>err
		like "$(cat err)" 'x.mon.bare: the file is damaged' \
			"no columns: $(echo "$lines" | wc -w) lines, $view"
	done
done
done_testing
