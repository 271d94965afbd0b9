#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Types that calls return in C, without running anything: machines, compilers
# and shapes of debug information; answers for which the corpus has no example.
. "${MEMMON_SRC:-.}/tests/tap.sh"
cd "$T" || exit 1
dump=$MEMMON_BUILD/tests/guessdump

# "= ANSWER TYPE" at the end of a line is the expected answer for the calls in
# it.
cat >calls.c <<'EOF1'
typedef unsigned long size_t;
void *get(size_t n);
void *get_realloc(void *p, size_t n);
void *memset(void *p, int c, size_t n);
void use(void *p);
struct node { struct node *next, *child[4]; long v; struct in { int *a; char *s; } in[3]; };
struct head { long n; struct node *first; };
struct big { struct head head; long more[6]; };
typedef struct { float x, y; } point;
extern struct head *global;
struct head *global;
struct node *table[8];

struct head *variable(void)
{
	struct head *h = get(sizeof *h); // = found struct head

	if (!h)
		return 0;
	h->n = 0;
	return h;
}
void member(struct head *h)
{
	h->first = get(48); // = found struct node
}
void deep(struct head *h, int i)
{
	h->first->next->in[i].a = get(48); // = found int
}
void indexed(struct node *n, int i)
{
	n->child[i] = get(48); // = found struct node
}
void array(int i)
{
	table[i] = get(48); // = found struct node
}
void fixed(void)
{
	global = get(16); // = found struct head
}
int out(point **to)
{
	*to = get(8); // = found point
	return *to ? 0 : -1;
}
void *passed(size_t n)
{
	void *p = get(n); // = pass ?

	if (!p)
		__builtin_trap();
	return p;
}
void *cleared(size_t n)
{
	void *p = get(n); // = pass ?

	return memset(p, 0, n);
}
static __attribute__((noipa)) void *given_back(int n, void *p)
{
	*(int *)p = n;
	return p;
}
void *through(size_t n)
{
	void *p = get(n); // = pass ?

	if (!p)
		__builtin_trap();
	return given_back(1, p);
}
void dropped(size_t n)
{
	use(get(n)); // = unknown ?
}
struct node *typed(size_t n)
{
	return get(n); // = found struct node
}
static inline void *inner(size_t n)
{
	void *p = get(n); // = * *
	return p;
}
point *outer(int n)
{
	point *p = inner(n * sizeof(point)); // = * *

	p[0].x = p[n - 1].y = 1;
	return p;
}
void grow(struct head *h, size_t n)
{
	h->first = get_realloc(h->first, n); // = found struct node
}
char *text(size_t n)
{
	char *s = get(n); // = found char

	s[0] = 0;
	return s;
}
EOF1

# check NAME FILE: the answers are those in the comments, for all calls.
check()
{
	awk -F '\t' -v name="$1" '
		FNR == NR {
			if (match($0, /\/\/ = /)) {
				split(substr($0, RSTART + 5), w, " ")
				answer[FNR] = w[1]
				sub(/.*\/\/ = [a-z*]+ /, "")
				type[FNR] = $0
			}
			next
		}
		$1 in answer {
			seen[$1] = 1
			if (answer[$1] == "*")
				next
			if ($2 != answer[$1] || ($4 != type[$1] &&
			    type[$1] != "?"))
				print name ": line " $1 ": " $2 " " $4 \
					", not " answer[$1] " " type[$1]
		}
		END {
			# Some of them become jumps.
			for (l in answer)
				if (!(l in seen) && name ~ /-O0/)
					print name ": line " l ": no call"
		}' calls.c "$2" >bad
	is "$(cat bad)" "" "$1"
}

# try NAME COMMAND...: the command makes NAME.so.
try()
{
	local name=$1
	shift
	if ! "$@" -w -fPIC -shared -nostdlib -o "$name.so" calls.c >log 2>&1; then
		skip 1 "$name can't be built"
		return
	fi
	timeout "$HANG" "$dump" "$name.so" >"$name.got" 2>&1
	check "$name" "$name.got"
}

for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	for level in -O0 -O1 -O2 -Os; do
		try $cc$level $cc -g $level
	done
	try $cc-dwarf-4 $cc -gdwarf-4 -O2
	try $cc-split $cc -g -gsplit-dwarf -O2
	try $cc-no-plt $cc -g -O2 -fno-plt
	try $cc-frame-pointer $cc -g -O2 -fno-omit-frame-pointer
	try $cc-sections $cc -g -O2 -ffunction-sections -fcf-protection=full
done
# Places of members are expressions there.
command -v clang >/dev/null && try clang-dwarf-2 clang -gdwarf-2 -O2
for level in -O0 -O2; do
	try aarch64-clang$level clang --target=aarch64-linux-gnu \
		-fuse-ld=lld -g $level
done
command -v aarch64-linux-gnu-gcc >/dev/null &&
	for level in -O0 -O2; do
		try aarch64-gcc$level aarch64-linux-gnu-gcc -g $level
	done
done_testing
