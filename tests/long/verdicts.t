#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Other people's programs, and our own.  The totals of each equal those of an
# independent count in the same run (tests/prog/liboracle.c).  The blocks and
# bytes that a leak check calls lost or indirect are those that valgrind's
# memcheck and the leak sanitizer call lost, or the difference follows a rule
# below that is checked.  The figures of how blocks were used don't contradict
# valgrind's dhat, which sees the accesses of all code, in programs compiled
# without memmon (tests/dhat.pl).
#
# VERDICTS=FILE selects other programs: lines "NAME COMMAND", for the shell.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
export PERL_HASH_SEED=0 PYTHONHASHSEED=0 PYTHONMALLOC=malloc LC_ALL=C.UTF-8
export HOME=$T GIT_CONFIG_NOSYSTEM=1
unset MEMMON_LEAKCHECK

lsan=$("$CC" -print-file-name=liblsan.so)
lsan=$(readlink -f "$lsan")
compared=0 totalled=0 sanitized=0

# oracle NAME COMMAND...: allocations, bytes, frees, bytes freed: the same.
# (The peak has an error when there are threads; t/oracle.t compares it.)
oracle()
{
	local name=$1 f o all=0 got='' want=''
	shift
	rm -rf data && mkdir data
	ORACLE_OUT=$T/data/o LD_PRELOAD=$PROG/liboracle.so \
		"$MEMMON" -o "$T/data/m.%p" "$@" >out 2>err </dev/null
	for f in data/m.*[0-9]; do
		o=data/o.${f#data/m.}
		[ -f "$o" ] || continue
		all=$((all + 1))
		want=$(awk '{ print $1, $2, $3, $4 }' "$o")
		got=$(totals "$f")
		[ "$got" = "$want" ] || break
	done
	is "$got" "$want" "$name: totals of $all processes"
	[ -n "$want" ] && totalled=$((totalled + 1))
}

# by_memmon COMMAND...: "blocks bytes" that are lost or indirect.
by_memmon()
{
	rm -f m.out*
	"$MEMMON" -l -o m.out "$@" >out 2>err </dev/null
	perl "$MEMMON_SRC/tests/leaks.pl" m.out "$(command -v "$1")" 2>err |
		awk '$2 == "lost" || $2 == "indirect" { n += $3; b += $4 }
			/^(checked|why|blind)/ { said = said $0 }
			END { print n + 0, b + 0, said == "checked" ? "" : said }' |
		sed 's/ $//'
}

# by_memcheck COMMAND...: the same, from memcheck.
by_memcheck()
{
	rm -f v.out
	valgrind --leak-check=full --leak-check-heuristics=none \
		--child-silent-after-fork=yes --log-file=v.out "$@" >out 2>&1 </dev/null
	tr -d , <v.out | awk '/(definitely|indirectly) lost: / {
			b += $(NF - 4); n += $(NF - 1); said = 1 }
		/All heap blocks were freed/ { said = 1 }
		END { if (said) print n + 0, b + 0; else print "failed" }'
}

# by_lsan COMMAND...: the same, from the leak sanitizer; "failed" if it can't
# run the command.
by_lsan()
{
	rm -f l.out*
	LSAN_OPTIONS=exitcode=99:log_path=$T/l.out:allocator_may_return_null=1 \
		LD_PRELOAD=$lsan "$@" >out 2>&1 </dev/null
	case $? in
	99) cat l.out.* | sed -n 's/.*SUMMARY.* \([0-9]*\) byte(s) leaked in \([0-9]*\) .*/\2 \1/p' |
		grep . || echo failed ;;
	13[0-9]) echo failed ;;
	*) echo 0 0 ;;
	esac
}

# The known reasons why another tool reports something else, by program and by
# tool.  Each is checked: a difference without such a reason fails.
#   memory that the program mapped, or got by sbrk(), holds pointers: the leak
#     sanitizer doesn't look there, memcheck does, and agrees with us
#   a block of 0 bytes is one of 1 to the leak sanitizer
#   pointers to a block don't count for memcheck when the program has protected
#     its page against being read: its size is 4096
rule()
{
	case $1.$2 in
	cc1.lsan | sbrk.lsan) echo mapped ;;
	several.lsan | sizes.lsan) echo zero ;;
	shapes.memcheck) echo protected ;;
	esac
}

# explained RULE OURS THEIRS MEMCHECK
explained()
{
	local n=${2% *} b=${2#* } tn=${3% *} tb=${3#* }
	case $1 in
	mapped) [ "$4" = "$2" ] && [ "$tn" -gt "$n" ] && [ "$tb" -gt "$b" ] ;;
	zero) [ "$tn" = "$n" ] && [ $((tb - b)) -eq 1 ] ;;
	protected) [ $((tn - n)) -eq 1 ] && [ $((tb - b)) -eq 4096 ] ;;
	*) false ;;
	esac
}

