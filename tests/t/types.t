#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Types by size: programs compiled here, and the answers of types_find() for
# them.
. "${MEMMON_SRC:-.}/tests/tap.sh"
D=$MEMMON_BUILD/tests/symdump
case $CC in
*clang*) CXX=${CXX:-clang++} ;;
*) CXX=${CXX:-g++} ;;
esac

# types SIZE FILE...: the names for the size, best first.
types()
{
	local size=$1
	shift
	"$D" -t "$@" -- "$size" | sed -n "s/^$size: *//p"
}

# One name per line: commas within <> and () belong to a name.
split_names()
{
	awk '{ sub(/^[^ ]*: */, ""); depth = 0; line = ""
		for (i = 1; i <= length($0); i++) {
			c = substr($0, i, 1)
			depth += index("<(", c) > 0
			depth -= index(">)", c) > 0
			if (c == "," && !depth) { print line; line = ""; i++ }
			else line = line c
		}
		print line }'
}

cat >own.h <<'EOF'
struct header { char c[204]; };
EOF
cat >c.c <<'EOF'
#include <netdb.h>
#include <stdio.h>
#include "own.h"
enum color { RED };
typedef struct widget { enum color c; int body[50]; } widget;
typedef struct { char c[204]; } anonymous;
typedef struct widget gadget;
typedef const widget constant;
typedef widget *pointer;
union either { char c[128]; long l; };
struct node { struct node *next; int n; };
struct tiny { int n; };
struct big { char c[1000]; };
struct declared;
struct empty { };
static void *use[20];
struct widget w; anonymous a; gadget g; constant k; pointer p; union either e;
struct node n; struct tiny t; struct big b; struct declared *d; struct empty y;
struct header h; struct hostent host; FILE *file;
int main(void)
{
	struct inner { char c[77]; } i;
	use[0] = &i;
	use[1] = &w;
	return use[2] != 0;
}
EOF
for v in 4 5; do
	$CC -g -gdwarf-$v -o c c.c || diag "can't compile"
	is "$(types 204 c)" "widget, anonymous, constant, gadget, header" \
		"DWARF $v: struct, typedefs, then of a header"
	is "$(types 128 c)" "either, node[8]" "DWARF $v: union, array"
	is "$(types 16 c)" "node" "DWARF $v: no arrays of tiny things"
	is "$(types 77 c)" "inner" "DWARF $v: in a function"
	is "$(types 4 c)" "tiny" "DWARF $v: no enum"
	is "$(types 8 c)" "" "DWARF $v: no pointer"
	is "$(types 1 c)" "" "DWARF $v: nothing"
	is "$(types 0 c)" "" "DWARF $v: size 0"
	is "$(types 3000 c)" "big[3]" "DWARF $v: array"
	is "$(types 408 c)" \
		"widget[2], anonymous[2], constant[2], gadget[2], header[2]" \
		"DWARF $v: arrays of all that fit, the best first"
	is "$(types 16000000 c)" "big[16000], either[125000], node[1000000]" \
		"DWARF $v: a million elements"
	is "$(types 16016000 c)" "big[16016], either[125125], inner[208000]" \
		"DWARF $v: not more"
	like "$(types 32 c)" "^([a-z_]+, )*hostent, node\[2\]$" "DWARF $v: of the system"
done
is "$("$D" -t c -- 7 | head -n 1)" "c: 0" "types_add"

