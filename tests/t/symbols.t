#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Names, lines and inlined frames: programs compiled here, looked up with
# symdump, compared with addr2line and with the known answers.
. "${MEMMON_SRC:-.}/tests/tap.sh"
D=$MEMMON_BUILD/tests/symdump
case $CC in
*clang*) CXX=${CXX:-clang++} clang=1 ;;
*) CXX=${CXX:-g++} clang= ;;
esac
for tool in addr2line objdump objcopy nm readelf; do
	command -v $tool >/dev/null || skip_all "no $tool"
done

# addresses FILE: the addresses after its calls.
addresses()
{
	objdump -d --no-show-raw-insn "$1" | awk '
		/^ *[0-9a-f]+:/ { if (after) print substr($1, 1, length($1) - 1)
				  after = $2 ~ /^call/ }'
}

# after FILE FUNCTION [N]: the address after the N-th call in the function.
after()
{
	objdump -d --no-show-raw-insn "$1" | awk -v f="<$2>:" -v n="${3:-1}" '
		/^[0-9a-f]+ </ { in_f = $2 == f; next }
		in_f && after && !--n { print substr($1, 1, length($1) - 1) }
		/^ *[0-9a-f]+:/ { after = in_f && $2 ~ /^call/ }'
}

address() { nm "$1" | awk -v f="$2" '$3 == f { sub(/^0+/, "", $1)
	print "0x" $1; exit }'; }
names() { "$D" "$@" | sed -n 's/^[+ ][? ] \([^\t]*\)\t.*/\1/p'; }
field() { local n=$1; shift; "$D" "$@" | grep -v ^0x | cut -f "$n"; }
entries() { field 3 "$@"; }
lines() { field 2 "$@"; }

# ---------------------------------------------------------------- stubs --

# Stubs that call other libraries have no symbol: libbfd names them by
# relocations.
cat >stubs.c <<'EOF1'
#include <stdio.h>
#include <stdlib.h>
int main(void) { void *p = malloc(3); puts(p ? "a" : "b"); free(p); return 0; }
EOF1
for how in -fcf-protection=none -fcf-protection=full -s; do
	if ! $CC -O2 $how -o stubs stubs.c 2>log; then
		skip 1 "$how: can't be linked"
		continue
	fi
	objdump -d stubs | sed -n 's/^\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p' |
		while read -r at name; do
			printf '%x %s\n' $((0x$at + 7)) "$name"
		done >stubs.want
	cut -d ' ' -f 1 stubs.want | names stubs >stubs.got
	is "$(cat stubs.got)" "$(cut -d ' ' -f 2 stubs.want)" "stubs: $how"
done
is "$(grep -c '^malloc@plt$' stubs.got)" 1 "stubs: malloc@plt"
is "$(cut -d ' ' -f 1 stubs.want | head -n 1 | entries stubs)" \
	"$(printf '0x%x' $((0x$(head -n 1 stubs.want | cut -d ' ' -f 1) - 7)))" \
	"stubs: where they start"

# ------------------------------------------------------------ addr2line --

cat >many.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
struct list { struct list *next; int n; };
static inline __attribute__((always_inline)) void *get(size_t n)
{
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}
static __attribute__((noinline)) struct list *push(struct list *l, int n)
{
	struct list *e = get(sizeof *e);
	e->next = l;
	e->n = n;
	return e;
}
static struct list *twice(struct list *l, int n)
{
	return push(push(l, n), n + 1);
}
static int sum(struct list *l)
{
	return l ? l->n + sum(l->next) : 0;
}
int main(int argc, char **argv)
{
	struct list *l = NULL;
	char *text = get(argc + 20);
	int i;
	for (i = 0; i < argc + 3; i++)
		l = twice(l, i);
	snprintf(text, argc + 20, "%d %s", sum(l), argv[0]);
	puts(text);
	return 0;
}
EOF
cat >many.cc <<'EOF'
#include <map>
#include <memory>
#include <string>
#include <vector>
namespace zoo {
struct animal {
	std::string name;
	animal(const char *n) : name(n) {}
	virtual ~animal() {}
	virtual animal *copy() const { return new animal(*this); }
};
template <class T> struct cage {
	std::vector<std::unique_ptr<T>> v;
	void add(const char *n) { v.emplace_back(new T(n)); }
	~cage() { v.clear(); }
};
}
int main(int argc, char **argv)
{
	zoo::cage<zoo::animal> c;
	std::map<std::string, int> m;
	for (int i = 0; i < argc + 4; i++)
		c.add(argv[0]);
	m[argv[0]] = argc;
	std::unique_ptr<zoo::animal> p(c.v[0]->copy());
	return m.size() == p->name.size();
}
EOF