# same NAME TOOL OURS THEIRS MEMCHECK
same()
{
	local why
	why=$(rule "$1" "$2")
	if [ "$4" = failed ]; then
		skip 1 "$1: $2 can't run it"
		return
	fi
	compared=$((compared + 1))
	if [ "$3" != "$4" ] && [ -n "$why" ]; then
		explained "$why" "$3" "$4" "$5"
		ok $? "$1: $3, $2 says $4: $why"
	else
		is "$3" "$4" "$1: lost blocks and bytes as $2 says"
	fi
}

# verdict NAME COMMAND...
verdict()
{
	local name=$1 ours memcheck=none theirs
	shift
	if ! command -v "$1" >/dev/null; then
		skip 3 "$name: no $1"
		return
	fi
	oracle "$name" "$@"
	ours=$(by_memmon "$@")
	if command -v valgrind >/dev/null; then
		memcheck=$(by_memcheck "$@")
		same "$name" memcheck "$ours" "$memcheck" ''
	fi
	if [ -f "$lsan" ]; then
		theirs=$(by_lsan "$@")
		[ "$theirs" = failed ] || sanitized=$((sanitized + 1))
		same "$name" lsan "$ours" "$theirs" "$memcheck"
	fi
}

if [ -n "${VERDICTS:-}" ]; then
	while read -r name command; do
		[ -n "$command" ] && eval "verdict $name $command"
	done <"$VERDICTS"
	done_testing
	exit
fi

seq 1 300 >n.txt
seq 1 60000 >big.txt
printf '[' >j.json
for i in $(seq 100); do
	printf '{"n":%d,"g":"%s","l":[1,2,%d]},' "$i" "$((i % 7))" "$i" >>j.json
done
echo '{}]' >>j.json
{
	echo '<all>'
	for i in $(seq 100); do echo "<item n='$i'><b>text $i</b></item>"; done
	echo '</all>'
} >x.xml
printf 'all: a b\na:\n\techo a\nb: a\n\techo $(words 1 2 3)\n' >mk
printf '.globl f\nf: mov $1, %%eax\nret\n' >f.s
echo 'int f(int x) { int s = 0; for (int i = 0; i < x; i++) s += i; return s; }' \
	>f.c
git init -q repo && cp j.json x.xml repo && git -C repo add . &&
	git -C repo -c user.name=a -c user.email=a@b commit -q -m one
python=/usr/bin/python3
cc1=$("$CC" -print-prog-name=cc1)

verdict jq jq -c 'group_by(.g) | map(length)' j.json
verdict gawk gawk '{ s += $1; a[$1 % 7] = a[$1 % 7] $1 } END { print s, length(a) }' n.txt
verdict mawk mawk '{ s += $1; a[$1 % 7] = a[$1 % 7] $1 } END { print s }' n.txt
verdict perl perl -e 'my %h; $h{$_ % 71} .= $_ x 3 for 1 .. 200;
	print join(",", map { length $h{$_} } sort keys %h), "\n"'
verdict git git -C repo log --stat
verdict git-grep git -C repo grep -c item
verdict sqlite3 sqlite3 :memory: 'create table t(a integer primary key, b text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)
insert into t select i, hex(i * 7919) from n; select count(*), max(b) from t;'
verdict xmllint xmllint --format x.xml
verdict xsltproc xsltproc --version
verdict ls ls -l /usr/share
verdict file file /bin/ls x.xml j.json
verdict bzip2 bzip2 -c n.txt
verdict xz xz -c n.txt
verdict xz-threads xz -T2 --block-size=100000 -c big.txt
verdict zstd zstd -T2 -c n.txt
verdict sort sort -R n.txt
verdict sort-threads sort --parallel=2 -S 2M big.txt
verdict lua5.4 lua5.4 -e 't = {} for i = 1, 1000 do t[i] = i .. "" end print(#t)'
verdict python "$python" -c 'import json, re
print(len(json.dumps(re.findall("[0-9]+", open("n.txt").read()))))'
verdict python-threads "$python" -c 'import threading
r = []
t = [threading.Thread(target=lambda: r.append("x" * 99)) for i in range(20)]
[x.start() for x in t]; [x.join() for x in t]; print(len(r))'
verdict sed sed -n 's/1/x/gp' n.txt
verdict make make -n -f mk
verdict bash bash --norc -c 'f() { local x=$1; echo $((x * 2)); }
for i in 1 2 3; do f $i; done; a=(1 2 3); echo ${a[@]/1/x}'
verdict curl curl -s "file://$T/x.xml"
verdict tar tar cf /dev/null n.txt x.xml
verdict diff diff n.txt x.xml
verdict find find /etc -maxdepth 1 -name 'p*'
verdict as as -o f.o f.s
verdict cc1 "$cc1" -quiet -o /dev/null f.c
verdict z3 z3 -version

# Our own programs, which lose more; without those with pools, which only memmon
# knows.
for p in widgets phases family recurse temps sizes quiet typedxx shapes lives \
	paths relay; do
	verdict $p "$PROG/$p"
