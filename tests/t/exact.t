#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Exact types: a program with a handmade section .debug_memmon, and data whose
# call paths pass through its calls; the results for sites, bins, types and
# fields.
. "${MEMMON_SRC:-.}/tests/tap.sh"
B=$MEMMON_BUILD/tests
case $CC in
*clang*) CXX=${CXX:-clang++} ;;
*) CXX=${CXX:-g++} ;;
esac

# ----------------------------------------------------------- the program --
# Each function has calls that return to NAME_1 and NAME_2.
cat >calls.s <<'EOF'
	.macro function name
	.globl \name, \name\()_1, \name\()_2
	.type \name, @function
\name:	nop
	nop
\name\()_1:	nop
	nop
\name\()_2:	nop
	.size \name, . - \name
	.endm
	.macro entry addr, size, kind, name
	.section .debug_memmon,"",@progbits
	.quad \addr
	.uleb128 \size
	.byte \kind
	.asciz "\name"
	.text
	.endm
	.text
	function main
	function node
	function list
	function wrap
	function xmalloc
	function plain
	function outer
	function two
	function doubt
	function boxes
	function ints
	.section .text.dead,"ax",@progbits
	function dead
	.text
	entry node_1, 24, 1, "struct node"
	entry list_1, 200, 1, "list_t"
	entry wrap_1, 0, 0, ""
	entry xmalloc_1, 0, 0, ""
	entry outer_1, 24, 1, "struct node"
	entry two_1, 24, 1, "struct node"
	entry two_2, 48, 1, "union either"
	entry doubt_1, 8, 1, "struct a"
	entry doubt_1, 8, 1, "struct b"
	entry doubt_2, 24, 1, "struct node"
	entry doubt_2, 24, 1, "struct node"
	entry boxes_1, 48, 1, "ns::box<int, 4u>"
	entry boxes_2, 16, 1, "ns::seq<int>"
	entry ints_1, 4, 1, "int"
	entry ints_2, 24, 7, "struct future"
	entry dead_1, 24, 1, "struct node"
	.section .note.GNU-stack,"",@progbits
EOF
cat >types.c <<'EOF'
struct point { int x, y; };
struct node { struct node *next; const char *name; char color[3]; };
typedef struct {
	struct { long count; union { int i; double d; }; } head;
	struct point points[20];
	unsigned low : 3, high : 13;
	int (*call)(void);
	struct point at;
} list_t;
union either { char text[48]; struct point p; };
struct node n; list_t l; union either e;
EOF
cat >boxes.cc <<'EOF'
namespace ns {
struct base { virtual ~base() {} long id; static int all; };
template <class T, unsigned N> struct box : base {
	T value; T *more[N - 1];
};
template <class T, class A = long> struct seq { T *first; A left; void f() {} };
}
ns::box<int, 4u> b; ns::seq<int> s;
EOF
as -o calls.o calls.s && $CC -g -c -o types.o types.c &&
	$CXX -g -fno-exceptions -c -o boxes.o boxes.cc &&
	$CXX -no-pie -Wl,--gc-sections,-u,n,--build-id -o prog calls.o types.o \
		boxes.o || diag "can't build the program"

# name_1 -> its address in the file
declare -A at
while read -r addr _ name; do
	at[$name]=0x$addr
done < <(nm prog | grep '_[12]$')
is "${#at[@]}" 22 "the program's calls are there, those left out not"

# -------------------------------------------------------------- the data --
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')
chain()
{
	local name=$1 call
	shift
	printf 'chain %s -:0x2' "$name"
	for call; do printf ' exe:%s' "${at[$call]}"; done
	echo
}