# One line for each address: the lines of all frames, and the name of the last;
# the name only if a line is known, without the suffixes of compilers.
shorten='{ gsub(/ \[clone [^]]*\]|\.(cold|part|constprop|isra)[.0-9]*/, "", name)
	   if (lines ~ /:[1-9]/) print at, lines, name; else print at }'
ours()
{
	"$D" "$1" <"$2" | awk -F '\t' "
		function flush() $shorten"'
		/^0x/ { if (at) flush(); at = $0; lines = ""; next }
		{ name = substr($1, 4); lines = lines " " $2 }
		END { flush() }'
}
theirs()
{
	awk '{ print "0x" $1 }' "$2" >"$2.0"
	while read -r a; do
		printf '%x\n' $((a - 1))
	done <"$2.0" | addr2line -a -i -f -C -e "$1" | awk "
		function flush() $shorten"'
		function hex(s,  i, n) {
			for (i = 3; i <= length(s); i++)
				n = n * 16 + index("0123456789abcdef",
						   substr(s, i, 1)) - 1
			return sprintf("0x%x", n + 1) }
		/^0x[0-9a-f]*$/ { if (at) flush()
			at = hex($0); lines = ""; odd = 0; next }
		odd++ % 2 == 0 { name = $0; next }
		{ sub(/ \(discriminator.*/, ""); sub(/^\?\?/, "")
		  sub(/:\?$/, ":0"); lines = lines " " $0 }
		END { flush() }'
}

# compare NAME COMPILER FLAGS...: the same as addr2line, for all calls.
compare()
{
	local name=$1
	shift
	if ! "$@" -o victim 2>log; then
		skip 1 "$name: can't be linked"
		return
	fi
	addresses victim >all
	# A static program has thousands.
	awk 'NR <= 500 || NR % 20 == 0' all >at
	ours victim at >got
	theirs victim at >want
	[ -s got ] && is_file got want "$name: $(wc -l <at) addresses"
}

while read -r opt; do
	# libbfd 2.40 doesn't find the inlined frames in clang's DWARF 5, and
	# takes the wrong files.
	case $clang$opt in 1*dwarf-5*) continue ;; esac
	# shellcheck disable=SC2086
	compare "C $opt" "$CC" $opt "$T/many.c"
	command -v "$CXX" >/dev/null || continue
	# addr2line takes parts that were inlined back for calls.
	[ "$clang" ] || opt="$opt -fno-partial-inlining"
	# shellcheck disable=SC2086
	compare "C++ $opt" "$CXX" $opt "$T/many.cc"
done < <(some <<'EOF'
-O0 -gdwarf-4
+ -O0 -gdwarf-5
+ -O2 -gdwarf-4
-O2 -gdwarf-5
+ -O2 -gdwarf-4 -no-pie
-O1 -gdwarf-4 -static
-O2 -gdwarf-4 -ffunction-sections -Wl,--gc-sections
EOF
)

# -------------------------------------------------------- what is known --

# Functions in assembler, one call each: symbols of all sorts.
{
	echo '	.text
	.macro fun name
	.type \name, @function
\name:	call malloc@plt
	nop
	.size \name, . - \name
	.endm
	.globl strong, both, _both, main, old, new
	.weak weak, __thing, thing
	.set weak, strong
	fun strong
	.set thing, __thing
	fun __thing
	.set both, _both
	fun _both
	.set zz, aa
	.set bbb, aa
	.set _a, aa
	fun aa
	fun f
	fun f.cold
	fun _both.cold
	fun f.part.0
	fun f.constprop.0.isra.0.cold
	fun alone.constprop.0
	fun alone.constprop.0.cold
	fun moved.lto_priv.0
	fun moved.lto_priv.0.cold
	fun moved
	fun local.0
	fun old_1
	fun new_1
	.symver old_1, old@V1
	.symver new_1, new@@V2
	.globl sized
	fun sized
hidden:	.size hidden, 0
	call malloc@plt
	nop
	.type bare, @function
bare:	call malloc@plt
	nop
	.type main, @function
main:	call malloc@plt
	ret
	.size main, . - main
	call malloc@plt
	nop
	.section .note.GNU-stack,"",@progbits'
} >sorts.s
echo 'V1 { global: old; }; V2 { global: new; strong; weak; thing; __thing; sized;
	local: *; };' >sorts.map