done
for s in several tree self dropped thousand reused sbrk; do
	verdict $s "$PROG/leakshapes" $s
done
# source_of PACKAGE: of Debian's, in the directory of that name.
source_of()
{
	apt-get source -qq --download-only "$1" >said 2>&1 &&
		dpkg-source --no-check -x "$1"_*.dsc "$1" >>said 2>&1
}

# used NAME OPTION... SOURCE... [-- ARGUMENT...]: compiled with optimization,
# both ways, run once by each.
used()
{
	local name=$1 cc=cc plain=gcc files=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		files+=("$1")
		[[ $1 != *.c[cp]* ]] || cc=c++ plain=g++
		shift
	done
	[ "${1:-}" != -- ] || shift
	mkdir -p plain ours
	if ! "$plain" "${used[@]}" -o plain/used "${files[@]}" >said 2>&1 ||
		! MEMMON_CC=gcc MEMMON_CXX=g++ "$MEMMON_BUILD/memmon-$cc" \
			"${used[@]}" -o ours/used "${files[@]}" >>said 2>&1; then
		ok 1 "$name: compiled"
		diag "$(head -n 5 said)"
		return
	fi
	(cd plain && valgrind --tool=dhat --num-callers=500 \
		--dhat-out-file=../used.dhat ./used "$@") >plain.out 2>said </dev/null
	(cd ours && MEMMON_OUT=../used.mon ./used "$@") >ours.out 2>&1 </dev/null
	"$MPREDUCE" --json --paths=offsets ours/used used.mon 2>said |
		"$MEMMON_SRC/tests/dhat.pl" used.dhat >differ
	ok "${PIPESTATUS[1]}" "$name: $(tail -n 1 differ)" || diag "$(cat differ said)"
	seen=$((seen + $(sed -n 's/.*[ (]\([0-9]*\) blocks;.*/\1/p' differ)))
	told=$((told + $(sed -n 's/.* \([0-9]*\) with verdicts.*/\1/p' differ)))
}

# Frames as in the source, so that the test can match sites.
used=(-I"$MEMMON_SRC" -w -g -O2 -fno-optimize-sibling-calls)
seen=0 told=0
if valgrind --tool=dhat true >/dev/null 2>&1 && perl -MJSON::PP -e 1; then
	for p in widgets family temps lives relay events; do
		used $p "$MEMMON_SRC/tests/prog/$p.c" -pthread
	done
	used shapes "$MEMMON_SRC/tests/prog/shapes.cc"
	for p in flags usage top growing program blocks; do
		used ex_$p -I"$MEMMON_SRC" "$MEMMON_SRC/tests/access/ex_$p.c" \
			"$MEMMON_SRC/tests/access/ticks.c"
	done
	# The test would find a false verdict: an invented dhat file says that
	# all was read.
	used kept "$MEMMON_SRC/tests/access/ex_flags.c" -I"$MEMMON_SRC" \
		"$MEMMON_SRC/tests/access/ticks.c"
	sed -E 's/"(rb|wb)":0/"\1":77/g' used.dhat >forged.dhat
	"$MPREDUCE" --json --paths=offsets ours/used used.mon 2>/dev/null |
		"$MEMMON_SRC/tests/dhat.pl" forged.dhat >differ
	is "${PIPESTATUS[1]}" 1 "a forged dhat: $(tail -n 1 differ)"
	if source_of bzip2; then
		used bzip2 bzip2/{blocksort,huffman,crctable,randtable,compress}.c \
			bzip2/{decompress,bzlib,bzip2}.c -- -1c "$T/big.txt"
	else
		skip 1 'no source of bzip2'
	fi
	if source_of lua5.4; then
		rm -f lua5.4/src/luac.c
		echo '#define DEB_HOST_MULTIARCH "here"' \
			>lua5.4/src/lua5.4-deb-multiarch.h
		cat >script.lua <<-'L'
		local t = {}
		for i = 1, 3000 do t[i] = { k = "v" .. i % 71, i } end
		table.sort(t, function(a, b) return a.k < b.k end)
		local f = coroutine.wrap(function() for i = 1, 99 do coroutine.yield({ i }) end end)
		for i = 1, 99 do t[i].f = f() end
		print(#t, t[1].k, string.format("%5.2f", #table.concat({ "a", "b" })))
		L
		used lua5.4 -ULUA_USE_DLOPEN '-Dluai_makeseed(L)=((void)(L),7u)' \
			lua5.4/src/*.c -lm -- "$T/script.lua"
	else
		skip 1 'no source of lua5.4'
	fi
	diag "dhat: $seen blocks compared, $told sites with verdicts"
	ok $((seen < 1000 || told < 5)) 'blocks and verdicts compared with those of dhat'
else
	skip 1 'no dhat, or no JSON::PP'
fi

diag "totals of $totalled programs; $compared comparisons of leaks," \
	"the leak sanitizer ran $sanitized"
ok $((totalled < 15)) 'at least fifteen programs'
done_testing
