#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Time and memory of mpreduce are bounded by the sizes of its files, even if the
# files claim more.  Each file here is read within a multiple of its size, and
# within more CPU time than any machine needs.
. "${MEMMON_SRC:-.}/tests/tap.sh"

make="$MEMMON_BUILD/tests/monmake"
mpreduce="$MEMMON_BUILD/mpreduce"

# The KiB that mpreduce maps for an empty file, and some more.
base=150000

# run TIMES FILE ARG...: mpreduce with memory of TIMES the file's size.
run()
{
	local times=$1 file=$2 size
	shift 2
	size=$(stat -c %s "$file")
	(
		ulimit -v $((base + times * size / 1024)) -t 60
		exec "$mpreduce" "$@"
	) >out 2>err
}

# bounded NAME TIMES FILE ARG...: it is read, with status 0, or 4: not whole.
bounded()
{
	local name=$1
	shift
	run "$@"
	is $? "$(status_of err)" "$name" || diag "$(head -n 3 err)"
}

# refused NAME TIMES FILE ARG...: mpreduce reads the file, or refuses it with
# one line that says why.
refused()
{
	local name=$1
	shift
	run "$@"
	local status=$?
	[[ $status = 1 || $status = "$(status_of err)" ]] && ! grep -q 'out of memory' err
	ok $? "$name" || diag "$(head -n 3 err)"
}

# ------------------------------------------------------------ data files --

# records CODE: prints the records of a data file; CODE is perl that uses the
# functions below.
records()
{
	perl -e "$(cat <<'EOF1'
		use strict;
		my @crc = map { my $c = $_;
			$c = $c & 1 ? 0xedb88320 ^ $c >> 1 : $c >> 1 for 1 .. 8;
			$c } 0 .. 255;
		sub crc { my $c = 0xffffffff;
			$c = $crc[($c ^ $_) & 255] ^ $c >> 8
				for unpack "C*", $_[0];
			$c ^ 0xffffffff }
		# v NUMBER...: varints.
		sub v { join "", map { my ($n, $s) = ($_, "");
			while ($n > 127) { $s .= chr(128 | $n & 127); $n >>= 7 }
			$s . chr $n } @_ }
		# record TAG COUNT FIRST PAYLOAD
		sub record { my ($tag, $count, $first, $p) = @_;
			my $h = pack "a4VQ<V", $tag, $count, $first, length $p;
			$h . pack("V", crc($h . $p)) . $p }
		# table TAG FIRST ITEM...: as many records as it takes
		sub table { my ($tag, $first, @items) = @_;
			my ($out, $p, $n) = ("", "", 0);
			for (@items) {
				if (length($p) + length > 65536) {
					$out .= record($tag, $n, $first, $p);
					$first += $n; ($p, $n) = ("", 0);
				}
				$p .= $_; $n++;
			}
			$out . record($tag, $n, $first, $p) }
		sub module { my ($flags, $path) = @_;
			v(0, 0, 0, $flags, 0, length $path) . $path }
		my $h = pack "a8vvVV", "\211memmon\n", 1, 0, 0x01020304, 0;
		print $h, pack("V", crc($h));
EOF1
	) $1"
}

huge='for ("RUN ", "MOD ", "NODE", "SITE", "BIN ", "PEAK", "LIFE", "THRD",
	"USE ", "GRP ", "FLD ", "MARK", "LEAK", "TOTL", "what") {'
records "$huge"' print record($_, 4294967295, 0, ""), record($_, 4294967295, 1,
	v(1, 1, 1)), record($_, 1, 1 << 62, v(1) x 40); }' >counts
bounded "counts of items" 20 counts counts
records "$huge"' print record($_, 1, 0, v(1) . v(1 << 62) x 20),
	record($_, 1, 1, v(1, 0, 1 << 40) . v(1 << 40) x 9); }' >lengths
bounded "lengths of strings and lists" 20 lengths lengths
records 'for (0 .. 9) { print substr(record("SITE", 1, 0, ""), 0, 16),
	pack("VV", 0xffffff00, 0) }' >payload
bounded "lengths of payloads" 20 payload payload
is "$(grep -c 'truncated after 24 of' err)" 1 "lengths of payloads: cut"
records 'print record("MOD ", 1, 20, module(0, "/a")),
	record("NODE", 1, 50, v(50, 1 << 50, 1)),
	record("NODE", 1, 60, v(60, 20, 1)), "x" x 200' >numbers
bounded "numbers of modules and nodes" 20 numbers numbers