$CC -shared -o libsorts.so sorts.s -Wl,--version-script=sorts.map 2>log ||
	diag "$(cat log)"
addresses libsorts.so >all
sort_of()
{
	# The N-th function of the list above.
	awk -v n="$1" -v start="$(address libsorts.so strong)" '
		function value(s,  i, n) {
			for (i = 1; i <= length(s); i++)
				n = n * 16 + index("0123456789abcdef",
						   substr(s, i, 1)) - 1
			return n }
		value($1) > value(substr(start, 3)) && !--n { print $1 }' all
}
n=0
while read -r name want; do
	n=$((n + 1))
	is "$(names libsorts.so "$(sort_of $n)")" "${want:-$name}" \
		"symbols: $name"
done <<'EOF'
strong
__thing thing
_both both
aa
f
f.cold f
_both.cold both
f.part.0 f
f.constprop.0.isra.0.cold f
alone.constprop.0 alone
alone.constprop.0.cold alone
moved.lto_priv.0 moved
moved.lto_priv.0.cold moved
moved
local.0
old_1 old
new_1 new
sized
hidden
bare
main
EOF
e() { entries libsorts.so "$(sort_of "$1")"; }
is "$(e 5)" "$(address libsorts.so f)" "the entry of f"
is "$(e 6) $(e 8) $(e 9)" "$(e 5) $(e 5) $(e 5)" "clones count as f"
is "$(e 11)" "$(e 10)" "a part of a clone counts as the clone"
is "$(e 13)" "$(e 12)" "a part of a renamed function counts as that one"
[ "$(e 12)" != "$(e 14)" ]
ok $? "a renamed function isn't its namesake"
is "$(names libsorts.so "$(sort_of 22)")" "[libsorts.so+0x$(sort_of 22)]" \
	"behind the end of main"

# Only dynamic symbols: a local function doesn't get its neighbour's name.
objcopy --strip-all libsorts.so stripped.so
is "$(names stripped.so "$(sort_of 18)")" sized "stripped: exported function"
is "$(names stripped.so "$(sort_of 19)")" "[stripped.so+0x$(sort_of 19)]" \
	"stripped: local function behind it"
is "$(names stripped.so "$(sort_of 5)")" "[stripped.so+0x$(sort_of 5)]" \
	"stripped: local function further on"
like "$("$D" -p stripped.so 1000 | tail -n 1)" '^problem: stripped: .*;' \
	"stripped: says so"

# The same name in two files.
cat >one.c <<'EOF'
#include <stdlib.h>
static __attribute__((noinline)) void *make(void) { return malloc(1); }
void *one(void) { return (char *)make() + 1; }
EOF
sed 's/one/two/; s/malloc(1)/malloc(2)/' one.c >two.c
echo 'void *one(void), *two(void); int main() { return one() == two(); }' >m.c
$CC -O1 -g -o twins m.c one.c two.c
addresses twins >all
# shellcheck disable=SC2046
"$D" twins $(cat all) | awk -F '\t' '$1 ~ / make$/ { print $3, $4 }' |
	sort -u >makes
is "$(wc -l <makes)" 2 "two static functions of one name"
is "$(cut -d ' ' -f 1 makes | sort -u | wc -l)" 2 "with entries of their own"
is "$(sed 's/.*\///' makes | sort)" "$(printf 'one.c:2\ntwo.c:2')" \
	"and places of definition"

# Clones of two functions of one name, without and with debug information.
cat >x.s <<'EOF'
	.file "x.c"
	.text
	.macro fun name
	.type \name, @function
\name:	call malloc@plt
	nop
	.size \name, . - \name
	.endm
	fun helper.constprop.0.isra.0
	fun twice.constprop.0
	fun same
	fun same.part.0
	fun hid.cold
	.section .note.GNU-stack,"",@progbits
EOF
sed 's/x\.c/y.c/; /	fun /d' x.s >y.s
sed -i '/endm/a\	.globl hid\n	.hidden hid\n	fun helper.constprop.0\
	fun twice\n	fun same\n	fun hid' y.s
$CC -shared -o libxy.so x.s y.s 2>log || diag "$(cat log)"
while read -r name whole; do
	is "$(entries libxy.so "$(after libxy.so "$name")")" \
		"$(address libxy.so "$whole")" "two files: $name is of $whole"
