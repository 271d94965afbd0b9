#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Blocks that code reads or writes whose accesses aren't recorded.  libc's
# functions count their accesses.  A block that other code got has no verdict
# that needs all accesses.  Valgrind's dhat, which sees all accesses, must not
# contradict a verdict.
# shellcheck disable=SC2086
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

src=$MEMMON_SRC/tests/access
flags="-g -fno-optimize-sibling-calls -Wno-unknown-attributes -I$MEMMON_SRC"
cc=$MEMMON_BUILD/memmon-cc cxx=$MEMMON_BUILD/memmon-c++
[ -e "$MEMMON_BUILD/libmemmon-access.so" ] ||
	skip_all 'no libmemmon-access.so'
ways=calls
for plugin in "$MEMMON_BUILD"/plugin/gcc-*/memmon.so; do
	[ -e "$plugin" ] && command -v gcc >/dev/null && ways='plugin calls'
done
# uses PROGRAM: a line for each function: NAME BLOCKS HANDED FLAG...
uses()
{
	"$MPREDUCE" --json "$1" mon.out 2>/dev/null | perl -I"$MEMMON_SRC/tests" -Mjson -0777 -ne '
		my $d = decode_json($_);
		for my $f (@{$d->{functions}}) {
			my $u = $f->{use} or next;
			my @flags = grep { $u->{flags}{$_}{blocks} }
				qw(unused write_only read_only);
			print join(" ", $f->{name}, $u->{blocks},
				$u->{handed_blocks} // 0, @flags), "\n";
		}' | sed 's/()//' | sort
}

# of NAME: its line in `uses'.
of()
{
	sed -n "s/^$1 //p" uses
}

# checked PROGRAM PLAIN WHAT: dhat sees of the program PLAIN nothing that makes
# a flag of `uses' untrue.
checked()
{
	valgrind --tool=dhat --dhat-out-file=dhat.out "./$2" >/dev/null 2>&1 ||
		diag "dhat: status $?"
	perl -I"$MEMMON_SRC/tests" -Mjson -e '
		my $d = decode_json(do { local (@ARGV, $/) = "dhat.out"; <> });
		my (%rb, %wb);
		for my $p (@{$d->{pps}}) {
			for (@{$p->{fs}}) {
				my ($f) = $d->{ftbl}[$_] =~ /: ([a-z_]+) \(/
					or next;
				$rb{$f} += $p->{rb};
				$wb{$f} += $p->{wb};
			}
		}
		open my $u, "<", "uses";
		while (<$u>) {
			my ($f, $n, $handed, @flags) = split;
			exists $rb{$f} or next;
			for my $flag (@flags) {
				print "$f: $flag, but read\n"
					if $flag ne "read_only" && $rb{$f};
				print "$f: $flag, but written\n"
					if $flag ne "write_only" && $wb{$f};
				$seen++;
			}
		}
		print "nothing compared\n" if !$seen;' >contradicted
	is "$(cat contradicted)" '' "$3: dhat contradicts no verdict"
}

# libc FLAGS...: of its functions.
libc()
{
	"$cc" $flags "$@" "$src/handed_libc.c" -o libc -pthread && ./libc >out
	ok $? "libc, $way $1: it runs"
	uses libc >uses
	for name in threads mutexes semaphores vectors polled printed times; do
		is "$(of $name)" '1 0' "libc, $way $1: $name are read and written"
	done
	is "$(of parts)" '2 0 write_only' "libc, $way $1: parts are written"
	for name in stats scanned; do
		is "$(of $name)" '1 0 write_only' "libc, $way $1: $name: written"
	done
	for name in actions streamed asked answered converted widened spliced \
		copied requested filter option argument; do
		is "$(of $name)" '1 1' "libc, $way $1: $name are handed over"
	done
	for name in sized unused; do
		is "$(of $name)" '1 0 unused' "libc, $way $1: $name isn't used"
	done
}

for way in $ways; do
	export MEMMON_WAY=$way
	! exhaustive || libc -O0
	libc -O2
done

for file in lib:- static:1 other:2; do
	"$CC" -g -O1 -fPIC "-DPART=${file#*:}+0" "-I$MEMMON_SRC" -c \
		"$src/handed_lib.c" -o "${file%:*}.o"
done
"$CC" -shared lib.o -o libhanded.so
ok $? 'a library that is not recorded'
"$CC" -g -O0 -no-pie "-I$MEMMON_SRC" "$src/handed_main.c" static.o other.o \
	libhanded.so -o plain -Wl,-rpath,"$T"
ok $? '... and a program of nothing else'

# main_program FLAGS...: calls of that library.
main_program()
{
	"$cc" $flags "$@" -DPART=2 -c "$src/handed_lib.c" -o recorded.o &&
		"$cc" $flags "$@" "$src/handed_main.c" recorded.o static.o \
			libhanded.so -o main -Wl,-rpath,"$T" && ./main
	ok $? "library, $*: it runs"
	uses main >uses
	for name in in out user inner kept by_value of_static called_with; do
		is "$(of $name)" '1 1' "library, $*: $name, handed over"
	done
	for name in nodes texts; do
		is "$(of $name)" '5 5' "library, $*: $name, all of a list"
	done
	is "$(of of_other)" '1 0 write_only' "library, $*: recorded elsewhere"
	is "$(of own)" '1 0 write_only' "library, $*: nobody else's"
}

# assembly COMPILER FLAGS...: statements of assembler.
assembly()
{
	MEMMON_CC=$1 MEMMON_WAY=plugin "$cc" $flags "${@:2}" \
		"$src/handed_assembly.c" -o assembly && ./assembly
	ok $? "assembler, $*: it runs"
	uses assembly >uses
	for name in written filled vectored offset copied original; do
		is "$(of $name)" '1 1' "assembler, $*: $name, handed over"
	done
	like "$1 $(of operand)" '^(clang.* 1 1|gcc.* 1 0)$' \
		"assembler, $*: an operand in memory"
	is "$(of own)" '1 0 write_only' "assembler, $*: an empty one"
}

if [ "$(uname -m)" = x86_64 ]; then
	for compiler in $(with_plugin gcc clang); do
		assembly "$compiler" -O0
		assembly "$compiler" -O2
	done
fi

# page_sum TABLE, json_sum TABLE: blocks and bytes that were passed on, by the
# page and by --json.
page_sum()
{
	perl -0777 -ne '
		my ($t) = /"'"$1"'":(\{"n":.*?\}),"/s or print "no table";
		for my $c ("handed", "handed_bytes") {
			my ($v) = $t =~ /"$c":\[([^]]*)\]/ or print "no $c";
			my $sum = 0;
			$sum += $_ for split /,/, $v // "";
			print "$sum ";
		}' page.html
}
json_sum()
{
	"$MPREDUCE" --json pointers mon.out 2>/dev/null | perl -I"$MEMMON_SRC/tests" -Mjson -0777 -ne '
		my ($n, $b) = (0, 0);
		for (@{decode_json($_)->{"'"$1"'"}}) {
			$n += $_->{use}{handed_blocks} // 0;
			$b += $_->{use}{handed_bytes} // 0;
		}
		print "$n $b "'
}

# pointers FLAGS...: other kinds of calls.
pointers()
{
	local name at
	"$cc" $flags "$@" -DPART=2 "$src/handed_pointers.c" static1.o \
		libpointers.so -o pointers -ldl -Wl,-rpath,"$T" &&
		"$cc" $flags -DPART=3 -shared -fPIC $fixed -o opened1.so \
			"$src/handed_pointers.c" &&
		at=$(./pointers ./opened1.so ./opened2.so)
	ok $? "pointers, $*: it runs"
	uses pointers >uses
	for name in by_pointer by_static switched holder held any in_any \
		message; do
		is "$(of $name)" '1 1' "pointers, $*: $name, handed over"
	done
	is "$(of jumped) $(of several)" '2 2 3 3' \
		"pointers, $*: jumps, and arrays by value"
	# gcc may have the library write to a copy, and the program make it.
	like "$(of result), $(of result_by)" \
		"^2 $returned write_only, 1 $returned( write_only)?\$" \
		"pointers, $*: of results those of the library"
	is "$(of by_own)" '6 0 write_only' "pointers, $*: recorded functions"
	is "$(of ahead)" "$ahead" "pointers, $*: not followed"
	"$MPREDUCE" --html=page.html pointers mon.out 2>/dev/null
	is "$(page_sum sites) $(page_sum types)" \
		"$(json_sum sites) $(json_sum types)" \
		"pointers, $*: the page tells how many"
	if [ "$at" ]; then
		skip 1 'not opened at the same place'
	else
		is "$(of by_opened)" '3 3' "pointers, $*: of what came after"
	fi
}
fixed=-Wl,--section-start=.fixed=0x20000
"$CC" -g -O1 -fPIC -shared -DPART=0 "-I$MEMMON_SRC" \
	"$src/handed_pointers.c" -o libpointers.so &&
	"$CC" -g -O1 -fPIC -c -DPART=1 "-I$MEMMON_SRC" \
		"$src/handed_pointers.c" -o static1.o &&
	"$CC" -g -O1 -fPIC -shared -DPART=3 $fixed "-I$MEMMON_SRC" \
		"$src/handed_pointers.c" -o opened2.so &&
	"${CXX:-g++}" -g -O1 -fPIC -shared -DPART=0 \
		"$src/handed_virtual.cc" -o libvirtual.so
ok $? 'libraries of other calls'

"$CC" -g -O1 -fPIC -DPART=1 "-I$MEMMON_SRC" -shared -o libarguments.so \
	"$src/handed_arguments.c"
"$CC" -O1 -DPART=0 "-I$MEMMON_SRC" "$src/handed_arguments.c" -o plain_arguments \
	libarguments.so -Wl,-rpath,"$T"
arguments=$(./plain_arguments)

# with_arguments FLAGS...: all kinds of arguments arrive, and their blocks are
# passed on.
with_arguments()
{
	local name
	"$cc" $flags "$@" -DPART=0 "$src/handed_arguments.c" -o arguments \
		libarguments.so -Wl,-rpath,"$T"
	is "$(./arguments)" "$arguments" "arguments, $*: as without memmon"
	uses arguments >uses
	for name in mixed mixed_too vector seventh result pair beside various \
		wide; do
		is "$(of $name)" '1 1' "arguments, $*: $name, handed over"
	done
}

# by_plugin COMPILER: with gcc's plugin, or the pass for clang.  For the pass a
# char * may lead to anything, and a void * to more than a few words.
by_plugin()
{
	local levels level rounds many told ahead='1 0 write_only'
	export MEMMON_WAY=plugin MEMMON_CC=$1 MEMMON_CXX=${1/gcc/g}++
	[ "$1" = gcc ] || ahead='1 1'
	levels=(-O2)
	! exhaustive || levels+=('-O3 -fcf-protection -fno-plt' -O0 '-O2 -fPIC' '-O2 -fno-pie -no-pie -Wl,-z,now' -Os)
	for level in "${levels[@]}"; do
		returned='[01]'
		[ "$level$1" = -O2gcc ] && returned=1
		pointers $level
		"$cxx" $flags $level -DPART=1 "$src/handed_virtual.cc" \
			libvirtual.so -o virtual -Wl,-rpath,"$T" && ./virtual
		ok $? "virtual, $level: it runs"
		uses virtual >uses
		is "$(of foreign) $(of object) $(of thrown)" '1 1 2 2 3 3' \
			"virtual, $level: of the library"
		is "$(of own) $(of beside) $(of virtually) $(of mine)" \
			"1 0 write_only 1 0 write_only 1 0 write_only 4 0" \
			"virtual, $level: of the program" || diag "$(cat uses)"
		is "$(of caught)" '1 0 write_only' \
			"virtual, $level: a recorded function that throws"
	done
	for flag in '' $fixed; do
		MEMMON_WAY=calls "$cc" $flags -O2 -DPART=3 -shared -fPIC \
			$flag -o "calls${flag:+3}.so" "$src/handed_pointers.c"
	done
	"$cc" $flags -O2 "$src/handed_threads.c" -o threads -pthread -ldl
	ok $? 'threads, and libraries that come and go'
	many=(1 1 300)
	! exhaustive || many=(1 1 1 1 300 300 300)
	for rounds in "${many[@]}"; do
		told=$(./threads $rounds ./opened2.so ./opened1.so ./calls3.so \
			./calls.so)
		is "$? $told" "0 $(uses threads | sed -n 's/recorded //p'), $(
			uses threads | sed -n 's/foreign //p')" \
			"threads, $rounds rounds: each block"
	done
	with_arguments -O2
	! exhaustive || for level in -O0 '-O2 -flto' '-O2 -fPIC -fno-plt' \
		'-O3 -mavx2' '-O2 -fcf-protection'; do
		with_arguments $level
	done
	levels=(-O0)
	! exhaustive || levels+=('-O2 -flto' '-O2 -fPIC' -O2 '-O2 -fno-pie -no-pie' '-O2 -fno-plt' -Os)
	for level in "${levels[@]}"; do
		main_program $level
	done
	"$MPREDUCE" -S main mon.out >page 2>/dev/null
	like "$(cat page)" 'passed +100% +1 block, 64 bytes: passed to unrecorded code' \
		'the scores say so'
	like "$(cat page)" ' - +[0-9.]+ +- +- +- +1 +64 .*> in' \
		'... and leave out what is not known'
	cp mon.out one
	"$MPREDUCE" -s main one mon.out
	mv mon.sum mon.out
	uses main >uses
	is "$(of texts)" '10 10' 'a sum of files has it twice'
	levels=(-O2)
	! exhaustive || levels+=(-O0)
	for level in "${levels[@]}"; do
		"$cxx" $flags "$level" "$src/handed_cxx.cc" -o cxx && ./cxx
		ok $? "C++, $level: it runs"
		uses cxx >uses
		is "$(of make_app)" '1 1' "C++, $level: an object with a string"
		is "$(of make_string)" '1 1' "C++, $level: a string"
		is "$(of make_beside)" "$ahead" \
			"C++, $level: what it also points to"
		is "$(of make_value)" '5 0 write_only' "C++, $level: values of a map" ||
			diag "$(cat uses)"
		is "$(of make_own)" '1 0' "C++, $level: another block" ||
			diag "$(cat uses)"
	done
	unset MEMMON_WAY MEMMON_CC MEMMON_CXX
}
if [[ $ways =~ plugin ]]; then
	by_plugin gcc