# used C SIZE N: site C with N blocks of one size, all with 2 reads and 1
# write each in the first granule, one after another.
used()
{
	local c=$1 size=$2 n=$3
	echo "alloc $c $size $n"
	echo "use $c blocks $n bytes $((size * n)) reads $((2 * n))" \
		"writes $n span $((8 * n)) cover $((8 * n))" \
		"span_used $((8 * n)) cover_used $((8 * n)) useful 0 life $n"
	echo "group $c 0 0:0:1:$n:$n"
	echo "field $c $size $n $((2 * n)):$n$(for ((i = 16; i < size; i += 16))
		do printf ' 0:0'; done)"
}
{
	echo "run length 1000000"
	echo "run way 1"
	echo "run step 300"
	echo "module exe $T/prog exe id $id"
	chain node main_1 node_1
	chain node2 main_2 node_1
	chain wrapped main_1 list_1 wrap_1 wrap_1
	chain skipped main_1 list_1 xmalloc_1
	chain nobody main_1 wrap_1
	chain hidden main_1 outer_1 plain_1
	chain two1 main_1 two_1
	chain two2 main_1 two_2
	chain doubt main_1 doubt_1
	chain sure main_1 doubt_2
	chain box main_1 boxes_1
	chain seq main_1 boxes_2
	chain ints main_1 ints_1
	chain future main_1 ints_2
	used node 24 10
	used node2 24 1
	used wrapped 200 2
	used skipped 400 1
	used nobody 77 1
	used hidden 24 1
	used two1 24 3
	used two2 48 4
	used doubt 8 5
	used sure 24 6
	used box 96 2
	used box 48 1
	used seq 16 3
	used ints 40 5
	used future 30 1
	used - 12 1
} >description
# A site with two sizes has one use and one group.
awk '/^use box/ { if (seen++) next
	$5 = 3; $7 = 240; gsub(/blocks 2/, "blocks 3")
	print "use box blocks 3 bytes 240 reads 6 writes 3 span 24 cover 24 " \
	      "span_used 24 cover_used 24 useful 0 life 3"; next }
	/^group box/ { if (again++) next; print "group box 0 0:0:1:3:3"; next }
	{ print }' description >fixed
"$B/monmake" <fixed >mon.out || diag "can't make the data"

# dump [PROGRAM [DATA...]]; clang's names made gcc's
dump()
{
	"$B/usedump" "${1:-prog}" "${2:-mon.out}" 2>warnings |
		sed 's/long int/long/g; s/_vptr\$/_vptr./; s/, 4U>/, 4>/g'
	return "${PIPESTATUS[0]}"
}

dump >out
is "$(cat warnings)" "" "nothing is amiss"
# Blocks, bytes and reads of each site; no block fits two sites.
is "$(sed -n 's/ w[0-9]* [01]\..*//; s/^site //p' out | sort)" \
"- ? 1/12 r2
boxes<main ? 6/288 r12
doubt<main ? 11/184 r22
ints<main ? 6/230 r12
list<main =list_t 200 1/400 r2
node<main =struct node 24 11/264 r22
plain<outer<main ? 1/24 r2
two<main ? 7/264 r14
wrap<main ? 1/77 r2
wrap<wrap<list<main =list_t 200 2/400 r4" \
	"sites: exact where all of their calls agree"
is "$(sed -n 's/ w[0-9]* [01]\..*//; s/^type //p' out)" \
"=list_t 200 3/800 0/0 3/800 r6
=struct node 24 20/480 0/0 20/480 r40
=ns::box<int, 4u> 48 3/240 0/0 3/240 r6
=int 4 5/200 0/0 5/200 r10
=union either 48 4/192 0/0 4/192 r8
=ns::seq<int> 16 3/48 0/0 3/48 r6
? 0 9/183 0/0 9/183 r18" "types: by call, also where a site has several"
is "$(sed -n 's/^bin //p' out)" \
"8 ?point
12
16 =ns::seq<int>
24 =struct node ?point[3]
30
40 =int[10]
48 =union either =ns::box<int, 4u>
77
96 =ns::box<int, 4u>[2]
200 =list_t
400 =list_t[2]" "bins: guesses only where a type isn't known"
is "$(grep -c '^sums' out)" 0 "sums over sites, functions and types agree"
is "$(tail -n 1 out)" 'known 1 way 1 step 300 tau 1000 why "" sites 10' \
	"what is said of the run"