# Arrays of all types of a size, the file's own first; typedefs of arrays.
cat >elements.h <<'EOF'
struct outside { char c[60]; };
typedef struct outside outsides[3];
EOF
cat >elements.c <<'EOF'
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include "elements.h"
struct Q { char c[40]; } q;
struct R { char c[40]; } r;
struct S { char c[48]; } s;
struct Vec3 { double x, y, z; } v;
typedef char big_t[1500];
typedef big_t other_t;
typedef int grid_t[11][13];
typedef struct R rs_t[7];
typedef struct R *pointers_t[31];
typedef union { char c[1235]; long long l; } union_t;
typedef union_t unions_t[3];
typedef const struct { char c[1301]; } anonymous_t[2];
typedef long my_long;
typedef my_long longer;
typedef void callback(int);
typedef callback *callback_t;
typedef enum { RED } color;
typedef va_list args_t;
typedef int open_t[];
typedef int none_t[0];
big_t b; other_t o; grid_t g; rs_t rs; pointers_t ps; union_t u; unions_t us;
anonymous_t a; my_long l; longer ll; callback_t cb; color co; none_t no;
struct outside ou; outsides os; uint64_t u64; jmp_buf jb; div_t dv[2];
extern open_t op;
int f(int n, ...)
{
	typedef char vla_t[n];
	typedef short local_t[777];
	vla_t x;
	local_t y;
	args_t ap;
	x[0] = y[0] = 0;
	va_start(ap, n);
	va_end(ap);
	return x[0] + y[0];
}
int main(void) { return f(3, 4) + setjmp(jb) + dv[1].rem; }
EOF
for flags in -gdwarf-4 -gdwarf-5; do
	$CC -g $flags -o elements elements.c || diag "can't compile"
	is "$(types 400 elements)" "Q[10], R[10]" "$flags: two of one size"
	is "$(types 240 elements)" \
		"S[5], Q[6], R[6], Vec3[10], outside[4]" \
		"$flags: all that fit, those of a header last"
	is "$(types 1500 elements)" "big_t, other_t, outside[25]" \
		"$flags: typedef of an array"
	is "$(types 3000 elements)" \
		"big_t[2], other_t[2], Q[75], R[75], Vec3[125], outside[50]" \
		"$flags: arrays of them"
	is "$(types 572 elements)" "grid_t" "$flags: two dimensions"
	is "$(types 280 elements)" "rs_t, Q[7], R[7]" "$flags: of structs"
	is "$(types 248 elements)" "pointers_t" "$flags: of pointers"
	is "$(types 1240 elements)" "union_t, pointers_t[5], Q[31], R[31]" \
		"$flags: of a union"
	is "$(types 3720 elements | sed 's/,.*//')" "unions_t" \
		"$flags: of unions"
	is "$(types 2602 elements)" "anonymous_t" "$flags: of something unnamed"
	is "$(types 1554 elements)" "local_t" "$flags: in a function"
	is "$(types 180 elements | sed 's/,.*//')" "outsides" \
		"$flags: in a header"
	is "$(types 4 elements), $(types 8 elements)" ", " \
		"$flags: no scalars, pointers, div_t"
	is "$(types 16 elements)" "" "$flags: no arrays of the system's"
	is "$(types 24 elements)" "Vec3" "$flags: no va_list"
	is "$(types 1600 elements | grep -o __jmp_buf_tag)" "" \
		"$flags: no arrays of the system's structs"
done
# With type units no type has a source file of its own.
$CC -g -fdebug-types-section -o elements elements.c || diag "can't compile"
is "$(types 280 elements)" "rs_t, Q[7], R[7]" "type units: of structs"
is "$(types 3720 elements | sed 's/,.*//')" "unions_t" "type units: of unions"
like "$(types 3000 elements)" '^big_t\[2\], .*Vec3\[125\]' \
	"type units: arrays"

cat >two.c <<'EOF'
struct alpha { char c[204]; } a;
struct widget { char c[300]; } w;
int main() { return 0; }
EOF
$CC -g -o two two.c
is "$(types 204 c two | sed 's/.*, //')" alpha "a later file is a worse guess"
is "$(types 204 two c | sed 's/,.*//')" alpha "an earlier file a better one"
is "$(types 300 two c)" widget "two types of one name"

# Files without types.
$CC -o none two.c
echo text >text
for f in none text missing .; do
	is "$("$D" -t $f -- 204)" "$(printf '%s: -1\n204:' "$f")" \
		"no types in: $f"
