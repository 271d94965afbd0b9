#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One word for one thing: heads, legends, options, schema and manual use the
# words of memmon-glossary(7), and none of the words in the list below.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
man=$MEMMON_SRC/man

# A word that isn't used, the glossary's words for it, and the texts that may
# contain it nevertheless: pages by name, "help", "schema", "tables".
cat >words <<'E'
\bcall chains?\b|\b(the|a|each|of|whole|different) chains?\b	call path	help tables
\bchunks?\b	block	help
\bhanded\b	passed to unrecorded code	schema
\bunseen\b	unrecorded	tables
\bshared (block|cache line|line)s?\b	accessed by several threads
\b(the|The) profiler\b	monitor
\b[Ll]eaves? (blocks|the blocks|what|only|all)\b	keep only, leave out
\bcut (off|short|to|from|at)\b	truncated; shortened; ended by a signal
\bprices?\b	cost, time taken
\b(bytes|blocks|memory) (that (is|are|was|were) )?kept\b	not freed
\bmoments?\b	snapshot	memmon_module.3 memmon-faq.7
\bindirect (blocks|bytes)\b	indirectly lost
\banew\b	run
E

# prose PAGE: without displays, names and literal text.
prose()
{
	awk '/^\.Bd/ { skip = 1 } /^\.Ed/ { skip = 0; next } skip { next }
		/^\.\\"/ || /^\.(Fl|Li|Ql|Ev|Pa|Cm|Sx|Xr|Fn|Va|Dv|Fa|Vt|It Cm|It Fl|It Li|It Va|It Fn|It Fa|It Ev|It Ic)/ { next }
		{ print }' "$1"
}

mkdir text
for page in "$man"/*.[1-8]; do
	prose "$page" >"text/${page##*/}"
done
for program in mpreduce memmon; do "$MEMMON_BUILD/$program" --help; done >text/help
"$MPREDUCE" --sql=list >text/schema
for program in widgets orders; do
	MEMMON_CC_QUIET=1 MEMMON_CC=$CC "$MEMMON_BUILD/memmon-cc" -g -O1 \
		"$MEMMON_SRC/tests/prog/$program.c" -o $program &&
		MEMMON_OUT=$program.mon "$MEMMON_BUILD/memmon" -q -l --allocator \
			./$program >out
	"$MPREDUCE" --full --peak --lifetimes --threads --types --waste \
		--timeline --scores --fields --allocator --file-info \
		./$program $program.mon
done >text/tables 2>err
[ -s text/tables ] && [ -s text/schema ] && [ -s text/help ]
ok $? "there are tables, a schema and help"

# words_in TEXT: the words of the list that it has.
words_in()
{
	while IFS=$'\t' read -r word better allowed; do
		[[ " $allowed " == *" ${1##*/} "* ]] ||
			tr '\n' ' ' <"$1" | grep -oE "$word" |
			sed "s/\$/: the glossary says \"$better\"/"
	done <words
}

for file in text/*; do
	is "$(words_in "$file")" "" "${file##*/} uses the glossary's words"
done
echo 'Blocks handed to the profiler.' >wrong
is "$(words_in wrong | wc -l)" 2 "a wrong word is found"

# The glossary has these words, and the columns of the schema.
sed -n 's/^\.It //p' "$man/memmon-glossary.7" |
	tr 'A-Z' 'a-z' >glossary
cut -f2 words | sed 's/; /\n/g' | while read -r better; do
	grep -qxF "$better" glossary || echo "$better"
done >missing
is "$(cat missing)" "" "the glossary has the words that are used instead"
# Words that need no entry, and columns that keep a short name.
ordinary='address allocs average bytes file frees function id line reads size
	thread writes longest of reallocs site sites lifetime moved lived share
	handed shared temps unfreed by_sizes call_line callee caller calls command
	count cpu cut cycles depth figure files first first_access freer height high host
	in_system_calls instructions job known largest last_access least least_rank
	length locks low main max min most most_rank name of_others outcalls parallel
	own_peak_at peak_at peak_most pid ppid problem program reads recursive self_allocs
	self_kept self_peak since start sum system_calls text until value the'
sed -n 's/^  \([a-z_]*[a-z]\) .*/\1/p' text/schema |
	sed -E 's/_(blocks|bytes|share|min|max|id|average|name|alias)$//' |
	sort -u | while read -r name; do
		[[ " ${ordinary//[$'\n\t']/ } " == *" $name "* ]] ||
			tr ' -' '__' <glossary | tr -d , |
			grep -qE "(^|_)($name|${name%s}|${name%es})s?(\$|_)" ||
			echo "$name"
	done >missing
is "$(cat missing)" "" "the glossary has the columns of the schema"
sed '/^leaked$/d' glossary | grep -qxF leaked
is $? 1 "... and would miss one"
done_testing