# --------------------------------------------------------------- fields --
# fields LINE: that line and the members below it
fields()
{
	sed -n "/^fields $1/,/^[^ ]/p" out | sed '2,${/^[^ ]/d}'
}
is "$(fields '- list_t 200 of 200' | sed 's/:.*0\/0$//')" \
"fields - list_t 200 of 200 x2
  0+16 head: struct {...}
    0+8 count: long
    8+8 -: union {...}
      8+4 i: int
      8+8 d: double
  16+160 points: struct point[20]
  176+1 low: unsigned int
  176+2 high: unsigned int
  184+8 call: int (*)()
  192+8 at: struct point
    192+4 x: int
    196+4 y: int" "C: nested, unnamed, arrays, bit-fields"
is "$(fields '- ns::box')" \
"fields - ns::box<int, 4u> 48 of 48 x5: 6/3 0/0 0/0
  0+16 base: base
    0+8 _vptr.base: int (**)()
    8+8 id: long
  16+4 value: int
  24+24 more: int *[3]" "C++: a base, no static members; elements of arrays"
is "$(fields '- ns::seq')" \
"fields - ns::seq<int> 16 of 16 x3: 6/3
  0+8 first: int *
  8+8 left: long" "C++: an argument left out"
is "$(fields '- struct node')" \
"fields - struct node 24 of 24 x20: 40/20 0/0
  0+8 next: struct node *
  8+8 name: const char *
  16+3 color: char[3]" "of four sites together"
is "$(fields 'boxes<main ns::box<int, 4u> 48 of 96' | head -n 1)" \
	"fields boxes<main ns::box<int, 4u> 48 of 96 x2: 4/2 0/0 0/0 0/0 0/0 0/0" \
	"a site's blocks as they are"
is "$(fields 'ints<main ')" "fields ints<main int 4 of 40 x5: 10/5 0/0 0/0" \
	"no members"
is "$(fields 'ints<main ?')" "fields ints<main ? 0 of 30 x1: 2/1 0/0" "no type"
is "$(grep -c '^fields' out)" 22 "one for each site and size, and type"

# ------------------------------------------ where the section is, and how --
dwarf()
{
	local v
	for v in 2 3 4 5; do
		$CC -g -gdwarf-$v -gstrict-dwarf -c -o types-$v.o types.c &&
			$CXX -no-pie -Wl,--gc-sections,-u,n,--build-id \
				-o prog-$v calls.o types-$v.o boxes.o
		sed "s|^module.*|module exe $T/prog-$v exe|" fixed |
			"$B/monmake" >mon-$v.out
		dump prog-$v mon-$v.out >out-$v
		cmp -s out out-$v
		ok $? "DWARF $v" || diag "$(diff out out-$v)"
	done
}
dwarf

# same NAME: the output is still the same.
same()
{
	dump >again
	cmp -s out again
	ok $? "$1" || diag "$(diff out again; cat warnings)"
}
cp prog whole
objcopy --only-keep-debug prog prog.debug
strip prog
objcopy --add-gnu-debuglink=prog.debug prog
is "$(readelf -SW prog | grep -c debug_memmon)" 0 "stripped"
same "in a separate debug file"
strip --strip-debug -o prog whole
objcopy --only-keep-debug whole prog.debug
objcopy --strip-debug --keep-section=.debug_memmon whole prog.debug
objcopy --only-keep-debug prog.debug
objcopy --add-gnu-debuglink=prog.debug prog
dump >again
is "$(grep '^site' again)" "$(grep '^site' out)" "nothing else in that file"
for how in zlib zlib-gnu; do
	objcopy --compress-debug-sections=$how whole prog
	same "compressed: $how"
done
"$B/usedump" -n whole mon.out >again 2>warnings
is "$(grep '^bin' again)" "$(sed -n '/^bin/{s/ ?.*//;p}' out)" \
	"without a look for guesses"

# -------------------------------------------------------- what isn't right --
objcopy -O binary --only-section=.debug_memmon \
	--set-section-flags .debug_memmon=alloc,contents whole section
