#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lisp in ECL: each object once, with its type, by functions with their Lisp
# names, compiled and interpreted; classes of objects in place of sizes.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
command -v ecl >/dev/null || skip_all 'no ecl'
ecl=$(readlink -f "$(command -v ecl)")

# Each function prints its allocations, so the test knows them.
cat >made.lisp <<'L'
(defstruct point x y)
(defclass shape () ((a :initarg :a) (b :initarg :b)))
(defvar *keep* nil)
(defun make-conses (n) (let ((l nil)) (dotimes (i n l) (setq l (cons i l)))))
(defun make-floats (n) (let ((x 0.5d0)) (dotimes (i n x) (setq x (+ x 1.5d0)))))
(defun make-points (n) (dotimes (i n) (push (make-point :x i :y i) *keep*)))
(defun make-shapes (n) (dotimes (i n) (push (make-instance 'shape :a i :b i) *keep*)))
(defun make-vectors (n) (dotimes (i n) (push (make-array 10) *keep*)))
(defun make-tables (n) (dotimes (i n) (push (make-hash-table) *keep*)))
(defun make-strings (n) (dotimes (i n) (push (make-string 20) *keep*)))
(defun make-bigs (n) (dotimes (i n) (push (+ most-positive-fixnum i 1) *keep*)))
(defun make-closures (n) (dotimes (i n) (let ((k i)) (push (lambda () (incf k)) *keep*))))
(defun deep (n) (if (= n 0) (make-array 77) (list (deep (- n 1)))))
(defun run ()
  (make-conses 10000) (make-floats 1000) (make-points 500) (make-shapes 300)
  (make-vectors 150) (make-tables 20) (make-strings 130) (make-bigs 200)
  (make-closures 110) (push (deep 5) *keep*))
L
# lisp FORM...: runs the forms in ECL, under memmon; its output goes to `out'.
lisp()
{
	printf '%s\n' "$@" '(ext:quit)' >do.lisp
	timeout "$HANG" "$MEMMON" ecl --norc --shell do.lisp >out 2>err </dev/null
}
# made TYPE FUNCTION: the number of objects of TYPE allocated by FUNCTION of
# $package.
package=COMMON-LISP-USER
made()
{
	"$MPREDUCE" --export=csv --sql="SELECT coalesce(sum(allocs), 0) FROM items
		WHERE type = '$1' AND site REGEXP '$package:$2( |$)'" "$ecl" mon.out 2>err |
		tr -d '\r' | tail -n 1
}

printf '%s\n' '(compile-file "made.lisp") (ext:quit)' >c.lisp
ecl --norc --shell c.lisp >out 2>&1 </dev/null
[ -e made.fas ] || { diag "$(tail -n 5 out)"; skip_all 'ecl cannot compile here'; }
for way in compiled interpreted; do
	file=made.lisp
	[ $way != compiled ] || file=made.fas
	lisp "(load \"$file\")" '(run)'
	is $? 0 "$way: it runs" || diag "$(cat out err)"
	is "$(total mon.out 'frees unseen')" 0 "$way: what ECL frees has been counted"
	while read -r type function n; do
		got=$(made "$type" "$function")
		# The interpreter adds up from 0.
		[ $n != FLOATS ] || { n=1000; [ $way = compiled ] || n=2000; }
		case $n in
		*+) [ "$got" -ge "${n%+}" ] && [ "$got" -le $((${n%+} + 40)) ]
			ok $? "$way: $function makes $n of $type ($got)" ;;
		*) is "$got" "$n" "$way: $function makes $n of $type" ;;
		esac
	done <<-'W'
	CONS MAKE-CONSES 10000+
	DOUBLE-FLOAT MAKE-FLOATS FLOATS
	COMMON-LISP-USER:POINT MAKE-POINTS 500
	COMMON-LISP-USER:SHAPE MAKE-SHAPES 300+
	VECTOR MAKE-VECTORS 150
	HASH-TABLE MAKE-TABLES 20
	STRING MAKE-STRINGS 130
	BIGNUM MAKE-BIGS 399
	CLOSURE MAKE-CLOSURES 110
	VECTOR DEEP 1
	W
	is "$("$MPREDUCE" --export=csv --sql="SELECT type, sum(kept_blocks)
		FROM items WHERE site REGEXP 'COMMON-LISP-USER:MAKE-' AND
		type IN ('COMMON-LISP-USER:POINT', 'HASH-TABLE', 'STRING')
		GROUP BY type" "$ecl" mon.out 2>err | tr -d '\r' | tail -n +2 | tr '\n' ' ')" \
		'COMMON-LISP-USER:POINT,500 HASH-TABLE,20 STRING,130 ' \
		"$way: what a variable leads to is kept"
done
like "$("$MPREDUCE" --export=csv --sql="SELECT site FROM items WHERE
	site REGEXP 'DEEP' AND type = 'VECTOR'" "$ecl" mon.out 2>err | tail -n 1)" \
	'(COMMON-LISP-USER:DEEP > ){2,6}' 'recursion of interpreted functions is in the chain'
like "$("$MPREDUCE" -i mon.out)" '  lisp +1' 'the data file says that it is Lisp'
"$MPREDUCE" --direct "$ecl" mon.out >direct 2>err
like "$(cat direct)" 'c--f--s--o' 'the classes of the tables are those of objects'
like "$(cat direct)" 'c f s o are classes of Lisp objects' '... as the legend says'
"$MPREDUCE" -q "$ecl" mon.out >graph 2>err
like "$(grep 'MAKE-CONSES \[' graph | tail -n 1)" ' \*\* +\| ' 'MAKE-CONSES makes conses alone' ||
	diag "$(grep MAKE-CONSES graph)"
# ECL's own account of the bytes that the collector has handed out, between two
# points in time.  ECL counts pages of blocks of one size, and few such pages
# are in use here.
cat >bytes.lisp <<'L'
(defun bytes () (nth-value 0 (si::gc-stats t)))
(defun measured (f n)
  (let* ((a (bytes)) (b (bytes)))
    (funcall f n)
    (format t "~&said ~a:~a ~d~%" (package-name (symbol-package f)) f (- (bytes) b (- b a)))))
L
# as_said NAME FUNCTION...: each is `(name n)'; the file that was loaded is in
# `file'.
as_said()
{
	local name=$1 function bytes got
	shift
	lisp "(load \"$file\")" '(load "bytes.lisp")' \
		"(dolist (f '($*)) (apply #'measured f))"
	is "$(grep -c '^said' out)" $# "$name: ECL tells of each" || diag "$(tail -n 5 out err)"
	while read -r _ function bytes; do
		got=$("$MPREDUCE" --export=csv --sql="SELECT
			sum(allocs * ((size + 15) / 16 * 16)) FROM items
			WHERE site REGEXP '$function( |$)'" "$ecl" mon.out 2>err |
			tr -d '\r' | tail -n 1)
		ok $((got < bytes - 3 * 4096 || got > bytes + 3 * 4096)) \
			"$name: $function: bytes as ECL's statistics have them ($got, $bytes)"
	done < <(grep '^said' out)
}
file=made.fas
as_said compiled '(make-conses 100000)' '(make-floats 30000)' '(make-points 20000)' \
	'(make-shapes 5000)' '(make-vectors 5000)' '(make-tables 300)' \
	'(make-strings 5000)' '(make-bigs 20000)' '(make-closures 10000)'
file=made.lisp
! exhaustive || as_said interpreted '(make-conses 10000)' '(make-floats 3000)' '(make-points 2000)' \
	'(make-shapes 500)' '(make-vectors 500)' '(make-tables 30)' \
	'(make-strings 500)' '(make-bigs 2000)' '(make-closures 1000)'

# Larger programs.
cp "$MEMMON_SRC/tests/prog/gabriel.lisp" .
printf '%s\n' '(compile-file "gabriel.lisp") (ext:quit)' >c.lisp
ecl --norc --shell c.lisp >out 2>&1 </dev/null
file=gabriel.fas
if exhaustive; then
	as_said gabriel '(bench::derive-rounds 1000)' '(bench::divide-rounds 500)' \
		'(bench::destroy-rounds 1000)' '(bench::browse-rounds 10)' \
		'(bench::prove-rounds 20)' '(bench::count-rounds 10)' \
		'(bench::puzzle-rounds 100)' '(bench::traverse-rounds 50)' \
		'(bench::power-rounds 100)' '(bench::wave-rounds 100)'
	package=BENCH
	while read -r type function n; do
		is "$(made "$type" "$function")" "$n" \
			"gabriel: $function makes $n of $type"
	done <<-'W'
	CONS DERIVE-ROUNDS 49000
	CONS DIVIDE-ROUNDS 75000
	CONS COUNT-ROUNDS 270
	CONS TRAVERSE-ROUNDS 30000
	BENCH:VERTEX TRAVERSE-ROUNDS 5000
	DOUBLE-FLOAT WAVE-ROUNDS 25400
	W
fi
package=COMMON-LISP-USER

# Entries of the tables: functions with their packages, who calls them, and
# functions that call each other as a cycle.  The cycle doesn't contain ECL's
# own ways to call.  By construction LEAF makes 100 + 2 * 50 conses, EVEN-STEP
# 4, ODD-STEP 3, TWICE and VISIT one each.
cat >zoo.lisp <<'L'
(defpackage "ZOO" (:use "CL") (:export "VISIT"))
(in-package "ZOO")
(declaim (notinline leaf even-step odd-step twice visit))
(defun leaf (n) (let ((l nil)) (dotimes (i n l) (push i l))))
(defun even-step (n) (cons n (if (= n 0) (leaf 100) (odd-step (- n 1)))))
(defun odd-step (n) (cons n (if (= n 0) (leaf 100) (even-step (- n 1)))))
(defun twice (n) (cons (leaf n) (leaf n)))
(defun visit () (cons (even-step 6) (twice 50)))
L
printf '%s\n' '(compile-file "zoo.lisp") (ext:quit)' >c.lisp
ecl --norc --shell c.lisp >out 2>&1 </dev/null
# entries: ZOO's functions in the call graph, each with its callers and its
# callees in ZOO, and the number of blocks; * in a cycle.
entries()
{
	"$MPREDUCE" -b -q "$ecl" mon.out 2>err | perl -ne '
		if (/^-+[a-z-]*-+$/) { @up = @down = (); $self = ""; }
		next unless m{ (\d+)(?:/\d+)? +(ZOO:\S+) \[\d+\]( in <cycle)?};
		my $row = "$2" . ($3 ? "*" : "") . ":$1";
		if (/^\[/) { $self = $row } elsif ($self) { push @down, $row }
		else { push @up, $row }
		$of{$self} = "@{[sort @up]} > $self > @{[sort @down]}" if $self;
		END { print map { "$of{$_}\n" } sort keys %of }' | sed 's/^ //; s/ $//'
}
cat >want <<'W'
ZOO:ODD-STEP*:105 ZOO:VISIT:107 > ZOO:EVEN-STEP*:212 > ZOO:LEAF:100 ZOO:ODD-STEP*:106
ZOO:EVEN-STEP*:100 ZOO:TWICE:100 > ZOO:LEAF:200 >
ZOO:EVEN-STEP*:106 > ZOO:ODD-STEP*:106 > ZOO:EVEN-STEP*:105
ZOO:VISIT:101 > ZOO:TWICE:101 > ZOO:LEAF:100
> ZOO:VISIT:209 > ZOO:EVEN-STEP*:107 ZOO:TWICE:101
W
for file in zoo.fas zoo.lisp; do
	lisp "(load \"$file\")" '(zoo:visit)'
	entries >got
	if [ $file = zoo.fas ]; then
		is_file got want 'compiled: entries of the call graph'
		is "$("$MPREDUCE" -b --direct "$ecl" mon.out 2>err |
			awk '$NF ~ /^ZOO:/ && / \| / { print $NF, $(NF - 1) }' | sort | tr '\n' ' ')" \
			'ZOO:EVEN-STEP 4 ZOO:LEAF 200 ZOO:ODD-STEP 3 ZOO:TWICE 1 ZOO:VISIT 1 ' \
			'... and the rows of the direct table'
	else
		sed -i 's/:[0-9]*\( \|$\)/\1/g' got want
		is_file got want 'interpreted: entries of the call graph'
	fi
done

# The examples of memmon-lisp(7) print the output in the page.
if ! exhaustive; then
	: # in make check-all
elif [ "$(ecl --version)" = 'ECL 21.2.1' ]; then
	page=$MEMMON_SRC/man/memmon-lisp.7
	sed -n '/^\.Sh LISP, LINE/,/^\.Ed/{/^(/,/^\.Ed/p}' "$page" | sed '$d' >floats.lisp
	printf '%s\n' '(compile-file "floats.lisp") (ext:quit)' >c.lisp
	ecl --norc --shell c.lisp >out 2>&1 </dev/null
	lisp '(load "floats.fas")' '(run)'
	"$MPREDUCE" -q "$ecl" mon.out >floats-graph 2>err
	"$MPREDUCE" -T "$ecl" mon.out >floats-types 2>err
	lisp '(load "gabriel.fas")' '(bench:run 10)'
	"$MPREDUCE" -p -q "$ecl" mon.out >bench-tables 2>err
	perl "$MEMMON_SRC/tests/transcript.pl" --rows "$page" 'LISP, LINE BY LINE' \
		floats-graph floats-types bench-tables >said
	is "$(tail -n 1 said)" '24 rows, 0 missing' "the manual's rows are those of its programs" ||
		diag "$(cat said)"
	# A figure and a name that are wrong are found.
	sed 's/^     48000/     98000/; s/ACONS \[/CONS [/' "$page" >page
	perl "$MEMMON_SRC/tests/transcript.pl" --rows page 'LISP, LINE BY LINE' \
		floats-graph floats-types bench-tables >said
	is "$(tail -n 1 said)" '24 rows, 2 missing' '... and wrong ones are found'
else
	skip 2 'memmon-lisp(7) is of ECL 21.2.1'
fi

# A program that ends by an unhandled condition, in the middle of a computation.
lisp '(load "made.fas")' '(handler-case (progn (make-conses 100) (error "x")) (error () (make-conses 17)))'
got=$(made CONS MAKE-CONSES)
is "$got" 117 'conditions leave the chains as they are'
# Functions that are compiled at run time: their file is gone at once.
cat >now.lisp <<'EOF'
(defun make-some (n) (if (zerop n) nil (cons (make-array 1000) (make-some (1- n)))))
(compile 'make-some)
(defvar *kept* (make-some 100))
(ext:quit 0)
EOF
timeout "$HANG" "$MEMMON" -q -o now.mon ecl --norc --shell now.lisp >out 2>err </dev/null
is "$("$MPREDUCE" --export=csv --sql="SELECT count(*) > 0 FROM functions WHERE
	name LIKE '%MAKE-SOME'" "$ecl" now.mon 2>err | tr -d '\r' | tail -n 1)" 1 \
	"a function that was compiled at run time has its name"
like "$(cat err)" '[.]fas: .*come from the data file.*build-id' \
	"and what of its file is missing is said"
done_testing