else
	skip 20 'no plugin'
fi
for plugin in "$MEMMON_BUILD"/plugin/clang-*/memmon.so; do
	[ -e "$plugin" ] && command -v clang >/dev/null && by_plugin clang
done

# Recorded by calls: nothing there shows which blocks other code gets.
# by_calls COMPILER FLAGS...
by_calls()
{
	local compiler=$1
	shift
	export MEMMON_WAY=calls MEMMON_CC=$compiler
	"$cc" $flags "$@" -DPART=0 "$src/handed_calls.c" -o calls -lm \
		-pthread && ./calls
	ok $? "calls, $compiler $*: libc only"
	uses calls >uses
	is "$(of written)" '1 0 write_only' "calls, $compiler $*: written" ||
		diag "$(cat uses; "$MPREDUCE" -i mon.out)"
	is "$(of unused)" '1 0 unused' "calls, $compiler $*: unused"
	is "$(sed -n 's/^work .* //p' uses | grep -c unused)" 0 \
		"calls, $compiler $*: what libc makes for itself" ||
		diag "$(cat uses)"
	"$cc" $flags "$@" -DPART=1 "$src/handed_calls.c" libhanded.so -o calls \
		-lm -pthread -Wl,-rpath,"$T" && ./calls
	ok $? "calls, $compiler $*: a library"
	uses calls >uses
	is "$(of written) $(of unused)" '2 2 1 1' \
		"calls, $compiler $*: any block may be used there" ||
		diag "$(cat uses)"
	"$MPREDUCE" -S calls mon.out >page 2>/dev/null
	like "$(cat page)" 'accesses of libhanded.so aren.t recorded' \
		"calls, $compiler $*: the report says where"
	"$cc" $flags "$@" -shared -fPIC -DPART=2 "$src/handed_calls.c" \
		-o ./libcalls2.so -lm
	"$cc" $flags "$@" -shared -fPIC -DPART=5 "$src/handed_calls.c" \
		libhanded.so -o ./libcalls5.so -lm -Wl,-rpath,"$T"
	for n in 2 5; do
		unset MEMMON_WAY MEMMON_CC
		[[ $ways =~ plugin ]] || return 0
		MEMMON_WAY=plugin "$cc" $flags -DPART=3 \
			"$src/handed_calls.c" -o opens && ./opens ./libcalls$n.so
		ok $? "calls, $compiler $*: a module that is opened later, $n"
		uses opens >uses
		is "$(of mine)" "$([ $n = 2 ] && echo '1 0 write_only' ||
			echo '1 1')" "calls, $compiler $*: ... and closed again" ||
			diag "$(cat uses)"
	done
}

