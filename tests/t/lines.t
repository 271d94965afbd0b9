#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce -l: source lines in place of functions; and --paths=offsets: calls.
# The programs are those of annotate.t; most of their lines belong to one
# function.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/lines/build.sh"
perl -MJSON::PP -e 1 2>/dev/null && json=1 || json=

# agrees NAME DIR EXPECTED: functions with lines have these figures.
agrees()
{
	if [ ! "$json" ]; then
		skip 3 "no JSON::PP"
		return
	fi
	"$mpreduce" -l --json "$1" "$1.mon" >json 2>err
	is "$(cat err)" "" "$1: no messages"
	is "$(perl "$MEMMON_SRC/tests/golden/check.pl" <json 2>&1)" "" \
		"$1: JSON agrees with itself"
	perl "$lines/units.pl" "$2" <json | sort >got
	sort "$3" >want
	is_file got want "$1: figures of lines"
}

for cc in gcc clang; do
	levels=2
	[ $cc != clang ] || levels=0
	! exhaustive || levels='0 2'
	if ! command -v $cc >/dev/null; then
		skip 9 "no $cc"
		continue
	fi
	for level in $levels; do
		compile_shapes $cc-O$level $cc -O$level
		agrees $cc-O$level "$src" shapes.expect
		for seed in 4 5; do
			compile_random random-$cc-O$level-$seed \
				$((seed * 31 + level * 7 + ${#cc})) $cc -O$level
			agrees random-$cc-O$level-$seed "$T" random.expect
		done
	done
done

# --------------------------------------------------------------- the tables --

compile_shapes shapes "$CC" -O0
p() { "$mpreduce" -b "$@" shapes shapes.mon; }
names() { sed -n 's/^ *[0-9.]* *[0-9]* |.* |  *[0-9]*   //p' | grep -v TOTAL; }
p -l -p | names >direct
is "$(head -n 5 direct)" "wrapped (shapes.c:$(grep -n 'xmalloc(70' "$lines/shapes.c" |
	cut -d: -f1))
inner (shapes.h:8) (inlined)
same ($src/b/same.c:10)
same ($src/a/same.c:10)
wrapped (shapes.c:$(grep -n 'xmalloc(80' "$lines/shapes.c" | cut -d: -f1))" \
	"direct: by bytes; files that have one name, by their paths"
is "$(sort -u direct | wc -l)" "$(wc -l <direct)" "each line has a name of its own"
down=$(grep -n 'down(depth - 1)' "$lines/shapes.c" | cut -d: -f1)
like "$(p -l -q"shapes.c:$down")" "
 +90 [(].*main .shapes.c:[0-9]+. .*
.15. .* 6[+]6 +down .shapes.c:$down. .15.
" "graph: a line that calls itself"
like "$(p -l -L --depth=3)" "> main .shapes.c:[0-9]+. > down .shapes.c:[0-9]+." \
	"leaks"
like "$(p -l --peak)" ' 630 +9 +[|][|] > main .shapes.c:[0-9]*. > wrapped .shapes.c' \
	"peak"
is "$(p -l -p -Pdown | names | grep -c down)" 0 "a symbol is all lines"
is "$(p -l -p"shapes.c:$((down + 1))" | names)" "down (shapes.c:$((down + 1)))" \
	"a file and a line are one"
is "$(p -l -p --names=12 | names | head -n 2 | tail -n 1)" \
	"inne....h:8) (inlined)" "names are cut"
is "$(p -p | names | grep -c shapes.c:)" 0 "without -l: no lines"
p -l >got
"$mpreduce" -b -l shapes shapes.mon >again
is_file again got "the same again"

# Without line information the table shows functions; if only some functions
# have lines, it keeps the two kinds apart.
cp sources/tests/lines/shapes.c sources/tests/lines/shapes-less.c
(cd sources && "$CC" -O0 -I. -w -c -o same.o tests/lines/a/same.c)
(cd sources && compile less "$CC" -O0 -I. tests/lines/shapes.c same.o \
	tests/lines/b/same.c)
"$mpreduce" -b -l -p -q less less.mon >got 2>err
is "$(names <got | grep '^same' | sed 's/.*same[.]c/same.c/')" \
	"same.c:10)
same (less)" "functions without lines"

# ------------------------------------------------------------------ inlined --

like "$(p -p)" ' 3   inner [(]inlined[)]
' "direct: inlined functions have a mark"
like "$(p -qouter)" '
[[]4[]] .* outer [[]4[]] [(]inlined[)]
.* inner [[][0-9]*[]] [(]inlined[)]
' "graph: the entry, and what it calls"
is "$(p -qouter | grep -c 'inlined [[][0-9]*[]]$')" 1 "graph: not who calls it"
is "$(p -L --peak | grep -c '(inlined)')" 0 "paths: not as a rule"
like "$(p -L --verbose)" '> inlined > outer [(]inlined[)] > inner [(]inlined[)]
' "paths: with --verbose"
if [ "$json" ]; then
	"$mpreduce" --json shapes shapes.mon >json
	is "$(perl -MJSON::PP -e '$p = decode_json(<STDIN>);
		$f = $p->{functions};
		print join ", ", sort map { $_->{name} } grep { $_->{inlined} } @$f;
		print "; ", join ", ", sort map { $$f[$_->{callee}]{name} }
			grep { $_->{inlined} } @{$p->{arcs}};
		for my $s (@{$p->{sites}}) {
			print "; ", join "<", map { $$f[$s->{chain}[$_]]{name} }
				reverse @{$s->{inlined}} if $s->{inlined};
		}' <<<"$(tr -d '\n' <json)")" \
		"inner, outer; inner, inner, outer; inner<outer; outer; inner" \
		"JSON: inlined"
else
	skip 1 "no JSON::PP"
fi
printf '%s\n' '#include <stdlib.h>' 'void *volatile p;' \
	'static inline __attribute__((always_inline)) void get(int n)' \
	'{' 'p = malloc(n);' '}' \
	'void __attribute__((noinline)) both(void (*f)(int))' \
	'{ get(1); f(2); }' 'int main(void) { both(get); return 0; }' >both.c
compile both "$CC" -O0 both.c
is "$("$mpreduce" -b -p -q both both.mon | grep -c inlined)" 0 \
	"no mark for what is called, too"
like "$("$mpreduce" -b -L --paths=offsets both both.mon)" \
	'both[+]0x[0-9a-f]+ [(]both.c:8[)] > get [(]both.c:5[)] [(]inlined[)]$' "but for the call that is inlined"

# ----------------------------------------------------------- --paths=offsets --

# calls FUNCTION: offsets of the instructions after its calls, of malloc and
# others.
calls()
{
	objdump -d --no-show-raw-insn shapes | perl -ne '
		BEGIN { $f = shift }
		($in, $at) = ($2 eq $f, hex $1) if /^([0-9a-f]+) <(.*)>:/;
		next unless $in && /^ *([0-9a-f]+):\s*(.*)/;
		printf "+0x%x\n", hex($1) - $at if $was;
		$was = $2 =~ /^call.*<(malloc|xmalloc)[@>]/' "$1"
}

p -L --verbose --paths=offsets >got
if command -v objdump >/dev/null && [ "$(uname -m)" = x86_64 ]; then
	for f in macros several wrapped; do
		sed -n "s/.* > $f\\(+0x[0-9a-f]*\\) ([^>]*\$/\\1/p" got |
			sort >offsets
		[ "$f" = macros ] || [ -s offsets ]
		ok $? "$f: has offsets"
		calls $f | sort | comm -13 - offsets >bad
		is "$(cat bad)" "" "$f: they are those of calls"
	done
else
	skip 6 "no objdump for this machine"
fi
is "$(sed -n 's/.* \(several+0x[0-9a-f]* (.*)\)/\1/p' got | sort -u | wc -l)" 2 \
	"calls on one line are kept apart"
like "$(cat got)" ' 250 [(][0-9]+[)] +[|][|] > main[+]0x[0-9a-f]+ .shapes.c:[0-9]+. > inlined[+]0x[0-9a-f]+ .shapes.c:[0-9]+. > outer .shapes.h:14. .inlined. > inner .shapes.h:8. .inlined.' \
	"an inlined function has a line and no offset"
like "$(p --peak --paths=offsets --depth=1)" '[.]{3}> wrapped[+]0x[0-9a-f]+ .shapes.c:[0-9]+.' \
	"peak"
like "$(p --lifetimes --paths=offsets --depth=1 2>err)" 'wrapped[+]0x' "lifetimes"
like "$(p -l -L --paths=offsets --depth=1)" '[.]{3}> wrapped[+]0x[0-9a-f]+ .shapes.c' \
	"with -l"
like "$("$mpreduce" --json --paths=offsets shapes shapes.mon)" \
	'"sites":\["main[+]0x[0-9a-f]+ .shapes.c:[0-9]+.","inlined[+]0x[0-9a-f]+ .shapes.c:[0-9]+.","outer .shapes.h:14.","inner .shapes.h:8."\]' \
	"JSON"

# A function from which the compiler has split off a part, and inlined the rest:
# the calls are those of the part.
case $CC in
*gcc*)
	cat >split.c <<'END'
#include <stdlib.h>
void *volatile kept;
int volatile zero;
void other(void);
void split(int n)
{
	if (n < 3)
		return;
	kept = malloc(n);
	for (int i = 0; i < n; i++) {
		kept = malloc(10 * n);
		if (zero)
			other();
	}
	other();
	kept = malloc(1000);
	other();
	other();
}
void one(int n) { split(n); other(); }
void two(int n) { split(n + 1); other(); split(n + 2); other(); }
END
	echo 'void one(int), two(int); void other(void) {}
int main(void) { one(3); two(3); one(1); return 0; }' >splits.c
	compile split "$CC" -O2 split.c splits.c
	if nm split | grep -q 'split[.]part'; then
		sites='s/ .*> \([a-z]*\)\(+0x[0-9a-f]*\)* (split[.]c:\([0-9]*\)) > /\1:\3 /
			s/^\([^ ]*\) split (split.c:\([0-9]*\)).*/\1 \2/p'
		"$mpreduce" -b -L --verbose --paths=offsets split split.mon |
			sed -n "$sites" | sort >got
		printf '%s\n' "one:20 "{11,16,9} "two:21 "{11,11,16,16,9,9} |
			sort >want
		is_file got want "--paths=offsets: lines and calls of a part"
		is "$("$mpreduce" -b -l -p split split.mon | names |
			sed 's/ (inlined)//')" "split (split.c:16)
split (split.c:11)
split (split.c:9)" "-l: lines of a part"
	else
		skip 2 "no part was split off"
	fi
	;;
*)
	skip 2 "not gcc"
	;;
esac
done_testing
