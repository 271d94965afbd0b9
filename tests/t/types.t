#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Types by size: programs compiled here, what types_find() has for them.
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
	is "$(types 408 c)" "widget[2]" "DWARF $v: array of the best"
	is "$(types 16000000 c)" "big[16000], either[125000], node[1000000]" \
		"DWARF $v: a million elements"
	is "$(types 16016000 c)" "big[16016], either[125125], inner[208000]" \
		"DWARF $v: not more"
	like "$(types 32 c)" "^([a-z_]+, )*hostent, node\[2\]$" "DWARF $v: of the system"
done
is "$("$D" -t c -- 7 | head -n 1)" "c: 0" "types_add"

cat >two.c <<'EOF'
struct alpha { char c[204]; } a;
struct widget { char c[300]; } w;
int main() { return 0; }
EOF
$CC -g -o two two.c
is "$(types 204 c two | sed 's/.*, //')" alpha "a later file is a worse guess"
is "$(types 204 two c | sed 's/,.*//')" alpha "an earlier file a better one"
is "$(types 300 two c)" widget "two types of one name"

# None to be had.
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
done_testing
