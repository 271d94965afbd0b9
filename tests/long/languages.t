#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs of other languages: their allocations by the system's allocator are
# counted exactly, under the names that the language has for its functions.
# memmon-circumstances(7) describes which of their memory isn't seen.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"

# Each makes a thousand blocks of 1,208 bytes, and frees every second one.
size=1208 want='1000 1208000 500 604000'

# made PATH: blocks of that size of call paths that match.
made()
{
	"$MPREDUCE" --sql="SELECT sum(allocs) || ' ' || sum(bytes) || ' ' ||
		sum(frees) || ' ' || sum(freed) AS made FROM items
		WHERE size = $size AND site LIKE '%$1%'" mon.out 2>>err |
		awk 'NF == 4 { print $1, $2, $3, $4 }'
}

# record NAME FUNCTION PROGRAM...: runs as without memmon, and the figures of
# its allocations are right.
record()
{
	local name=$1 function=$2
	shift 2
	rm -f mon.out
	timeout "$HANG" "$@" >alone 2>&1 </dev/null
	timeout "$HANG" "$MEMMON" -o mon.out "$@" >out 2>err </dev/null
	is "$(cat out)" "$(cat alone)" "$name: prints what it prints alone" ||
		diag "$(cat err)"
	is "$(made "$function")" "$want" "$name: blocks of $function" ||
		diag "$("$MPREDUCE" --sql="SELECT allocs, size, site FROM items
			WHERE allocs > 400" mon.out 2>&1 | cut -c 1-300)"
}

# have TOOL N: or skip N tests.
have()
{
	command -v "$1" >/dev/null 2>&1 && return
	skip "$2" "no $1"
	return 1
}

# ------------------------------------------------------------------ Rust --
cat >shop.rs <<'X'
mod shop {
    pub struct Item<T> { pub v: Box<[T]> }
    #[inline(never)]
    pub fn make<T: Clone>(x: T, n: usize) -> Item<T> {
        Item { v: vec![x; n].into_boxed_slice() }
    }
}
fn main() {
    for i in 0..1000 {
        let item = shop::make(i as u64, 151);
        if i % 2 == 0 { std::mem::forget(item) }
    }
    println!("done");
}
X
cat >boxed.rs <<'X'
struct Point { x: f64, y: f64, z: f64, w: u16 }
fn main() {
    for i in 0..50 {
        let p = Box::new(Point { x: i as f64, y: 1.0, z: 2.0, w: 3 });
        println!("{}", Box::leak(p).x);
    }
}
X
if have rustc 3; then
	rustc -g -O -o shop_rs shop.rs 2>err || diag "$(cat err)"
	record Rust 'shop::make' ./shop_rs
	# Its allocators return *mut u8 for any type.
	rustc -g -o boxed boxed.rs 2>err || diag "$(cat err)"
	"$MEMMON" -q ./boxed >out 2>&1
	like "$("$MPREDUCE" -T -b ./boxed mon.out 2>&1)" \
		' 50 [^~]*\?boxed::Point' 'Rust: a type by size, not u8'
fi

# --------------------------------------------------------- Go, with cgo --
mkdir -p shop && cat >shop/main.go <<'X'
package main

/*
#include <stdlib.h>
static __attribute__((noinline)) void *c_make(size_t n) { return malloc(n); }
*/
import "C"
import "fmt"

type Item struct{ next *Item }

func main() {
	var list *Item
	for i := 0; i < 1000; i++ {
		p := C.c_make(1208)
		if i%2 == 0 {
			C.free(p)
		}
		list = &Item{list}
	}
	fmt.Println("done", list != nil)
}
X
if have go 2; then
	(cd shop && GO111MODULE=off GOCACHE=$T/go go build -o ../shop_go \
		main.go) 2>err || diag "$(cat err)"
	record Go c_make ./shop_go
fi

# -------------------------------------------------------------- Python --
cat >shop.c <<'X'
#define PY_SSIZE_T_CLEAN
#include <Python.h>
static PyObject *
shop_make(PyObject *self, PyObject *args)
{
	void *p = PyMem_RawMalloc(1208);
	(void)self; (void)args;
	return PyLong_FromVoidPtr(p);
}
static PyObject *
shop_drop(PyObject *self, PyObject *p)
{
	(void)self;
	PyMem_RawFree(PyLong_AsVoidPtr(p));
	Py_RETURN_NONE;
}
static PyMethodDef methods[] = {
	{ "make", shop_make, METH_NOARGS, "" },
	{ "drop", shop_drop, METH_O, "" },
	{ 0 }
};
static struct PyModuleDef module = { PyModuleDef_HEAD_INIT, "shop", "", -1, methods };
PyMODINIT_FUNC PyInit_shop(void) { return PyModule_Create(&module); }
X
cat >shop.py <<'X'
import shop
for i in range(1000):
    p = shop.make()
    if i % 2 == 0:
        shop.drop(p)
print("done")
X
if have python3 2; then
	include=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
	python=$(python3 -c 'import sys; print(sys.executable)')
	if [ -e "$include/Python.h" ]; then
		$CC -g -O1 -w -fPIC -shared -I"$include" -o shop.so shop.c 2>err ||
			diag "$(cat err)"
		record Python shop_make "$python" shop.py
	else
		skip 2 'no Python.h'
	fi
fi

# ------------------------------------------------------------- Fortran --
cat >shop.f90 <<'X'
module shop
  type item
    real(8), pointer :: v(:)
  end type
contains
  subroutine make(x, n)
    type(item), intent(out) :: x
    integer, intent(in) :: n
    allocate(x%v(n))
    x%v = n
  end subroutine
end module
program main
  use shop
  type(item) :: x
  integer :: i
  do i = 1, 1000
    call make(x, 151)
    if (mod(i, 2) == 0) deallocate(x%v)
  end do
  print *, 'done'
end program
X
if have gfortran 2; then
	gfortran -g -O0 -o shop_f90 shop.f90 2>err || diag "$(cat err)"
	record Fortran 'shop::make' ./shop_f90
fi

# ------------------------------------------------------------------- D --
cat >shop.d <<'X'
module shop;
import core.stdc.stdlib : malloc, free;
import core.stdc.stdio : puts;
struct Item(T) {
	static void* make(size_t n) { return malloc(n * T.sizeof); }
}
extern (C) int main()
{
	foreach (i; 0 .. 1000) {
		auto p = Item!(long).make(151);
		if (i % 2 == 0)
			free(p);
	}
	puts("done");
	return 0;
}
X
for d in gdc ldc2; do
	have $d 2 || continue
	case $d in
	gdc) gdc -g -O0 -o shop_d shop.d 2>err ;;
	*) ldc2 -g -O0 -of=shop_d shop.d 2>err ;;
	esac || diag "$(cat err)"
	record "D, $d" 'shop.Item!(long).Item.make(' ./shop_d
done

# ---------------------------------------------------------------- Node --
cat >shop.js <<'X'
const kept = [];
for (let i = 0; i < 1000; i++) {
	const b = new ArrayBuffer(120813);
	if (i % 2 == 0) kept.push(b);
}
console.log("done");
X
if have node 2; then
	# When it frees them is its own affair.
	rm -f mon.out
	timeout "$HANG" "$MEMMON" -o mon.out "$(command -v node)" shop.js \
		>out 2>err </dev/null
	is "$(cat out)" 'done' 'Node: runs' || diag "$(cat err)"
	size=120813
	like "$(made '')" '^1000 120813000 ' 'Node: contents of buffers'
fi

done_testing
