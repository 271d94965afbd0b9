#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real programs, each run twice: with recursion folded from the first frame on,
# and with all call paths in full.  The graph that tests/chains.pl makes from
# the full call paths is compared with the graph that mpreduce makes from the
# folded ones: every function, every call, every cycle, every total.  Programs
# whose runs differ by hash seeds or addresses are made to run alike.  Where the
# compilers still run differently, because other addresses are free, figures are
# near.  A program shows nothing about folding if the full call paths of two
# runs at other addresses differ by more; such a program is left out.  The test
# also requires that enough programs remain.
#
#	FOLD_PROGRAMS="jq sed"	these programs, in place of all
#	FOLD_TABLE=file		a line for each: call paths and bytes of the
#				file in full and folded, cycles joined, yes,
#				near or no
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# run FULL OUT COMMAND...: into the file OUT.  The variable has the same length
# in all runs, and the command's output files, made*, never exist before.
# False: a signal ended it.  fixed=: at random addresses, not always the same
# ones.
run()
{
	rm -rf "$2" "$2".[0-9]* made made.*
	MEMMON_FULL_CHAINS=$1 PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 \
		PYTHONHASHSEED=0 PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1 \
		LC_ALL=C TZ=UTC $fixed "$MEMMON" -o "$2" -- "${@:3}" \
		>/dev/null 2>&1 </dev/null
	[ $? -lt 126 ]
}
figures() { "$MPREDUCE" --json "$2" 2>/dev/null | perl "$MEMMON_SRC/tests/chains.pl" "$1"; }
sites() { "$MPREDUCE" -i "$1" | awk '$NF == "sites" && NF == 4 { print $2; exit }'; }
joined() { total "$1" 'cycles joined by functions'; total "$1" 'cycles joined by their ends'; }

# exact FILE: the lines of chains.pl that folding leaves exact.  They depend on
# whether FILE has joined cycles, and which, and call paths without their outer
# part.
exact()
{
	local exact='total|func'

	if "$MPREDUCE" "$1" 2>/dev/null | grep -q '^limited '; then
		echo "^($exact) "
		return
	fi
	exact+='|alone|arc'
	if [ -z "$(total "$1" 'cycles joined by their ends')" ]; then
		exact+='|member|cycle'
		[ -n "$(total "$1" 'cycles joined by functions')" ] || exact+='|inner'
	fi
	echo "^($exact) "
}

# least FULL FOLDED: the figures of functions that are in no cycle, in either
# file, are at least as shown, if call paths lack their outer part.
least()
{
	awk '$1 != "alone" { next }
		NR == FNR { for (i = 3; i <= 18; i++) full[$2, i] = $i; seen[$2]; next }
		$2 in seen { for (i = 3; i <= 18; i++) if ($i > full[$2, i]) exit 1 }' \
		"$1" "$2"
}

# alike FULL FOLDED FILE: equal in all that is exact.  (A file with joined
# cycles has fewer cycles, and so more functions outside cycles.)
alike()
{
	local exact

	exact=$(exact "$3")
	[[ $exact = *arc* ]] || least "$1" "$2" || return
	[ -s "$1" ] && ! comm -23 <(grep -E "$exact" "$1") "$2" | grep -q . &&
		{ [[ $exact != *inner* ]] ||
			{ cmp -s <(grep -v '^often' "$1") <(grep -v '^often' "$2") &&
				! paste -d' ' <(grep '^often' "$1") <(grep '^often' "$2") |
				awk '$5 < $10 || $2 != $7 || $4 != $9' | grep -q .; }; }
}

