#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of --html: one file that loads nothing, small, with any names in it;
# its views in a browser, if one is installed, with the numbers of --json.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce=$MEMMON_BUILD/mpreduce
prog=$MEMMON_BUILD/tests/prog
export T

# data FILE: the page's data.
data()
{
	perl -0777 -ne 'print $1 if m{<script type="application/json" id="data">(.*?)</script>}s' \
		"$1"
}

# record NAME PROGRAM ARGUMENT...: into NAME.mon
record()
{
	local name=$1
	shift
	"$MEMMON_BUILD/memmon" -o "$name.mon" "$@" >/dev/null 2>log
}

odd='w<!--<script>&"x'
cp "$prog/widgets" "$odd"
record w "./$odd"
"$mpreduce" --units=bytes --html=w.html "./$odd" w.mon >out 2>err
is $? 0 "a page is written" || diag "$(cat err)"
is "$(cat out err)" "" "and nothing else"
data w.html >w.data
perl -MJSON::PP -e 'local $/; my $d = JSON::PP->new->utf8->decode(<STDIN>);
	print "$d->{total}{bytes} $d->{total}{freed} $d->{program}\n"' \
	<w.data >got
is "$(sed 's|[^ ]*/||' got)" "2040000 1016124 $odd" "its data are JSON" || diag "$(cat got)"
is "$(grep -c '<' w.data)" 0 "no text in them ends what they stand in"
is "$(grep -ciE '(src|href|action|url\(|import|fetch)[^;]{0,20}(https?:|//)' w.html)" 0 \
	"nothing is loaded"
like "$(grep -i -A 2 'content-security-policy' w.html)" "default-src 'none'" \
	"the page allows no loading"
is "$(grep -c '<!--' w.html)" 0 "no mark is left"
size=$(wc -c <w.html)
ok $((size > 253000)) "an empty page is small ($size bytes)"

# For blocks that were live at another time, or for a part of them, the number
# of frees is unknown.
for how in --at=peak --focus=make_red_widget; do
	"$mpreduce" --units=bytes "$how" --html=at.html --json "./$odd" w.mon >at.json 2>err
	is "$(perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>);
		print defined $d->{threads}[0]{frees} ? "true" : "false"' <at.json)" \
		"$(data at.html | perl -MJSON::PP -e 'local $/;
		my $d = JSON::PP->new->utf8->decode(<STDIN>);
		print $d->{threads}{freed_known} ? "true" : "false"')" \
		"$how: frees of threads are known as in --json"
done

# The pictures of README.md are small.
for picture in page.png terminal.svg; do
	file=$MEMMON_SRC/display/html/README-$picture
	like "$(head -c 4 "$file" | tr -d '\0')" 'PNG|<svg' "$picture: a picture"
	size=$(wc -c <"$file")
	ok $((size >= 100000)) "... of less than 100 KB ($size bytes)"
done

# "every 3rd snapshot"
if command -v node >/dev/null; then
	is "$(sed -n '/^function ordinal/,/^}/p' \
		"$MEMMON_SRC/display/html/page/time.js" | { cat; echo 'console.log(
		[2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111, 113, 1000].map(
		ordinal).join(" "))'; } | node)" \
		"second 3rd 4th 11th 12th 13th 21st 22nd 23rd 101st 111th 113th 1000th" \
		"ordinals"
	# A value halfway between two numbers rounds to the even one, as in the
	# tables.
	is "$(sed -n '/^function decimal/,/^}/p; /^function errorText/,/^}/p' \
		"$MEMMON_SRC/display/html/page/errors.js" | { cat; echo 'console.log(
		[8, 400, 133.3, 80, 1000 / 135, 57].map(
		(n) => errorText(n, 1)).join(" "))'; } | node)" \
		"+-12% +-0.2% +-0.8% +-1.2% +-14% +-1.8%" "standard errors"
	# Cycles keep the scopes of their functions.
	is "$(sed -n '/^function fit[TN]/,/^}/p' \
		"$MEMMON_SRC/display/html/page/flame.js" | { cat; echo 'const S = {},
		g = { measureText: (t) => ({ width: 9 * t.length }) }, lambdas =
		(t) => t; console.log(["<cycle 1: a::deep>", "a::deep"].map((t) =>
		fitName(g, t, 60)).join(" "))'; } | node)" "<cycl… deep" \
		"names that don't fit"
	# Names keep each operator() of nested lambdas.
	is "$(sed -n '/^function brief/,/^}/p' \
		"$MEMMON_SRC/display/html/page/core.js" | { cat; echo 'console.log(
		["f(int)::{lambda(int)#2}::operator()(int) const::{lambda()#1}" +
		"::operator()() const", "a::my_operator()(int)",
		"A<int>::operator[](int) const", "bool operator<=><A>(A)"].map(
		brief).join(" "))'; } | node)" \
		"f::{lambda#2}::operator()::{lambda#1}::operator() a::my_operator \
A::operator[] operator<=>" "short names"
	# A cycle on a path is one frame.  It opens to those of its functions
	# from which paths go on.
	record turn "$prog/recurse" parse '((1+2)*3)'
	"$mpreduce" --units=bytes --html=turn.html "$prog/recurse" turn.mon 2>err
	(cd "$MEMMON_SRC/display/html/page" && cat callers.js core.js diff.js errors.js hide.js layers.js lens.js \
		flame.js model.js names.js only.js sites.js state.js time.js blocks.js \
		"$MEMMON_SRC/tests/html_flame.js") >flame.js
	node flame.js turn.html >flame
	is_file flame "$MEMMON_SRC/tests/golden/flame.txt" 'a cycle in the flame graph'