# Nodes that are packed a thousand to one: mpreduce accepts as many as the file
# may unpack to, with or without a call path to them.
if command -v zstd >/dev/null; then
	perl -e 'print pack("C*", 1, 0, 0) x 21845' | zstd -q -19 --no-check >frame
	packed='local $/; open F, "<", "frame"; my $z = "NODE" . <F>; my $n = 0;
		for (1 .. 900) { print record("PACK", 21845, 1 + $n, $z); $n += 21845 }'
	records "$packed" >packed
	records "$packed"'print record("SITE", 1, 0, v($n, 0, 1, 1, 8, 0, 0))' >site
	bounded "packed nodes" 600 packed packed
	bounded "packed nodes, information" 600 packed -i packed
	bounded "packed nodes, JSON" 600 packed --json packed
	bounded "packed nodes, sum" 600 packed -s packed
	like "$(cat err)" "damaged records left out" "packed nodes: said"
	bounded "packed nodes that aren't on the path" 600 site --json site
else
	skip "no zstd"
fi
rm -f mon.sum

# A site at each of the nodes of one call path: of one function, of many, or
# with a root that all share.  In the last file, callers and callees are many.
n=25000
! exhaustive || n=100000
sites='table("SITE", 0, map { v($_, 0, 1, 1, 8, 0, 0) } 1 .. '$n')'
records "print table(\"NODE\", 1, map { v(1, 0, 4096) } 1 .. $n), $sites" >deep
records "print table(\"NODE\", 1, map { v(1, 0, 4096 + \$_) } 1 .. $n), $sites" \
	>long
records "print table(\"NODE\", 1, map { v(\$_ > 1 ? \$_ - 1 : 1, 0,
	4096 + \$_) } 1 .. $n), $sites" >wide
for file in deep long wide; do
	bounded "$n nodes, $file" 600 $file $file
	bounded "$n nodes, $file, information" 600 $file -i $file
	bounded "$n nodes, $file, sum" 600 $file -s $file
done
rm -f mon.sum

# The tables print each function's library; a function without a name has the
# library's name in its own.
n=5000
! exhaustive || n=20000
records 'print table("MOD ", 1, module(0, "/" . "m" x 60000)),
	table("NODE", 1, map { v($_, 1, $_ * 16) } 1 .. '$n'),
	table("SITE", 0, map { v($_, 0, 1, 1, 8, 0, 0) } 1 .. '$n')' >label
bounded "a long name of a module" 600 label label
bounded "a long name of a module, JSON" 600 label --json label
[ "$(wc -c <out)" -lt 100000000 ]
ok $? "nor is it written over and over"

# Many modules are each marked as the program, which has no build-id.
cat >prog.c <<'EOF1'
int main(void) { return 0; }
EOF1
$CC -g -Wl,--build-id=none -o prog prog.c
records 'print table("MOD ", 1, map { module(1, "/x/$_") } 1 .. 4000),
	table("NODE", 1, map { v($_, $_, 16 * $_) } 1 .. 4000),
	table("SITE", 0, map { v($_, 0, 1, 1, 8, 0, 0) } 1 .. 4000)' >exes
bounded "many modules that are the program" 600 exes -b prog exes

# Many names of one file, which is larger than all of the data.
self=$mpreduce
records 'my @m; for (1 .. 300) { push @m, module(0, "/" x $_ . "'"$self"'") }
	print table("MOD ", 1, @m),
	table("NODE", 1, map { v($_, $_, 0x4000) } 1 .. 300),
	table("SITE", 0, map { v($_, 0, 1, 1, 8, 0, 0) } 1 .. 300)' >names
bounded "many names of one file" 600 names names

# Sums beyond 64 bits: a value that doesn't fit is left out, or mpreduce ends
# with an error.
records 'print table("SITE", 0, map { v(0, 0, 8, 1, 1 << 63, 0, 0) } 1 .. 9)' \
	>sums
bounded "sums beyond 64 bits" 20 sums sums
like "$(cat err)" "8 impossible sites" "what doesn't fit is left out"
records 'print table("NODE", 1, map { v(1, 0, 64) } 1 .. 99),
	table("SITE", 0, v(99, 0, 1, 1 << 60, 0, 0, 0))' >calls
refused "calls beyond 64 bits" 20 calls calls
like "$(cat err)" "exceed 64 bits" "calls that don't fit are refused"

# ----------------------------------------------------- programs, damaged --

# A name that expands to 2^60 names.
bomb=_Z1fSt4pairIiiE
digits=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ
for ((i = 0; i < 60; i++)); do
	s=${digits:i % 36:1}
	[ $i -lt 36 ] || s=${digits:i / 36 - 1:1}$s
	bomb+=S_IS${s}_S${s}_E