# near FULL FOLDED FILE: the same within 5%, or 8 blocks and 72 KiB: for a
# program whose tables are by address, and which sees other mappings of the
# monitor.
near()
{
	[ -s "$1" ] && [ -s "$2" ] && perl -e '
		my ($re, @of) = shift;
		for my $i (0, 1) {
			open my $in, "<", $ARGV[$i] or die;
			while (<$in>) {
				next unless /$re/ && !/^(?:cycle|total)/;
				my ($key, $v) = /^(.*?)((?: \d+)+)$/ or die;
				$of[$i]{$key} = [(split " ", $v)[-17 .. -1]];
			}
		}
		for my $key (keys %{$of[0]}) {
			my @v = @{$of[0]{$key}};
			my @w = @{$of[1]{$key} // [(0) x 17]};
			for (0 .. 16) {
				my $most = $_ % 8 < 4 && $_ < 16 ? 8 : 73728;
				next if abs($v[$_] - $w[$_]) <= $most + $v[$_] / 20;
				print "# $key: @v, and @w\n";
				exit 1;
			}
		}' "$(exact "$3")" "$1" "$2"
}

# unlike COMMAND...: do the full call paths of runs at other addresses differ,
# too?
unlike()
{
	local i

	for i in 1 2 3; do
		fixed='' run 1 out/other.mm "$@" && [ -s out/other.mm ] ||
			return 1
		figures chains out/other.mm >out/other
		alike out/full out/other out/fold.mm ||
			near out/full out/other out/fold.mm || return 0
	done
	return 1
}

# folds NAME COMMAND...: the files don't have the program's name, which the
# program has on its stack.
folds()
{
	local equal=yes bytes

	[[ " ${FOLD_PROGRAMS:-$1} " == *" $1 "* ]] || return 0
	if ! command -v "$2" >/dev/null; then
		skip 1 "no $2"
		return
	fi
	there=$((there + 1))
	run 1 out/full.mm "${@:2}" || equal=no
	bytes=$(stat -c %s out/full.mm 2>/dev/null)
	figures chains out/full.mm >out/full
	run 0 out/fold.mm "${@:2}" || equal=no
	figures graph out/fold.mm >out/fold
	if [ $equal = yes ] && ! alike out/full out/fold out/fold.mm; then
		equal=no
		near out/full out/fold out/fold.mm && equal=near
	fi
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$(sites out/full.mm)" \
		"$(sites out/fold.mm)" "$bytes" "$(stat -c %s out/fold.mm)" \
		"$(joined out/fold.mm | xargs)" "$equal" >>"${FOLD_TABLE:-out/table}"
	if [ $equal = no ] && unlike "${@:2}"; then
		skip 1 "$1: no two runs are alike"
	elif [ $equal != no ]; then
		compared=$((compared + 1))
		ok 0 "$1: $(sites out/full.mm) chains and $(sites out/fold.mm): ${equal/yes/equal}"
	else
		ok 1 "$1: $(sites out/full.mm) chains and $(sites out/fold.mm)"
		diag "$(diff out/full out/fold | grep -v '[<>] often' | head -n 6 | cut -c1-200)"
	fi
}

fixed='setarch -R' there=0 compared=0
# The input of the programs; none of them lists the files in out/.
mkdir out
seq 1 3000 | awk '{ print $1 % 97, "line", $1, "of (a text) that is [sorted]" }' >text
awk 'BEGIN { for (i = 0; i < 300; i++)
	printf "{\"a\":[%d,{\"b\":[[%d]]}],\"c\":{\"d\":null}}\n", i, i % 7 }' >lines.json
awk 'BEGIN { print "<r>"; for (i = 0; i < 200; i++)
	print "<a x=\"" i "\"><b><c>t" i "</c></b></a>"; print "</r>" }' >tree.xml