by_calls gcc -O0
! exhaustive || by_calls gcc -O2
if command -v clang >/dev/null; then
	! exhaustive || by_calls clang -O0
	by_calls clang -O2
else
	skip 10 'no clang'
fi

# The instructions of one more call that passes on the end of a large block, a
# FILE, or memory mapped where a large block was: memmon doesn't search from
# there, or doesn't repeat the search.
cat >often.c <<'E'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
void use(const void *p);
char *volatile large;
int main(int argc, char **argv)
{
	int end = atoi(argv[1]), files = atoi(argv[2]), maps = atoi(argv[3]);
	FILE *f = fopen("/dev/zero", "r");
	char *map;

	large = malloc(8 << 20);
	free(large);
	map = mmap((void *)((size_t)large & -4096ul), 8 << 20, PROT_READ,
		   MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0);
	for (int i = 0; i < maps; i++)
		use(map + (7 << 20) + i * 16);
	large = malloc(4 << 20);
	for (int i = 0; i < end; i++)
		use(large + (4 << 20));
	for (int i = 0; i < files; i++)
		if (getc(f) != 0)
			return 1;
	return 0;
}
E
echo 'void use(const void *p) { (void)p; }' >use.c
gcc -c use.c
# counted COUNTS...: the number of instructions of this run.
counted()
{
	valgrind --tool=callgrind --callgrind-out-file=/dev/null ./often "$@" \
		2>&1 | sed -n 's/.*Collected : //p'
}
for way in $ways; do
	[ "$way" = plugin ] && command -v valgrind >/dev/null || continue
	MEMMON_CC=gcc MEMMON_WAY=$way "$cc" -O1 -g often.c use.o -o often
	base=$(counted 100 100 100)
	for more in '1100 100 100' '100 1100 100' '100 100 1100'; do
		n=$(($(counted $more) - base))
		[ "$n" -gt 0 ] && [ "$n" -lt 2000000 ]
		ok $? "$way: a thousand more calls, $more" "$n instructions"
	done