done
# elf NAME: a program of the assembler's input, with a function at 0x401000.
elf()
{
	cat - >"$1.s"
	$CC -nostdlib -static -no-pie -Wl,--build-id=none -Wl,-Ttext=0x401000 \
		-o "$1" "$1.s"
}
records 'print table("MOD ", 1, module(1, "/x/good")),
	table("NODE", 1, map { v($_, 1, 0x401001 + $_) } 1 .. 50),
	table("SITE", 0, map { v($_, 0, 1, 1, 8, 0, 0) } 1 .. 50),
	table("BIN ", 0, v(8, 50, 0)),
	record("TOTL", 1, 0, v(1, 1, 50))' >at

elf bomb <<EOF1
	.globl _start, $bomb
	.type $bomb, @function
_start:
$bomb:	.skip 64
	.size $bomb, 64
EOF1
bounded "a name that stands for 2^60" 2000 bomb bomb at
is "$(grep -c "$bomb" out | grep -cv '^0')" 1 "it is shown as it is"

# Below, a compilation unit in the assembler's words.
head='	.globl _start
_start:	.skip 64
end:	.section .debug_abbrev,"",@progbits
	.uleb128 1, 0x11; .byte 1; .uleb128 3, 8, 0x11, 1, 0x12, 7, 0, 0
	.uleb128 2, 0x2e; .byte 0; .uleb128 3, 8, 0x55, 0x17, 0, 0
	.uleb128 3, 0x2e; .byte 0; .uleb128 3, 8, 1, 0x13, 0, 0
	.uleb128 4, 0x39; .byte 1; .uleb128 3, 8, 0, 0
	.uleb128 5, 0x16; .byte 0; .uleb128 3, 8, 0x49, 0x13, 0, 0
	.uleb128 6, 0x13; .byte 1; .uleb128 3, 8, 0xb, 5, 0, 0
	.uleb128 7, 0xd; .byte 0; .uleb128 3, 8, 0x49, 0x13, 0x38, 0xb, 0, 0
	.uleb128 8, 0xf; .byte 0; .uleb128 0x49, 0x13, 0, 0
	.uleb128 9, 1; .byte 0; .uleb128 0x49, 0x13, 0, 0
	.byte 0
	.section .debug_info,"",@progbits
unit:	.long last - first
first:	.word 4; .long 0; .byte 8
	.uleb128 1; .asciz "x.c"; .quad _start, 64'
tail='	.byte 0
last:'

elf ranges <<EOF1
$head
	.rept 4000
	.uleb128 2; .asciz "f"; .long 0
	.endr
$tail
	.section .debug_ranges,"",@progbits
	.rept 5000
	.quad _start, end
	.endr
	.quad 0, 0
EOF1
bounded "4000 functions that share a list of 5000 ranges" 1500 ranges ranges at
elf siblings <<EOF1
$head
	.uleb128 3; .asciz "f"; .long 1f - unit
	.uleb128 3; .asciz "g"; .long 2f - unit
1:	.uleb128 3; .asciz "h"; .long 1b - unit
2:	.uleb128 3; .asciz "i"; .long 1b - unit
$tail
EOF1
bounded "siblings that lead back" 2000 siblings siblings at
elf nested <<EOF1
$head
	.rept 100000
	.uleb128 4; .asciz "n"
	.endr
	.skip 100000
$tail
EOF1
bounded "100000 namespaces in one another" 2000 nested nested at
elf types <<EOF1
$head
1:	.uleb128 5; .asciz "a"; .long 2f - unit
2:	.uleb128 5; .asciz "b"; .long 1b - unit
3:	.uleb128 8; .long 3b - unit
4:	.uleb128 9; .long 4b - unit
5:	.uleb128 5; .asciz "c"; .long 4b - unit
6:	.uleb128 6; .asciz "s"; .word 8
	.rept 50
	.uleb128 7; .asciz "m"; .long 6b - unit; .byte 0
	.endr
	.byte 0
$tail
EOF1
bounded "types made of themselves" 2000 types --fields types at
elf compressed <<EOF1
	.globl _start
_start:	.skip 64
	.section .debug_info,"",@progbits
	.long 1, 0; .quad 1 << 40, 1
	.skip 64, 0x78
EOF1
# The assembler has no name for the flag: it is 0x800, in the header.
perl -0777 -pi -e 's/(.{4}\x01\0\0\0)\0\0\0\0\0\0\0\0(.{16}\x58\0\0\0\0\0\0\0)/$1\0\x08\0\0\0\0\0\0$2/s' \
	compressed
bounded "a section that says it had 2^40 bytes" 2000 compressed compressed at

# ------------------------------------------ what libdw can't cope with ----

