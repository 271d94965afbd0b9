#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Results of leak checks, in tables, sums, -i and JSON; results that can't be
# true are left out.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s" || echo "Bail out! prog"

# red: 10 blocks of 100 bytes, 2 freed; blue: 20 of 30 bytes, none freed; F: a
# block of 0 bytes; G: 5 of 7 bytes, all freed.
cat >desc <<'EOF1'
run program /tmp/prog
run pid 5
run length 5000000000
run end exit
module p /tmp/prog exe at 0x400000 0x500000 0
chain red p:0x401008 p:0x401018
chain blue p:0x401008 p:0x401028
chain f p:0x401008 p:0x401048
chain g p:0x401008 p:0x401058
alloc red 100 10 2
alloc blue 30 20
alloc f 0 1
alloc g 7 5 5
EOF1
cat >checked <<'EOF1'
run leakcheck 4000000000
leak red lost 3:300 indirect 4:400 reachable 1:100
leak blue lost 1:30 indirect 5:150 interior 6:180 reachable 8:240
leak f lost 1:0
leak g reachable 2:14
EOF1
cat desc checked | "$make" >all
"$make" <desc >none

# table OPTION... FILE: the leaks.
table()
{
	"$mpreduce" -L -b prog "$@" 2>err | sed '1,2d'
}

table all >got
cat >want <<'EOF1'
Leak check, 4.000 s after the start:

         bytes     blocks
           330          5   lost       the program can't reach them
           550          9   indirect   only lost blocks point to them
           180          6   interior   reachable, but only by a pointer into a block
           354         11   reachable  by pointers to the starts of blocks

--leaks=all shows the paths of all kinds.

     lost bytes (%)     blocks    path

            300 (90)         3   || > main > make_red_widget
             30 (9)          1   || > main > make_blue_widget

left out: 1 path under 0.5 %, with 0 bytes lost (--verbose shows all)

 indirect bytes (%)     blocks    path

            400 (72)         4   || > main > make_red_widget
            150 (27)         5   || > main > make_blue_widget
EOF1
is_file got want "F28: lost and indirect blocks"
is "$(grep -v 'no debug information' err)" "" "no message"

sections()
{
	grep -o '^ *[a-z]* bytes (%)' | sed 's/ bytes.*//; s/ //g' | tr '\n' ' '
}
is "$(table --leaks=all all | sections)" "lost indirect interior reachable " "all kinds"
is "$(table --leaks=interior,lost all | sections)" "lost interior " "two of them"
table --leaks=reachable all >got
is "$(sections <got)" "reachable " "one of them"
is "$(sed '1,/^reach/d; /^$/d' got)" \
"            240 (67)         8   || > main > make_blue_widget
            100 (28)         1   || > main > make_red_widget
             14 (3)          2   || > main > G" "its rows, by bytes"
is "$(table --leaks=all all | grep -c leak-kinds=all)" 0 "no hint to all that is there"
table --leaks=kept all >got
table none >want
is_file got want "what was kept, as without a leak check"
like "$(cat want)" "Total bytes not freed: 1400" "which is all"
table --leaks=lost,kept all >got
is "$(sections <got)" "lost kept " "both tables"
table --units=human --verbose all >got
like "$(cat got)" $'\n +0 +1   \|\| > main > F\n' "a block of no bytes is lost, too"
for bad in "" losst lost, ,lost lost,all,x; do
	"$mpreduce" --leaks="$bad" prog all >out 2>err
	is "$?" 2 "--leaks=$bad"
	like "$(cat err)" "the kinds are lost, indirect, interior, reachable" "its message"
done

# No leak check, and why not.
is "$(table none | head -n 1)" "Total bytes not freed: 1400" "no leak check: nothing about it"
table --leaks=lost none >got
like "$(cat got)" "blocks are lost is not known: there was no leak check\." "but when kinds are asked for"
{ cat desc; echo 'run leak_why no\smemory'; } | "$make" >why
table why >got
like "$(head -n 1 got)" "not known: there was no leak check: no memory\." "why there was none"
"$mpreduce" -b prog why 2>/dev/null >got
like "$(cat got)" "leak check    none was made, no memory" "the same in the prolog"
"$mpreduce" -b prog all 2>/dev/null >got
like "$(cat got)" "leak check    lost 330 bytes \(5 blocks\), indirect 550 bytes \(9 blocks\), interior 180 bytes \(6 blocks\), reachable 354 bytes \(11 blocks\)" \
	"the sums in the prolog"
is "$("$mpreduce" -b prog none 2>/dev/null | grep -c 'leak check')" 0 "no line without"
{ cat desc; echo 'run leakcheck 1'; } | "$make" >nothing
table --leaks=all nothing >got
is "$(grep -c ' 0 ' got)" 4 "a check that found nothing: zeros"
is "$(sections <got)" "" "and no paths"

# Sums.
figures()
{
	"$mpreduce" -i "$1" 2>/dev/null |
		awk '/ (lost|reachable|indirectly lost|interior)$/ &&
			/ (blocks|bytes) / { printf "%s ", $1 }'
}
is "$(figures all)" "5 330 9 550 6 180 11 354 " "-i"
is "$(figures none)" "" "-i without a check"
is "$(figures nothing)" "0 0 0 0 0 0 0 0 " "-i of a check that found nothing"
"$mpreduce" -s all all
is "$(figures mon.sum)" "10 660 18 1100 12 360 22 708 " "-s adds them"
like "$(table mon.sum)" "Leak checks of all runs:" "of all runs"
like "$("$mpreduce" -i mon.sum)" "leaks \(ns\) 4000000000" "with a time"
table all all >got
table mon.sum >want
is_file got want "the same in memory"
table all none >got
like "$(cat got)" "Leak checks of 1 of the 2 files; what is lost in the other" "some have none"
like "$(cat got)" "330          5   lost" "and add nothing"
"$mpreduce" -s all none
like "$(table mon.sum)" "Leak checks of some of the runs; what is lost in the other" "the same of a sum"
is "$("$mpreduce" -i mon.sum | grep -c 'leaks (ns)')" 0 "without the time"