done <<'EOF'
helper.constprop.0.isra.0 helper.constprop.0.isra.0
twice.constprop.0 twice.constprop.0
same.part.0 same
hid.cold hid
EOF
cat >clone.c <<'EOF'
#include <stdlib.h>
struct pair { int a, b; };
extern void *volatile sink;
static __attribute__((noinline)) int helper(struct pair *p, int n, int k)
{
	sink = malloc(p->a + n * k);
	return n + p->a;
}
int clones(int n)
{
	struct pair p = { n, 2 };
	return helper(&p, n, 5) + helper(&p, n + 3, 5);
}
EOF
cat >other.c <<'EOF'
#include <stdlib.h>
void *volatile sink;
int clones(int);
SCOPE __attribute__((noinline)) int helper(int n, int k)
{
	sink = malloc(n * k + 100);
	return n + 1;
}
int main(int argc, char **argv)
{
	return clones(argc) + helper(argc, 7) + helper(argc + 5, 7) + !argv;
}
EOF
for scope in static extern; do
	$CC -O2 -g -DSCOPE=$scope -o clones clone.c other.c
	addresses clones >at
	"$D" clones <at | grep '^   helper	' | cut -f 3 | sort -u >got
	is "$(wc -l <got)" 2 "clones of two functions, one of them $scope"
done

# ------------------------------------------------------------- inlining --

cat >in.cc <<'EOF'
#include <cstdlib>
#define IN inline __attribute__((always_inline))
namespace {
struct hidden { int n; IN void *get(int m) { return malloc(n + m); } };
}
namespace ns {
static IN void *helper(int n) { return malloc(n * 3); }
template <class T> struct box {
	T *p;
	IN box(int n) : p((T *)malloc(n * sizeof(T))) {}
};
struct both { int n; void *get(int m); };
inline void *both::get(int m) { return malloc(n + m); }
}
void *(ns::both::*volatile pointer)(int) = &ns::both::get;
extern "C" IN void *plain(int n) { return malloc(n + 7); }
int main(int argc, char **argv)
{
	hidden h = { argc };
	void *volatile p = h.get(3);
	p = ns::helper(argc);
	ns::box<long> b(argc);
	p = b.p;
	p = plain(argc);
	auto l = [&](int k) IN2 { return malloc(k + argc); };
	p = l(4);
	ns::both o = { argc };
	p = o.get(5);
	return argv == p;
}
EOF
if command -v "$CXX" >/dev/null &&
	"$CXX" -std=c++17 -O2 -g -o in -DIN2='__attribute__((always_inline))' \
		in.cc 2>log; then
	i=0
	while read -r name; do
		i=$((i + 1))
		at=$(after in main $i)
		names in "$at" | sed 's/operator()$/operator()()/
			s/([^)]*)\( const\)*$//
			s/main::\$_[0-9]*::/main::{lambda}::/' >got
		is "$(sed -n 1p got)" "$name" "inlined: $name"
		is "$(sed -n 2p got)" main "inlined: $name into main"
		is "$(entries in "$at" | sed -n 2p)" "$(address in main)" \
			"inlined: $name: main's own entry"
	done <<-'EOF'
	(anonymous namespace)::hidden::get
	ns::helper
	ns::box<long>::box
	plain
	main::{lambda}::operator()
	ns::both::get
	EOF
	is "$(lines in "$(after in main 2)" | sed 's/.*\///')" \
		"$(printf 'in.cc:7\nin.cc:21')" "lines of address and of call"
	like "$(field 4 in "$(after in main 2)" | head -n 1)" 'in.cc:7$' \
		"where it is defined"
	like "$(entries in "$(after in main 2)" | head -n 1)" \
		'^0x[89a-f][0-9a-f]{15}$' "a key has its top bit set"
	is "$(entries in "$(after in main 6)" | head -n 1)" \
		"$(address in _ZN2ns4both3getEi)" \
		"an inlined copy has the real function's entry"
	is "$(names -r in "$(after in main 6)")" \
		"$(printf '_ZN2ns4both3getEi\nmain')" "-r: not demangled"
	is "$("$D" in "$(after in main 2)")" "$("$D" in "$(after in main 2)")" \
		"the same each time"
else
	skip 24 "no C++ compiler"
fi