done

# The same for libstdc++'s work on a map, a list and a stream, which lead to
# many blocks that were passed on before; memmon still finds new blocks there.
cat >containers.cc <<'E'
#include <cstdlib>
#include <list>
#include <map>
#include <sstream>
struct box { char *inner; };
extern "C" void look(box *b);
__attribute__((noinline)) static char *fresh() { return (char *)malloc(64); }
int main(int, char **argv)
{
	int steps = atoi(argv[1]), nodes = atoi(argv[2]), texts = atoi(argv[3]);
	box *b = (box *)calloc(1, sizeof(*b));
	std::map<int, int> m;
	std::list<int> l;
	std::ostringstream o;
	long sum = 0;

	for (int i = 0; i < 100; i++)
		m[i] = i;
	for (int i = 0; i < steps; i += 100)
		for (auto &e : m)
			sum += e.second;
	for (int i = 0; i < nodes; i++) {
		l.push_back(i);
		l.pop_front();
	}
	for (int i = 0; i < texts; i++)
		o << ' ';
	for (int i = 0; i < 600; i++) {
		if (i == 100)
			b->inner = fresh();
		look(b);
	}
	free(b->inner);
	free(b);
	return sum < 0;
}
E
echo 'void look(void *p) { (void)p; }' >look.c
gcc -c look.c
for way in $ways; do
	[ "$way" = plugin ] && command -v valgrind >/dev/null || continue
	MEMMON_CXX=g++ MEMMON_WAY=$way "$cxx" -O1 -g containers.cc look.o \
		-o often
	base=$(counted 100 100 100)
	while read -r more; do
		n=$(($(counted ${more%:*}) - base))
		[ "$n" -gt 0 ] && [ "$n" -lt "${more#*:}000000" ]
		ok $? "$way: a thousand more for a container, ${more%:*}" \
			"$n instructions"
	done < <(some <<-'X'
	100 1100 100:8
	+ 1100 100 100:2
	+ 100 100 1100:2
	X
	)
	./often 100 100 100
	uses often >uses
	[[ $(of fresh) =~ ^1\ 1 ]]
	ok $? "$way: a new block is found by one handed over before"