# JSON.
"$mpreduce" --json prog all >json 2>/dev/null
like "$(grep '^"totals"' json)" '"leaks":\{"lost":\{"blocks":5,"bytes":330\},"indirect":\{"blocks":9,"bytes":550\},"interior":\{"blocks":6,"bytes":180\},"reachable":\{"blocks":11,"bytes":354\}\},"suppressed":\{"blocks":0,"bytes":0\},"leaks_all":true' \
	"JSON: totals"
is "$(sed -n '/^"sites"/,/^"bins"/p' json | grep -c '"leaks":{"lost"')" 4 "JSON: sites"
like "$(cat json)" '"leak_check_ns":4000000000' "JSON: time"
if perl -MJSON::PP -e1 2>/dev/null; then
	is "$(perl "$MEMMON_SRC/tests/golden/check.pl" <json 2>&1)" "" \
		"JSON: the sites add up"
else
	skip 1 "no JSON::PP"
fi
"$mpreduce" --json prog none >json 2>/dev/null
is "$(grep -c '"leaks":{' json)" 0 "JSON: null without a check"

# Lines that can't be true.
# bad NAME REGEX LINE...: a warning, and one item less.
bad()
{
	local name=$1 regex=$2
	shift 2
	{ cat desc; echo "run leakcheck 4000000000"; printf '%s\n' "$@"; } |
		"$make" >bad
	"$mpreduce" -L -b prog bad >out 2>err
	is "$?" 4 "$name: status"
	like "$(cat err)" "$regex" "$name: warning"
}
one="1 impossible leak left out; .*, 0 of 1 leaks"
bad "more blocks than allocated" "$one" "leak red lost 11:100"
bad "more bytes than allocated" "$one" "leak red lost 1:1001"
bad "in all kinds together" "$one" "leak red lost 6:1 reachable 6:1"
bad "sums beyond 64 bits" "$one" "leak red lost 18446744073709551615:1 reachable 2:1"
bad "bytes without blocks" "$one" "leak red lost 0:1"
bad "none at all" "$one" "leak red"
bad "twice" "1 impossible leak left out; .*, 1 of 2 leaks" \
	"leak red lost 1:1" "leak red lost 1:1"
bad "no such site" "parts are missing; .*, 0 of 1 leaks" "leak @9 lost 1:1"
bad "no such kind" "1 damaged record left out; .*, 0 of 1 leaks" "leak red 4"
bad "at the end, of what was freed" "$one" "run leakcheck 5000000000" "leak red lost 9:800"
bad "another number of them" "parts are missing; .*, 1 of 2 leaks" \
	"leak red lost 1:1" "total leaks 2"
{ cat desc; echo "run leakcheck 5000000000"; echo "leak red lost 8:800"; } | "$make" >last
is "$(figures last)" "8 800 0 0 0 0 0 0 " "at the end, all that was kept"
{ cat desc checked; echo "drop leaks 1"; } | "$make" >lost
table --leaks=all lost >got
is "$(figures lost)" "" "the record is lost: nothing is known"
{ cat desc checked; echo "most 1"; } | "$make" >many
is "$(figures many)" "$(figures all)" "in several records"

# The blocks that lost blocks hold: known if they are all that is indirect.
# holds SED...: "blocks bytes" that red, blue and all hold, after SED has
# changed the description.
holds()
{
	local json
	{ cat desc; sed -e 's/^leak red.*/& holds 5:350/' \
		-e 's/^leak blue.*/& holds 4:200/' checked |
		sed "$@"; } | "$make" >held
	json=$("$mpreduce" --json prog held 2>err)
	printf '%s\n' "$json" | sed -n '/^"totals"/p; /^"sites"/,/^"bins"/p' |
		grep -o '"holds":[^}]*}\?' | sed 's/,"leaks".*//' | sort -u |
		tr -cs '0-9n\n' ' ' | tr '\n' ';'
}
is "$(holds -e '')" ' 0 0 ; 4 200 ; 5 350 ; 9 550 ;' "what they hold: JSON"
is "$(grep -c hold err)" 0 "... without a warning"
"$mpreduce" -s held && cp mon.sum one.sum && "$mpreduce" -s held one.sum
is "$("$mpreduce" --sql='SELECT sum(holds) AS n FROM sites' prog mon.sum |
	tail -n 1 | tr -d ' ')" 1100 "... adds up in sums"
"$mpreduce" -s held all
is "$("$mpreduce" --json prog mon.sum 2>&1 | grep -c '"holds":null')" \
	"$("$mpreduce" --json prog mon.sum 2>&1 | grep -c '"leaks":')" \
	"... with a file that doesn't tell: not known"
is "$(holds -e 's/5:350/4:350/')" ' n ;' "too few: not known"
is "$(holds -e 's/5:350/5:351/')" ' n ;' "more bytes than are indirect: not known"
is "$(holds -e 's/5:350/0:350/')" ' n ;' "no blocks: not known"
is "$(holds -e 's/ lost 3:300//')" ' n ;' "a site that lost none: not known"
like "$(cat err)" "1 impossible hold left out" "... with a warning"
is "$(holds -e 's/5:350/18446744073709551615:350/')" ' n ;' "beyond 64 bits"
done_testing