size=$(stat -c %s section)
ok "$((size < 100))" "the section is $size bytes"
# of PROGRAM: how many sites have a type
typed()
{
	dump "$1" >again || echo failed
	grep -c '^site.* =' again
}
bad=
for ((n = 0; n < size; n += 5)); do
	head -c "$n" section >part
	objcopy --update-section .debug_memmon=part whole prog || bad+=" $n"
	t=$(typed prog)
	[[ $t == [0-3] ]] || bad+=" $n:$t"
done
is "$bad" "" "cut anywhere"
head -c $((size - 1)) section >part
objcopy --update-section .debug_memmon=part whole prog
is "$(typed prog)" 0 "a section that isn't whole isn't taken"
for seed in 1 2 3 4 5 6 7 8; do
	perl -e 'srand shift; print pack "C*", map { int rand 256 } 1 .. 4000' \
		$seed >part
	objcopy --update-section .debug_memmon=part whole prog
	is "$(typed prog)" 0 "noise $seed"
done
head -c 64 /dev/zero >part
objcopy --update-section .debug_memmon=part whole prog
is "$(typed prog)" 0 "zeros"
printf 'int main(void) { return 0; }\n' >other.c
$CC -g -Wl,--build-id -o prog other.c
is "$(typed prog)" 0 "another program"

# -------------------------------------------- without recorded accesses --
cp whole prog
grep -vE '^(use|group|field|run way|run step)' fixed | "$B/monmake" >mon.out
dump >again
is "$(sed -n 's/ -$//; s/^site //p' again)" "$(sed -n \
	's/ [0-9]*\/[0-9]* r.*//; s/^site //p' out)" "types are known all the same"
is "$(grep '^type' again)" "$(sed -n '/^type/s/ [0-9]*\/[0-9]* r.*/ -/p' out)" \
	"and what was allocated of them"

# The bytes of one type, by --only=type.
left()
{
	"$MEMMON_BUILD/mpreduce" -T -b "$@" prog mon.out 2>warnings |
		sed -n 's/^ *keeps \([0-9]*\) of .* bytes .*/\1/p'
}
# 11 blocks of 24 at node, and those of two1 and sure, whose functions have
# other blocks, too.
is "$(left --only=type:node)" $((11 * 24 + 3 * 24 + 6 * 24)) "--type, without struct"
is "$(left --only=type:'struct node')" "$(left --only=type:node)" "and with it"
like "$(cat warnings)" '--only=type: [0-9]+ of [0-9]+ bytes have an unknown type' \
	"what isn't known"
is "$(left --only=type:list_t --only=type:'n[o]de')" "$(($(left --only=type:node) +
	$(left --only=type:list_t)))" "two of them"
is "$(left --only=type:'ns::seq')" "$(left --only=type:'ns::seq<int>')" \
	"template arguments may be left out"
is "$(left --only=type:nothing)" 0 "none"
like "$(cat warnings)" '--only=type:nothing: no block has such a type' \
	"which is said"
is "$(left --only=type:node --focus=list)" 0 "and by function"
is "$("$MEMMON_BUILD/mpreduce" -T -b --verbose --only=type:node prog mon.out \
	2>/dev/null | grep -c ' =')" 1 "no other type is in the table"
# One block of 24 (node2) is sure; 40 and 200 are the least and largest of their
# class, so all blocks of a site with that mean belong to it; 400 is one.  Blocks
# of 16, 48 and 96 are of sites whose types are sure: nothing to guess.
is "$(sed -n 's/^bin //p' again)" \
"8 ?point
12
16
24 =struct node ?point[3]
30
40 =int[10]
48
77
96
200 =list_t
400 =list_t[2]" "bins: only where the counts leave no choice"
is "$(tail -n 1 again)" 'known 0 way 0 step 0 tau 0 why "" sites 0' \
	"nothing is known of accesses"
{
	grep -vE '^(use|group|field|run way|run step)' fixed
	echo 'run way 0'
	echo 'run why no\sroom'
} | "$B/monmake" >mon.out
is "$(dump | tail -n 1)" 'known 0 way 0 step 0 tau 0 why "no room" sites 0' \
	"and why"
done_testing