else
	skip 5 'no node'
fi

# A page that can't be written leaves no file behind.
"$mpreduce" --units=bytes --html=no/where.html "./$odd" w.mon >out 2>err
is $? 1 "a directory that isn't there"
like "$(cat err)" '^mpreduce: no/where.html: No such file' "... has its message"
"$mpreduce" --units=bytes --html=bad.html "./$odd" /dev/null >out 2>err
is "$?$(ls bad.html* 2>/dev/null)" 1 "data that can't be read leave no page"

# Ten thousand call paths.
MEMMON_FULL_CHAINS=1 record p "$prog/paths" 10000 3 14
"$mpreduce" --units=bytes --html=p.html "$prog/paths" p.mon 2>err
size=$(wc -c <p.html)
n=$(data p.html | perl -MJSON::PP -e 'local $/;
	print JSON::PP->new->utf8->decode(<STDIN>)->{sites}{n}')
ok $((n < 10000)) "a page of $n call paths"
ok $((size > 5 << 20)) "... is at most 5 MB ($size bytes)"

# Whether a function is the program's or the system's: by its name, if it is in
# std::, and by its library.
record f "$prog/handlers"
"$mpreduce" --units=bytes --html=f.html "$prog/handlers" f.mon 2>err
data f.html | perl -MJSON::PP -e 'local $/;
	my $d = JSON::PP->new->utf8->decode(<STDIN>);
	my ($f, $s) = ($d->{functions}, $d->{strings});
	for (0 .. $f->{n} - 1) {
		my $name = $s->[$f->{name}[$_]];
		my $in = $s->[$f->{module}[$_]];
		$name =~ s/\(.*// unless $name =~ /^main::/;
		print "$f->{whose}[$_] ", $in =~ /^handlers$/ ? "" : "$in ",
			"$name\n" }' >whose
for own in on_open on_read by_name by_size work later inner deep dispatch \
	'core::start' 'alloc::start' 'shop::circle::draw' 'shop::counter::operator' \
	'shop::arena<char>::allocate' '.*shop::text<int>' 'shop::pool<.*>::get'; do
	like "$(cat whose)" $'(^|\n)'"0 $own"$'(\n|$)' "whose: $own is the program's"
done
is "$(grep -cE '^0 main::(\{lambda|\$_)' whose)" 2 "whose: so are both lambdas"
is "$(grep -E '^[02] (std::|__gnu_cxx::)' whose | grep -v ' shop::text')" '' \
	"whose: all of std:: is the library's"
like "$(cat whose)" $'\n'"1 std::vector<shop::item.*reserve" \
	"whose: a vector of the program's items, too"
is "$(grep -E '^[01] (libc|libstdc\+\+|ld-linux)' whose | grep -v ' std::')" '' \
	"whose: libraries of the system are the system's"

chromium=$(command -v chromium || command -v chromium-browser ||
	command -v google-chrome)
if [ -z "$chromium" ]; then
	skip 1 "no chromium"
	done_testing
	exit
fi

# add NAME EXE [WITH]: the page of NAME.mon is looked at, see html.pl.
pages=
add()
{
	local name=$1 exe=$2
	[ -s "$name.html" ] ||
		"$mpreduce" --units=bytes --html="$name.html" "$exe" "$name.mon" 2>err
	"$mpreduce" --json "$exe" "$name.mon" >"$name.json" 2>err
	pages+=" $name:${3:-}"
}
shots=
! exhaustive || shots=shots
add w "./$odd" $shots
cp w.mon s.mon
"$MEMMON_BUILD/tests/timepage" "./$odd" s.mon >s.html
add s "./$odd" times
# Two runs, the latter with a log.
record h --log "./$odd" half
"$mpreduce" --json "./$odd" w.mon >old.json
"$mpreduce" --units=bytes --diff --html=h.html "./$odd" w.mon h.mon >out 2>err
is "$?$(cat out err)" 0 "a page of two runs"
add h "./$odd" old,log,shots
if exhaustive; then
	record r "$prog/recurse" parse "(1+2)*(3+(4*5))"
	add r "$prog/recurse"
	record t "$prog/threads"
	add t "$prog/threads"
	MEMMON_SAMPLE=64K MEMMON_SAMPLE_SEED=1 record e "$prog/sampled"
	add e "$prog/sampled" sampled
	add f "$prog/handlers" handlers
	# A helper that allocates, called from several lines.
	cat >rules.c <<'END'
#include <stdlib.h>
static void *made[99];
static int n;
static void peek(void) { free(malloc(1)); made[n++] = malloc(100); }
static void fact(int which)
{
	if (which)
		peek();
	else
		peek();
}
int main(void)
{
	fact(0);
	fact(1);
	fact(1);
	peek();
	return 0;
}
END
	$CC -g rules.c -o rules
	record l -l ./rules
	add l ./rules rules
fi
perl "$MEMMON_SRC/tests/html.pl" "$chromium" $pages >said 2>err
is $? 0 "the browser went through all of it" || diag "$(tail -n 5 err)"
while read -r name held what; do
	[ "$held" = 1 ]
	ok $? "$name: $what" || diag "$(head -n 40 err)"
done <said
[ -z "${HTML_SHOTS:-}" ] || cp ./*.png "$HTML_SHOTS"
done_testing
