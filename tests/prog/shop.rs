// SPDX-License-Identifier: GPL-3.0-or-later
// Functions with the hard names of Rust: generic, of traits, closures.  All of
// them allocate, in vectors and boxes.  tests/long/shapes.t
mod shop {
    pub struct Item<T> {
        pub v: Vec<T>,
    }
    impl<T: Clone> Item<T> {
        #[inline(never)]
        pub fn fill(&mut self, x: T, n: usize) {
            for _ in 0..n {
                self.v.push(x.clone());
            }
        }
    }
    pub trait Make {
        fn make(n: usize) -> Self;
    }
    impl Make for Item<u64> {
        #[inline(never)]
        fn make(n: usize) -> Self {
            Item { v: Vec::with_capacity(n) }
        }
    }
}
#[inline(never)]
fn boxed<F: Fn(usize) -> Box<[u8]>>(f: F) -> usize {
    let b = f(5);
    let mut sink = std::ptr::null();
    unsafe { std::ptr::write_volatile(&mut sink, b.as_ptr()) };
    b.len()
}
fn main() {
    let n = std::env::args().count();
    let mut it: shop::Item<u64> = shop::Make::make(n);
    it.fill(7, 100 * n);
    let total = boxed(|k| vec![1; k + n].into_boxed_slice());
    std::process::exit((it.v.len() + total == 0) as i32);
}
