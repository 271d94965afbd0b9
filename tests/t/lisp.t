#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lisp in ECL: each object once, with its type, by functions with their Lisp
# names, compiled and interpreted; classes of objects in place of sizes.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
command -v ecl >/dev/null || skip_all 'no ecl'
ecl=$(readlink -f "$(command -v ecl)")

# What each function makes is known by what it says.
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
# lisp FORM...: in ECL, under memmon; what it prints in `out'.
lisp()
{
	printf '%s\n' "$@" '(ext:quit)' >do.lisp
	timeout "$HANG" "$MEMMON" ecl --norc --shell do.lisp >out 2>err </dev/null
}
# made TYPE FUNCTION: how many of that type, by that function or what it calls.
made()
{
	"$MPREDUCE" --export=csv --sql="SELECT coalesce(sum(allocs), 0) FROM items
		WHERE type = '$1' AND site REGEXP 'COMMON-LISP-USER:$2( |$)'" "$ecl" mon.out 2>err |
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
# An end by a condition that nobody handles, in the midst of a computation.
lisp '(load "made.fas")' '(handler-case (progn (make-conses 100) (error "x")) (error () (make-conses 17)))'
got=$(made CONS MAKE-CONSES)
is "$got" 117 'conditions leave the chains as they are'
done_testing