done
is "$("$D" -t -b 00112233 c -- 204)" "$(printf 'c: -1\n204:')" \
	"another build-id"

cat >cc.cc <<'EOF'
#include <map>
#include <string>
#include <vector>
namespace zoo {
struct animal { char c[500]; struct tail { char c[501]; } t; };
namespace { struct hidden { char c[502]; } h; }
template <class T> struct cage { T t; char c[10]; };
class lion : animal { public: virtual ~lion() {} };
cage<animal> c;
lion l;
}
struct animal { char c[500]; } a;
typedef struct { char c[503]; } anonymous;
using alias = zoo::animal;
anonymous o;
alias s;
std::vector<std::string> v;
std::map<int, std::string> m;
int main()
{
	zoo::h.c[0] = 1;
	return v.size() + m.size() + zoo::c.c[0] + o.c[0] + s.c[0] + a.c[0];
}
EOF
if command -v "$CXX" >/dev/null && "$CXX" -g -o cc cc.cc 2>log; then
	is "$(types 500 cc)" "animal" "C++: without a namespace"
	is "$(types 501 cc)" "zoo::animal::tail" "C++: nested"
	is "$(types 502 cc)" "zoo::(anonymous namespace)::hidden" \
		"C++: anonymous namespace"
	is "$(types 503 cc)" "anonymous" "C++: typedef of something anonymous"
	is "$(types 1001 cc)" "zoo::animal, alias" "C++: struct before alias"
	is "$(types 1011 cc)" "zoo::cage<zoo::animal>" "C++: template"
	is "$(types 1016 cc)" "zoo::lion" "C++: class"
	like "$(types 32 cc)" '^std::' "C++: of the library"
	like "$(types 24 cc)" 'std::vector<[^,]*, .*std::_Vector_base' \
		"C++: the library's insides last"
	for flags in -fdebug-types-section '-gsplit-dwarf' \
		'-fdebug-types-section -gdwarf-4' '-gz' \
		'-gsplit-dwarf -fdebug-types-section'; do
		# gcc's .dwo has several .debug_info then: libdw reads one.
		case $CXX$flags in g++*split*types*) skip 2 "$flags" && continue
		esac
		# shellcheck disable=SC2086
		"$CXX" -g $flags -o flagged cc.cc 2>log || {
			skip 2 "no $flags"
			continue
		}
		is "$(types 501 flagged)" "zoo::animal::tail" "$flags: nested"
		is "$(types 1011 flagged)" "zoo::cage<zoo::animal>" \
			"$flags: template"
	done
else
	skip 19 "no C++ compiler"
fi