done

# With sampled blocks, few begin near the target of a pointer.
cat >sparse.c <<'E'
#include <stdlib.h>
void look(void *p);
int main(int argc, char **argv)
{
	static char *b[20000];
	int calls = atoi(argv[1]);
	unsigned at = 1;

	for (int i = 0; i < 20000; i++)
		b[i] = malloc(100);
	for (int i = 0; i < calls; i++)
		look(b[(at = at * 1103515245 + 12345) % 20000]);
	return argc != 2;
}
E
for way in $ways; do
	[ "$way" = plugin ] && command -v valgrind >/dev/null || continue
	MEMMON_CC=gcc MEMMON_WAY=$way "$cc" -O1 -g sparse.c look.o -o often
	export MEMMON_SAMPLE=64K MEMMON_SAMPLE_SEED=1
	base=$(counted 1000)
	n=$(($(counted 2000) - base))
	unset MEMMON_SAMPLE MEMMON_SAMPLE_SEED
	[ "$n" -gt 0 ] && [ "$n" -lt 4000000 ]
	ok $? "$way: a thousand more calls with pointers to blocks, sampled" \
		"$n instructions"
done

# Accesses for which clang makes no call: those that its own intermediate code
# does in one piece of other than 1, 2, 4, 8 or 16 bytes.  Then no block has a
# verdict; in all other cases plain members don't lose their verdict.
odd='(load|store) (atomic |volatile )*(x86_fp80|<[0-9]+ x [a-z0-9]+>|i[0-9]+)'
# has_odd FILE FLAG...
has_odd()
{
	"${clang[@]}" "${@:2}" -S -emit-llvm -o - "$1" | grep -oE "$odd" | awk '
		/x86_fp80/ { n++ }
		/ x / { split($0, v, /[<> ]+/); e = v[4] == "float" ? 4 : 8
			n += v[2] * e > 16 }
		/ i[0-9]+$/ { sub(/.* i/, ""); n += !(" 1 8 16 32 64 128 " ~ \
			" " $0 " ") }
		END { exit !n }'
}

