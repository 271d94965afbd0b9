#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every view must print each condition of a run (memmon attached to it, it still
# runs, it ended without a word, it was sampled ...): each condition is tried
# with each view, and the words are those that SQL prints for it.
. "${MEMMON_SRC:-.}/tests/tap.sh"
make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"
"$CC" -nostdlib -static -no-pie \
	-Wl,-Ttext=0x401000,-e,main,--build-id=none -o prog \
	"$MEMMON_SRC/tests/golden/prog.s" || echo "Bail out! prog"

# file NAME [DIRECTIVE...]: a data file with these additional directives.
file()
{
	local name=$1
	shift
	{
		cat <<-'EOF1'
			run program /tmp/prog
			run command ./prog
			run pid 5
			run start 1000000000000000000
			run length 5000000000
			module p /tmp/prog exe at 0x400000 0x500000 0
			chain red p:0x401008 p:0x401018
			alloc red 100 50 20
			peak red 40 4000
			life red time 1000000:10
			thread main flags 1 threads 1 allocs 50 bytes 5000 frees 20 freed 2000
			total peak 4000
			total peak_at 2000000000
		EOF1
		printf '%s\n' "$@"
	} | "$make" >"$name"
}
file plain 'run end exit'
file attached 'run end exit' 'run attached 1'
file running 'run end dump'
file unknown 'run end cut'
file killed 'run end cut' 'run running 0'
file signal 'run end signal' 'run signal 11'
file forked 'run end exit' 'run forked 1'
file off 'run end exit' 'run off_time 2000000000'
file reset 'run end exit' 'run reset 1000000000'
file unrecorded 'run end exit' 'total lost 7' 'total lost_bytes 700'
file shortened 'run end exit' 'total short 5'
file sampled 'run end exit' 'run sample 1000000'
file accesses 'run end exit' 'run why no\saddress\sspace'

# Views as tables, options of mpreduce; and as files, with the programs that
# read them.
tables='--summary --prolog -L -p -q --peak --threads --bins --types
	--lifetimes --prolog=marks -S --fields --waste --timeline --annotate'
exports='pprof otlp dhat heaptrack massif json'

# said CONDITION VIEW...: does its output have the words?  On one line, without
# quotes' and slashes' marks.
flat()
{
	tr '\n' ' ' | sed 's/\\"/"/g; s/&quot;/"/g; s/  */ /g'
}

for c in $(some <<<'plain
attached
running
+ unknown
killed
+ signal
+ forked
+ off
+ reset
+ unrecorded
+ shortened
sampled
+ accesses'); do
	"$mpreduce" --export=csv:conditions prog $c >csv 2>err
	"$mpreduce" --sql='SELECT text FROM conditions' --export=csv \
		prog $c >/dev/null 2>&1
	lines=$("$mpreduce" --json prog $c 2>/dev/null | jq -r --arg c $c \
		'.conditions[] | select(.name == $c) | .text')
	words=$(flat <<<"$lines" | sed 's/ $//')
	# In one line of an export a comma stands between two lines of text.
	note=$(flat <<<"${lines//$'\n'/, }" | sed 's/ $//')
	if [ $c = plain ]; then
		is "$("$mpreduce" --json prog plain 2>/dev/null |
			jq -c .conditions)" '[]' 'of an ordinary run nothing'
		is "$("$mpreduce" prog plain 2>/dev/null |
			grep -c 'attached\|still run\|without a word')" 0 \
			'tables have no word either'
		continue
	fi
	ok $((${#words} < 10)) "$c: $words"
	missing=''
	for v in $tables; do
		case $c$v in
		# Its first line is in other words.
		attached--summary) w='since memmon attached' ;;
		running--summary) w='still running' ;;
		unknown--summary) w='ended or still running' ;;
		killed--summary) w='ended by SIGKILL or exit_group' ;;
		signal--summary) w='ended by signal 11' ;;
		# This condition concerns no other figures.
		accesses-S | accesses--fields) w='no address space' ;;
		accesses--summary | accesses--prolog) w=$words ;;
		accesses-*) continue ;;
		*) w=$words ;;
		esac
		[[ $("$mpreduce" $v prog $c 2>/dev/null | flat) = *"$w"* ]] ||
			missing="$missing $v"
	done
	is "$missing" '' "... in all tables"
	missing=''
	for v in $exports; do
		w=$note
		[ $v != json ] || w=$words
		"$mpreduce" --export=$v -o out prog $c 2>/dev/null || continue
		case $v in
		pprof | otlp) gunzip -c <out | tr -d '\000' >text ;;
		*) sed 's/\\u000a/ /g' out >text ;;
		esac
		[[ $(LC_ALL=C tr -c '[:print:]' ' ' <text | flat) = *"$w"* ]] ||
			missing="$missing $v"
	done
	"$mpreduce" --html=out prog $c 2>/dev/null
	[[ $(flat <out | sed 's/\\u000a/ /g') = *"$words"* ]] || missing="$missing html"
	[[ $(flat <csv | sed 's/""/"/g') = *"$words"* ]] || missing="$missing csv"
	"$mpreduce" --export=sqlite -o out prog $c 2>/dev/null
	[[ $(tr -c '[:print:]' ' ' <out | flat) = *"$words"* ]] ||
		missing="$missing sqlite"
	is "$missing" '' "... and in all exports, JSON, the page"
done
done_testing