# A part split off its function and inlined back; and true recursion, which may
# be on the line of the declaration.
cat >split.c <<'EOF'
#include <stdlib.h>
struct tree { struct tree *l, *r; int n; };
void *sink;
int state, more;
void part(int n)
{
	if (__builtin_expect(state, 1))
		return;
	for (int i = 0; i < n; i++)
		sink = malloc(n);
	if (more)
		sink = malloc(more);
}
extern int down(struct tree *t), thin(struct tree *t);
inline int down(struct tree *t)
{
	if (!t)
		return 0;
	sink = malloc(t->n);
	return down(t->l) * 3 +
	       down(t->r);
}
#define GET (sink = malloc(t->n))
inline int thin(struct tree *t) { return GET ? thin(t->l) * 3 + thin(t->r) : 0; }
int main(int argc, char **argv)
{
	struct tree t = { 0, 0, argc };
	part(argc);
	part(argc + 1);
	return sink == argv || down(&t) || thin(&t);
}
EOF
$CC -O2 -g -o splits split.c
addresses splits >at
"$D" splits <at | cut -f 1,2 | sed 's/\t.*\//\t/' >got
is "$(awk '/^.  part	/ && was { n++ } { was = /^[+]  part	/ }
	END { print n + 0 }' got)" 0 "a part inlined back isn't a recursion"
[ "$(grep '^   part	split.c:1[02]$' got | sort -u | wc -l)" = 2 ]
ok $? "a part inlined back: the lines are its own"
if [ "$clang" ]; then
	skip 2 "clang inlines no recursion"
else
	grep -q '^+  down	split.c:19$' got && grep -q '^   down	split.c:2[01]$' got
	ok $? "inlined recursion"
	grep -q '^+  thin	split.c:24$' got && grep -q '^   thin	split.c:24$' got
	ok $? "inlined recursion on one line"
fi

# A function that exists only inlined has no address to show.
cat >only.c <<'EOF'
#include <stdlib.h>
void *volatile sink;
static inline __attribute__((always_inline)) void only(int n)
{
	sink = malloc(n);
}
__attribute__((noinline)) void real(int n)
{
	sink = malloc(n);
}
int main(int argc, char **argv)
{
	only(argc);
	real(argc);
	return !argv;
}
EOF
$CC -O1 -g -o only only.c
MEMMON_OUT=$T/only.mon LD_PRELOAD=$MEMMON_BUILD/libmemmon.so ./only 2>log
"$MEMMON_BUILD/mpreduce" --json only.mon >json 2>>log || diag "$(cat log)"
shown() { sed -n "s/.*{\"name\":\"$1\".*\"address\":\([0-9]*\).*/\1/p" json; }
is "$(shown only)" 0 "JSON: no address of what exists only inlined"
is "$(shown real)" "$(($(address only real)))" "JSON: address of a function"

# ----------------------------------------------------------- debug files --