# The C++ library: nodes are on the heap, much else never is.
cat >library.cc <<'EOF'
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
struct Vec3 { double x, y, z; };
struct Q { char c[40]; };
struct my_iterator { char c[1000]; };
struct holder {
	typedef char buffer[1100];
	typedef Vec3 value_type;
	buffer b;
	long more;
};
typedef std::string_view view;
int main()
{
	typedef struct { char c[1200]; } local_t;
	std::map<int, std::string> m;
	std::unordered_map<std::string, Vec3> um;
	std::list<Vec3> l;
	std::forward_list<Q> fl;
	std::vector<Q> vq;
	std::function<int(int)> f = [](int x) { return x; };
	std::string_view sv = "x";
	view v2 = sv;
	auto sp = std::make_shared<Vec3>();
	auto *q = new Q;
	auto *v = new Vec3[10];
	auto *v48 = new Vec3[2];
	auto *s = new std::string[71];
	holder::value_type hv = {};
	my_iterator it = {};
	local_t lt = {};
	holder h = {};
	fpos_t pos = {};
	mbstate_t state = {};
	div_t d = div(7, 2);

	m[1] = "a";
	um["x"] = *sp;
	l.push_back(*sp);
	fl.push_front(*q);
	vq.push_back(*q);
	for (auto &i : { 1, 2 })
		m.emplace(i, "b");
	printf("%p%p%p%d%d%d%d%d%d", (void *)v, (void *)v48, (void *)s, f(1),
	       d.rem, h.b[0] + it.c[0] + lt.c[0], (int)hv.x, (int)v2.size(),
	       mbsinit(&state) + (int)sizeof pos);
}
EOF
if command -v "$CXX" >/dev/null && "$CXX" -std=c++17 -g -o library library.cc
then
	like "$(types 24 library)" "^Vec3, " "library: the user's first"
	is "$(types 240 library | grep -oE '(Q|Vec3)\[[0-9]*\]' | xargs)" \
		"Q[6] Vec3[10]" "library: arrays of the user's"
	like "$(types 40 library)" \
		"^Q, std::[a-zA-Z0-9_:]*_(List_node<|Sp_counted)" \
		"library: then nodes"
	like "$(types 72 library)" \
		"^std::_Rb_tree_node<.*_Hash_node<.*, Vec3\[3\]$" \
		"library: two kinds of nodes, then arrays"
	like "$(types 48 library)" "^std::_Fwd_list_node<" \
		"library: forward_list"
	like "$(types 32 library)" "std::string, " "library: string"
	is "$(types 1000 library | sed 's/,.*//')" my_iterator \
		"library: an iterator of the user's"
	is "$(types 1100 library | sed 's/,.*//')" holder::buffer \
		"library: an array in a class of the user's"
	is "$(types 1200 library | sed 's/,.*//')" main::local_t \
		"library: in a function of the user's"
	# shellcheck disable=SC2046
	"$D" -t library -- $(seq 1 300) 2272 4544 9088 | split_names >all
	is "$(grep -E '\[[0-9]+\]$' all | grep -vE '^(Q|Vec3)\[')" "" \
		"library: no arrays of its types"
	no='^(std::(basic_string_view|initializer_list)|view$|.*_buffer<'
	no+='|__gnu_cxx::__normal_iterator|std::aligned_storage'
	no+='|_*(mbstate_t|fpos_t|l*div_t)$|std::_[A-Za-z_]*iterator<)'
	is "$(grep -E "$no" all)" "" "library: no views, iterators, buffers"
	is "$(grep -E '_Sp_cp_type|::_Node$|value_type$' all)" "" \
		"library: no typedefs from inside it"

	# The types that mpreduce shows for each size.
	"$MEMMON_BUILD/memmon" ./library >out 2>&1
	"$MEMMON_BUILD/mpreduce" -b -B ./library mon.out >bins 2>err
	for want in 'Vec3[2]' 'Vec3[10]' '~std::map<int, std::string> node'; do
		grep -qF -- "$want" bins
		ok $? "mpreduce -b: $want" || diag "$(cat err bins)"
	done

	# The frame of a coroutine, which gcc calls _ZN1a4stepEi.Frame.
	cat >coroutine.cc <<-'C'
	#include <coroutine>
	namespace a {
	struct run { struct promise_type {
		run get_return_object() { return {}; }
		std::suspend_never initial_suspend() { return {}; }
		std::suspend_never final_suspend() noexcept { return {}; }
		void unhandled_exception() {}
		void return_void() {}
	}; };
	run step(int) { co_return; }
	}
	int main() { a::step(1); return 0; }
	C
	if g++ -std=c++20 -g -O0 -o coroutine coroutine.cc 2>err; then
		"$MEMMON_BUILD/memmon" -q ./coroutine
		"$MEMMON_BUILD/mpreduce" -b -T ./coroutine mon.out >types
		ok "$(grep -qE '  ~frame of a::step\(int\)$' types; echo $?)" \
			"the frame of a coroutine" || diag "$(cat types)"
	else
		skip 1 "no coroutines"
	fi
else
	skip 16 "no C++ compiler"
fi
done_testing