cat >some.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct t { struct t *l, *r; int v; };
static struct t *put(struct t *t, int v)
{
	if (!t) { t = calloc(1, sizeof *t); t->v = v; return t; }
	if (v < t->v) t->l = put(t->l, v); else t->r = put(t->r, v);
	return t;
}
static int sum(const struct t *t)
{
	return t ? ((t->v * 3 + 1) ^ (t->v << 2)) + sum(t->l) + sum(t->r) : 0;
}
int main(int argc, char **argv)
{
	struct t *t = NULL;
	for (int i = 0; i < argc * 10; i++) t = put(t, rand() % 100);
	switch (sum(t) % 3) { case 0: puts(argv[0]); break;
	case 1: printf("%d\n", argc ? (int)strlen(argv[0]) : 0); break; }
	return 0;
}
END
cat >some.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <int N> struct F { static constexpr int v = F<N - 1>::v + F<N - 2>::v; };
template <> struct F<0> { static constexpr int v = 0; };
template <> struct F<1> { static constexpr int v = 1; };
int main()
{
	std::map<std::string, std::vector<int>> m;
	m["a"].push_back(F<20>::v);
	std::sort(m["a"].begin(), m["a"].end(), [](int a, int b) { return a > b; });
	return int(m.size());
}
END
cat >some.m4 <<'END'
define(`f', `ifelse(eval($1 < 2), 1, $1, `eval(f(decr($1)) + f(eval($1 - 2)))')')
f(9)
END
cat >some.bc <<'END'
define f(n) { if (n < 2) return n; return f(n-1) + f(n-2); }
f(12); scale=50; ((1+(2*(3+4)))^9)/7; sqrt(2)
END
cat >some.l <<'END'
%%
((a|b)*(c|d(e|f)+)?)+ ;
[0-9]+(\.[0-9]+)? ;
%%
END
cat >some.y <<'END'
%%
e: t | e "+" t; t: f | t "*" f; f: "n" | "(" e ")";
END
cat >some.tcl <<'END'
proc f {n} { if {$n < 2} { return $n }
	expr {[f [expr {$n-1}]] + [f [expr {$n-2}]]} }
puts [f 11]
END
cat >some.ms <<'END'
.de f
.if \\$1 .f \\$1-1
..
.f 9
text
END
gcc -c some.c -o some.o 2>/dev/null
gcc -S some.c -o some.s 2>/dev/null
cat >some.py <<'END'
import json
class N:
    def __init__(s, d): s.k = [N(d - 1), N(d - 2)] if d > 1 else []
    def f(s): return [x.f() for x in s.k]
t = N(9)
json.dumps(t.f())
for m in 'copy', 'json/decoder', 'textwrap', 'heapq':
    compile(open('%s/%s.py' % (json.__file__.rsplit('/', 2)[0], m)).read(), m, 'exec')
END
cat >some.proto <<'END'
syntax = "proto3";
package p;
message A { message B { message C { int32 x = 1; repeated C c = 2; } C c = 1; }
	B b = 1; map<string, A> m = 2; oneof o { string s = 3; bytes y = 4; } }
service S { rpc F(A) returns (A.B); }
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
function(f n)
	if(n GREATER 0)
		math(EXPR m "${n} - 1")
		foreach(i 1 2)
			f(${m})
		endforeach()
	endif()
endfunction()
f(5)
END
cat >rec.mk <<'END'
f = $(if $(word $(1),x x x x x x),$(call f,$(words $(wordlist 1,$(1),x x x x x x)) x)$(1))
g = $(foreach a,1 2 3,$(foreach b,4 5,$(foreach c,6 7,$(call h,$(a)$(b)$(c)))))
h = $(subst 1,$(patsubst %2,%3,$(1)),$(sort $(1) x y))
$(info $(call g))
all: $(addprefix t,$(call g)) ;
t%: ;
END

folds perl perl -e 'sub f { my $n = shift; return $n < 2 ? [$n] : [f($n - 1), f($n - 2)] }
	push @a, f($_) for 1 .. 12; "((((aab))))" =~ /(((a|b)*(c|d)?)+)+/; eval "1+" x 50 . "1"'
folds sed sed -E 's/((((a|b)*(c|(d|(e|f)*)+)?)+g)?(h|(i(j|k)*l)*)+){2,3}m/x/' text
folds grep grep -E '((((a|b)*(c|(d|(e|f)*)+)?)+g)?(h|(i(j|k)*l)*)+){2,3}m' text
folds jq jq '[.. | numbers] | map([., [.]]) | flatten' lines.json
folds sqlite3 sqlite3 :memory: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c
	WHERE x<50) SELECT (SELECT count(*) FROM (SELECT x*(1+(2*(3+x))) FROM c WHERE x IN
	(SELECT y FROM (SELECT x+1 AS y FROM c)))), max(x) FROM c;
	CREATE TABLE t(a,b); CREATE INDEX i ON t(b,a); EXPLAIN SELECT * FROM t a JOIN t b USING(a)
	WHERE a.b IN (SELECT max(b) FROM t GROUP BY a HAVING count(*)>(1+(2*(3))));'
folds gawk gawk 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) }
	{ a[$1][$3] = $0; gsub(/((a|b)+c?)*/, "&") } END { print f(12), length(a) }' text
folds mawk mawk 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } { a[$1] = a[$1] $3 }
	END { print f(12); for (i in a) n += length(a[i]); print n }' text
folds bash bash -c 'f() { if (($1 > 1)); then f $(($1 - 1)); f $(($1 - 2)); else x+=${1:+a}; fi; }
	f 9; case $x in (a*(b|c)) ;; (*) for i in {1..9}; do eval "((y += i * (1 + (2 * i))))"; done ;; esac'
folds bc bc -q some.bc
git init -q repo 2>/dev/null && (
	cd repo && mkdir -p a/b/c d/e && cp ../text a/b/c/x && cp ../some.c d/e/y &&
		git add . && git -c user.name=a -c user.email=a@b commit -qm one \
		--date='2020-01-01T00:00:00Z') >/dev/null 2>&1
folds git git --no-pager -C repo log -p --stat --format='%H %s'
folds git-diff git --no-pager diff --no-index --patience text some.c
cc1=$(gcc -print-prog-name=cc1) cc1plus=$(gcc -print-prog-name=cc1plus)
folds cc1 "$cc1" -quiet -O2 some.c -o made.s
folds cc1plus "$cc1plus" -quiet -fsyntax-only -D_GNU_SOURCE some.cc
folds as as some.s -o made.o
folds ld ld -r some.o -o made.o
folds nm nm -C -a "$MPREDUCE"
folds python3 python3 -S some.py
folds xmllint xmllint --xpath 'count(//a[b[c[contains(., "1")]]]/../a[@x > 3])' tree.xml
folds cmake cmake -P CMakeLists.txt
folds clang clang -fsyntax-only -Wall some.c
folds gdb gdb -nx -batch -ex 'print 1+(2*(3+(4*5)))' -ex 'info functions put' some.o
folds tar tar -cf made.tar repo/a repo/d
folds sort sort --parallel=1 -k2 -k1n text
folds make make -rR -f rec.mk all
folds protoc protoc --descriptor_set_out=made --include_source_info some.proto
folds m4 m4 some.m4
folds ctags ctags -f made.tags some.c some.cc
folds find find repo -name '*x' -o '(' -type d '!' '(' -name e -o -name d ')' ')'
folds diff diff -r -u repo/a repo/d
folds flex flex -o made.c some.l
folds bison bison -o made.c some.y
folds php php -n -r 'function f($n) { return $n < 2 ? [$n] : [f($n-1), f($n-2)]; }
	echo strlen(json_encode(f(9)));'
folds tclsh tclsh some.tcl
folds troff troff -ms some.ms
ok $((compared * 10 < there * 9)) "$compared of $there could be compared"
done_testing