# gap TYPE ACCESS NAME [FLAG...]: by the member's name in TYPE, a struct s.
gap()
{
	cat >gap.c <<-E
	#include <stdlib.h>
	typedef float wide __attribute__((vector_size(32), aligned(4)));
	$1
	struct s *volatile keep;
	int main(void)
	{
		struct s *p = keep = malloc(4096);
		int sum = 0;
		for (unsigned i = 0; i < 4096 / sizeof(*p); i++) { $2; }
		for (unsigned i = 0; i < 4096 / sizeof(*p); i++) { $4; }
		return sum == 77;
	}
	E
	"$cc" -w -g "${@:5}" gap.c -o gap && ./gap
	"$MPREDUCE" -bS gap mon.out >page 2>err
	if has_odd gap.c -w "${@:5}"; then
		is "$(grep -c "clang reports no accesses" err) $(grep -c \
			'^ *passed *100%' page) $(grep -cE \
			'^ *(unused|write-only|read-only)' page)" "1 1 0" \
			"clang: no call, no verdict: $3"
	elif [ "${sure:-}" ]; then
		is "$(cat err)$(grep -E '^ *(passed|unused)' page)" "" \
			"clang: all accesses known: $3"
	fi
}

# A row of bit-fields of random widths, in a struct that may be packed, between
# members of other types.
random_struct()
{
	awk -v seed="$1" 'function r(n) { return int(rand() * n) }
	BEGIN { srand(seed); t[0] = "unsigned char"; t[1] = "unsigned short"
		t[2] = "unsigned"; t[3] = "unsigned long"
		printf "struct s { "
		n = 2 + r(4)
		for (i = 0; i < n; i++) { k = r(4)
			if (r(4)) printf "%s a%d:%d; ", t[k], i, 1 + r(8 * 2 ^ k - 1)
			else printf "%s a%d; ", t[k], i }
		print "}" (r(2) ? " __attribute__((packed));" : ";") > "type"
		close("type") }' >type.h
	cat type.h type | tr -d '\n' >one; mv one type
	grep -o 'a[0-9]' type | awk '{ printf "p[i].%s = i; ", $1 }' >set
	grep -o 'a[0-9]' type | awk '{ printf "sum += p[i].%s; ", $1 }' >get
}

