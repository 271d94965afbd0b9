// SPDX-License-Identifier: GPL-3.0-or-later
// A Rust program: closures, a panic that is caught, a thread; and 1,000 blocks
// of 1204 bytes by way of make(), 600 of them from left(), and of the 400 from
// right() 300 are never freed.  Prints "done".  With an argument, no panic.
use std::collections::HashMap;

#[inline(never)]
fn make(n: usize) -> Vec<u8> {
    let mut v = Vec::with_capacity(1200 + n);
    v.push(n as u8);
    v
}

#[inline(never)]
fn left(n: usize) -> usize {
    make(n).len()
}

#[inline(never)]
fn right(n: usize, keep: bool) -> usize {
    let v = make(n);
    let len = v.len();
    if keep {
        std::mem::forget(v);
    }
    len
}

fn main() {
    let calm = std::env::args().len() > 1;
    let mut m: HashMap<String, Vec<u32>> = HashMap::new();
    for i in 0..300u32 {
        m.entry(format!("k{}", i % 17)).or_default().push(i);
    }
    let r = std::panic::catch_unwind(|| {
        let s = "x".repeat(100);
        if s.len() == 100 && !calm {
            panic!("no")
        }
    });
    let t = std::thread::spawn(move || m.len());
    let mut n = 0;
    for i in 0..1000 {
        n += if i % 5 < 3 { left(4) } else { right(4, i < 750) };
    }
    if t.join().unwrap() == 17 && r.is_err() != calm && n == 1000 {
        println!("done")
    }
}