# A library that has libdw crash, destroy the heap, use up the stack, or never
# end, in the place of a broken file.  It lets only a second pass until mpreduce
# thinks so, unless $HANGS is set, a file that is made when that has begun.
cat >shim.c <<'EOF1'
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
static int deeper(volatile char *p)
{
	volatile char more[4096] = { *p };
	return deeper(more) + more[1];
}
void *dwarf_getsrc_die(void *die, unsigned long addr)
{
	const char *how = getenv("SHIM");
	volatile char c = 0, *p;
	(void)die, (void)addr;
	switch (*how) {
	case 'h': /* hangs, and says so */
		if (getenv("HANGS"))
			close(open(getenv("HANGS"), O_CREAT | O_WRONLY, 0600));
		for (;;)
			(void)*(volatile char *)"";
	case 'd': /* destroys all small blocks, and asks for more */
		p = malloc(24);
		for (long i = 0; i < 20000; i++)
			p[i - 10000] = 0x41;
		for (int i = 0; i < 1000; i++)
			free(malloc(i * 8));
		abort();
	case 's': /* stack */
		return (void *)(long)deeper(&c);
	}
	*(volatile char *)8 = 0;
	return NULL;
}
int setitimer(__itimer_which_t which, const struct itimerval *v,
	      struct itimerval *old)
{
	struct itimerval t = *v;

	if (!getenv("HANGS"))
		t.it_value.tv_sec = !!t.it_value.tv_sec;
	return (int)syscall(SYS_setitimer, which, &t, old);
}
EOF1
$CC -shared -fPIC -o shim.so shim.c
elf good <<EOF1
$head
	.uleb128 2; .asciz "f"; .long 0
$tail
	.section .debug_ranges,"",@progbits
	.quad _start, end, 0, 0
EOF1
for how in crash destroy stack hang; do
	SHIM=$how LD_PRELOAD=$PWD/shim.so "$mpreduce" good at >out 2>err
	is $? 0 "$how in libdw: status"
	is "$(grep '^mpreduce' err)" \
		"mpreduce: good: is damaged: its debug information can't be\
 read, so its functions have no names; restore the file, or run the program\
 again" "$how in libdw: warning"
	like "$(cat out)" '\[good\+0x40100[0-9a-f]\]' "$how in libdw: tables"
	[ $how != crash ] || mv out crash.out
	[ $how = crash ] || is_file out crash.out '... the same'
done
# After a crash in libdw, mpreduce can still read data that came by a pipe.
echo 'leak:nothing' >patterns
SHIM=crash LD_PRELOAD=$PWD/shim.so "$mpreduce" --diff \
	--suppressions=patterns good at at >want 2>&1
cat at | SHIM=crash LD_PRELOAD=$PWD/shim.so "$mpreduce" --diff \
	--suppressions=<(cat patterns) good <(cat at) /dev/stdin >out 2>&1
is "$? $(grep -c damaged out)" "0 2" "crash in libdw, data from pipes: status"
is "$(sed 's/^\(old\|new\): [^:]*/\1: at/' out)" \
	"$(sed 's/^\(old\|new\): [^:]*/\1: at/' want)" "... the same"
cat at | "$mpreduce" /dev/stdin >out 2>err
"$mpreduce" at 2>err >want
is_file out want "data from a pipe, without the program"
HANGS=hangs SHIM=hang LD_PRELOAD=$PWD/shim.so timeout -s INT 0.3 \
	"$mpreduce" good at >out 2>err
is "$? $(cat out)" "124 " "it can be interrupted"
for s in TERM:143 KILL:137; do
	mkfifo "pipe$s"
	rm -f hangs
	# It ends when no process can write into the pipe any more.
	timeout "$HANG" cat "pipe$s" >out &
	reader=$!
	bash -c 'HANGS=hangs SHIM=hang LD_PRELOAD=$0/shim.so "$1" good at >"$2" &
		until [ -e hangs ] || ! kill -0 $!; do sleep 0.05; done
		kill -"$3" $!; wait $!; echo $?' \
		"$PWD" "$mpreduce" "pipe$s" "${s%:*}" >o 2>/dev/null
	wait $reader
	is "$? $(cat o)" "0 ${s#*:}" "... by SIG${s%:*}, and leaves nobody behind"
done
"$mpreduce" good at >out 2>err
is "$?$(cat err)" 0 "without them all is well"

# A device isn't opened because a data file names it.
records 'print table("MOD ", 1, module(0, "/dev/zero"), module(0, "/dev/full")),
	table("NODE", 1, v(1, 1, 16), v(1, 2, 16)),
	table("SITE", 0, v(2, 0, 1, 1, 8, 0, 0))' >devices
if command -v strace >/dev/null; then
	strace -f -e trace=open,openat -o trace "$mpreduce" devices >out 2>err
	is "$(grep -c '/dev/zero\|/dev/full' trace)" 0 "devices aren't opened"
else
	skip 1 "no strace"
fi
done_testing