if command -v clang >/dev/null; then
	clang=(clang -g)
	export MEMMON_WAY=calls MEMMON_CC=clang
	n=$tap_run
	levels=(-O2)
	! exhaustive || levels+=(-O0)
	for level in "${levels[@]}"; do
		gap 'struct s { unsigned long a:36; unsigned char c; };' \
			'p[i].a = i' "36 bits, $level" 'sum += p[i].a' $level
		gap 'struct s { unsigned a:20; } __attribute__((packed));' \
			'p[i].a = i' "packed, $level" 'sum += p[i].a' $level
		gap 'struct s { unsigned a:20; } __attribute__((packed));' \
			'p[i].a = i' "packed, DWARF 3, $level" \
			'sum += p[i].a' $level -gdwarf-3
		gap 'struct s { long double a; };' 'p[i].a = i' \
			"long double, $level" 'sum += p[i].a' $level
		gap 'struct s { wide a; };' 'p[i].a = (wide){ i }' \
			"a vector, $level" 'p[i].a += p[i].a' $level -mavx2
		gap 'struct s { long double a; };' 'p[i].a = i' \
			"long double without debug information, $level" \
			'sum += p[i].a' $level -g0
	done
	is $((tap_run - n)) $((6 * ${#levels[@]})) \
		'clang: each of these has such accesses'
	sure=1
	gap 'struct s { unsigned a:20; int b; double c; void *d; };' \
		'p[i].a = i; p[i].b = i; p[i].c = i; p[i].d = p' 'plain members' \
		'sum += p[i].a + p[i].b + (int)p[i].c + !p[i].d' -O1
	gap 'struct s { unsigned a:3, b:9, c:4; short d; };' \
		'p[i].a = p[i].b = p[i].c = p[i].d = i' 'whole bit-fields' \
		'sum += p[i].a + p[i].b + p[i].c + p[i].d' -O1
	sure='' n=$tap_run
	for seed in $(exhaustive && seq 200 || seq 3); do
		random_struct "$seed"
		gap "$(cat type)" "$(cat set)" "random $seed: $(cat type)" \
			"$(cat get)" -O0
	done
	ok $((tap_run == n)) 'clang: some random structs have such accesses'
	unset MEMMON_WAY MEMMON_CC
else
	skip 16 'no clang'
fi
# A library recorded by the plugin calls back a program recorded by calls, whose
# table of names for the linker is empty.
if [[ $ways =~ plugin ]]; then
	cat >back.c <<'C'
void back(void (*f)(char *), char *p) { f(p); }
C
	cat >main.c <<'C'
#include <stdlib.h>
void back(void (*f)(char *), char *p);
static void fill(char *p) { p[0] = 1; }
__attribute__((noinline)) static void mine(void)
{
	char *p = malloc(16);
	back(fill, p);
	free(p);
}
int main(void) { mine(); return 0; }
C
	MEMMON_WAY=plugin "$cc" -g -O0 -shared -fPIC back.c -o libback.so &&
		MEMMON_WAY=calls "$cc" -g -O0 -no-pie main.c -o main -L. -lback \
			-Wl,-rpath,"$T" && ./main
	ok $? 'a library calls back a program that shows no names'
	uses main >uses
	is "$(of mine)" '1 0 write_only' '... which is recorded' ||
		diag "$(cat uses)"
else
	skip 2 'no plugin'
fi
is "$(sed -n 's/^LIBC[_A-Z]*(\(.*\))$/\1/p' "$MEMMON_SRC/monitor/access/harmless.h" |
	LC_ALL=C sort -cu 2>&1)" '' 'the names of harmless functions are sorted'

if command -v valgrind >/dev/null; then
	[[ $ways =~ plugin ]] && main_program -O0 && checked main plain library
	"$CC" -g -O0 "$src/handed_libc.c" -o plain_libc -pthread
	for way in $ways; do
		export MEMMON_WAY=$way
		"$cc" -g "$src/handed_libc.c" -o libc -pthread && ./libc >out
		uses libc >uses
		checked libc plain_libc "libc, $way"
	done
else
	skip 3 'no valgrind'
fi

# A block that the program has made unreadable is passed on, and memmon doesn't
# read it.
cat >hidden.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
struct node { struct node *next; long v; };
void use(const struct node *n);
int main(void)
{
	struct node *n = aligned_alloc(4096, 8192);
	n->next = NULL;
	mprotect(n, 8192, PROT_NONE);
	use(n);
	mprotect(n, 8192, PROT_READ | PROT_WRITE);
	free(n);
	puts("done");
	return 0;
}
C
echo 'struct node; void use(const struct node *n) { (void)n; }' >use.c
"$CC" -shared -fPIC -o libuse.so use.c &&
	"$cc" $flags -O1 -o hidden hidden.c -L. -luse -Wl,-rpath,"$T"
is "$(./hidden; echo $?)" $'done\n0' 'a block that may not be read'
done_testing