$CC -O2 -g -o whole many.c -Wl,--build-id
addresses whole >at
"$D" whole <at >want
sed -i 's/0x[89a-f][0-9a-f]\{15\}/key/' want
mkdir -p .debug
objcopy --only-keep-debug whole .debug/apart.debug
objcopy --strip-all whole apart
(cd .debug && objcopy --add-gnu-debuglink=apart.debug ../apart)
"$D" apart <at | sed 's/0x[89a-f][0-9a-f]\{15\}/key/
	s/\[apart+/[whole+/' >got
is_file got want "debug file by its link"
is "$("$D" -p apart | tail -n 1)" "problem: none" "debug file: nothing amiss"
$CC -O1 -g -o .debug/other many.c
objcopy --only-keep-debug .debug/other .debug/apart.debug
like "$("$D" -p apart "$(head -n 1 at)" | tail -n 1)" 'has no symbols|stripped' \
	"a debug file of another build isn't taken"
if $CC -O2 -g -gz -o packed many.c 2>log; then
	addresses packed >at
	"$D" packed <at >got
	grep -q 'many.c:6' got
	ok $? "compressed debug information"
else
	skip 1 "no -gz"
fi
$CC -O2 -g -gsplit-dwarf -o split many.c
addresses split >at
"$D" split <at | grep -q '^+  get.*many.c:6.*many.c:4'
ok $? "split debug information"
if clang -O2 -g -gsplit-dwarf=single -c -o single.o many.c 2>log; then
	clang -o single single.o
	addresses single >at
	"$D" single <at | grep -q '^+  get.*many.c:6.*many.c:4'
	ok $? "debug information that stays in the object file"
else
	skip 1 "no -gsplit-dwarf=single"
fi

# -------------------------------------------------------------- problems --

# problem REGEX NAME ARGUMENTS...: all of it, and no name is given.
problem()
{
	local regex=$1 name=$2
	shift 2
	like "$(timeout "$HANG" "$D" -p "$@" 1234 2>&1 | tail -n 1)" "$regex" "$name"
	is "$(names "$@" 1234)" "[${*: -1}+0x1234]" "$name: no names"
}
# build_id FILE: by readelf, which prints it as one word.
build_id() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
# Also ids whose last bytes are, as text, hex digits, which objdump -s shows.
for id in 000102030405060708090a0b0c0d0e0f61626364 \
	000102030405060708090a0b0c0d0e0f61206262 30313233; do
	$CC -O2 -g -Wl,--build-id=0x$id -o lettered many.c
	at=$(after lettered main)
	is "$(build_id lettered) $("$D" -p -b "$id" lettered "$at" | tail -n 1)" \
		"$id problem: none" "a build-id of $id"
done
id=$(build_id whole)
at=$(after whole main)
is "$("$D" -p -b "$id" whole "$at" | tail -n 1)" "problem: none" \
	"the same build-id"
is "$(names -b "$id" whole "$at" | tail -n 1)" main "the same build-id: names"
problem '^severe: has another build-id .*; give that file' "another build-id" \
	-b "${id%??}00$id" whole
problem '^severe: can.t be opened: No such file .*: restore' "no file" missing
mkdir folder
problem '^severe: not a regular file; give' "a directory" folder
mkfifo fifo
problem '^severe: not a regular file; give' "a fifo" fifo
echo 'int main() {' >text
problem '^severe: not an ELF .*; give' "a text" text
: >empty
problem '^severe: not an ELF .*; give' "an empty file" empty
$CC -c -o object.o many.c
problem '^severe: not an ELF .*; give' "an object file" object.o
cp whole foreign
printf '\x08' | dd of=foreign bs=1 seek=18 conv=notrunc 2>/dev/null
problem '^severe: is for another kind of machine; give' "another machine" foreign
cp whole secret
chmod 0 secret
if [ ! -r secret ]; then
	problem '^severe: can.t be opened: Permission denied' "no right" secret
else
	skip 2 "root may read everything"
fi
$CC -O2 -o bare many.c
like "$("$D" -p bare "$(after bare main)" | tail -n 1)" \
	'^problem: no debug information: .*; compile with -g' "no -g"
$CC -O2 -static -s -o mute many.c 2>/dev/null && problem \
	'^severe: has no symbols; ' "no symbols at all" mute
for name in linux-vdso.so.1 '[vdso]'; do
	is "$("$D" -p "$name" 5a1 | cut -f 1)" \
		"$(printf '0x5a1\n ? [vdso+0x5a1]\nproblem: none')" "$name"
done
is "$(names whole 0)" "[whole+0x0]" "address 0"
is "$(names whole ffffffffffffffff)" "[whole+0xffffffffffffffff]" \
	"the last address"

# An indirect function has the address of the function that chooses it.
cat >chosen.c <<'C'
static int one(void) { return 1; }
static void *choose(void) { return one; }
int chosen(void) __attribute__((ifunc("choose")));
int main(void) { return chosen() - 1; }
C
if $CC -O0 chosen.c -o chosen 2>/dev/null; then
	is "$(names chosen "$(printf %x $(($(address chosen choose) + 4)))")" choose \
		"the function that chooses an indirect function"
else
	skip 1 "no indirect functions"
fi

# Damaged files: any answer is right, but no crash and no message on stderr.
addresses whole >at
size=$(stat -c %s whole)
bad=
for i in $(seq 60); do
	cp whole hurt
	if [ $((i % 6)) = 0 ]; then
		head -c $((size * i / 61)) whole >hurt
	else
		for j in 1 2 3 4 5 6 7 8; do
			printf '\xff' | dd of=hurt bs=1 conv=notrunc \
				seek=$(((i * 7919 + j * 104729) % size))
		done 2>/dev/null
	fi
	timeout "$HANG" "$D" -p hurt <at >/dev/null 2>err || bad="$bad $i"
	[ -s err ] && bad="$bad $i($(head -c 200 err))"
	timeout "$HANG" "$D" -t hurt -- 16 204 >/dev/null 2>err || bad="$bad t$i"
	[ -s err ] && bad="$bad t$i($(head -c 200 err))"
done
is "$bad" "" "damaged files"
done_testing
