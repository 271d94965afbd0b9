#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Write a C++ program with much debug information and many allocation sites:
#
#	bigdebug.pl DIRECTORY [UNITS [FUNCTIONS [WAYS]]]	(240, 10, 6)
#
# DIRECTORY gets main.cc and UNITS files u0000.cc ... Each file has FUNCTIONS
# functions with 8 places that allocate, through the library's containers and
# some functions that are inlined, for structs that no other unit has.  Each
# function is called once on each of WAYS ways, so the number of call paths is
# the product of all four numbers.  Nothing is random.
use strict;
use warnings;

my ($dir, $units, $functions, $ways) = @ARGV;
die "usage: bigdebug.pl DIRECTORY [UNITS [FUNCTIONS [WAYS]]]\n"
	unless defined $dir;
$units     //= 240;
$functions //= 10;
$ways      //= 6;

sub file {
	my ($name, $text) = @_;
	open my $f, '>', "$dir/$name" or die "$dir/$name: $!\n";
	print {$f} $text;
	close $f or die "$dir/$name: $!\n";
}

# Code that all units share: a pool with an inlined path to new, a visitor, a
# chain of templates.
file('shared.h', <<'END');
#pragma once
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace shared {
template <typename T> struct node {
	T value;
	node *next = nullptr;
};

template <typename T, int Depth> struct nest {
	static inline __attribute__((always_inline)) T *make(int n)
	{
		return nest<T, Depth - 1>::make(n + 1);
	}
};
template <typename T> struct nest<T, 0> {
	static inline __attribute__((always_inline)) T *make(int n)
	{
		return new T[n > 64 ? 1 : 2]();
	}
};

template <typename T> class bag {
public:
	~bag()
	{
		while (head) {
			auto *n = head->next;
			delete head;
			head = n;
		}
	}
	inline void add(const T &v) { head = new node<T>{v, head}; }
	node<T> *head = nullptr;
};
extern volatile int sink;
extern const void *volatile kept; // no block is left out by the compiler
}
END

for my $u (0 .. $units - 1) {
	my $text = "#include \"shared.h\"\n\nnamespace unit_$u {\n";
	my $calls = '';
	for my $f (0 .. $functions - 1) {
		my $n = 1 + ($u * 7 + $f) % 13;
		$text .= <<"END";
struct part_$f {
	int id = $f;
	double weight[$n];
	part_$f *other = nullptr;
	bool operator<(const part_$f &o) const { return id < o.id; }
};
static void __attribute__((noinline)) f_$f(int k)
{
	std::vector<part_$f> v;
	v.push_back(part_$f());
	std::map<int, part_$f> m;
	m[k] = part_$f();
	auto p = std::make_shared<part_$f>();
	shared::bag<part_$f> b;
	b.add(*p);
	b.add(v[0]);
	std::unique_ptr<part_$f\[]> a(shared::nest<part_$f, 3>::make(k));
	auto *one = new part_$f;
	shared::kept = &v[0], shared::kept = &m[k], shared::kept = p.get();
	shared::kept = b.head, shared::kept = &a[0], shared::kept = one;
	delete one;
	auto g = [=](int x) { return new node_$f\[1]{{x, k, k + x}}; };
	auto *q = g(k);
	shared::kept = q;
	delete[] q;
}
END
		$text =~ s/(static void __attribute__\(\(noinline\)\) f_$f\()/struct node_$f {\n\tint x, y, z;\n};\n$1/;
		$calls .= "\tf_$f(k);\n";
	}
	file(sprintf('u%04d.cc', $u), "$text\nvoid run(int k)\n{\n$calls}\n}\n");
}

my $all = join '', map { "\tunit_$_\::run(k);\n" } 0 .. $units - 1;
file('main.cc', join '',
	"namespace shared {\nvolatile int sink;\nconst void *volatile kept;\n}\n",
	(map { "namespace unit_$_ {\nvoid run(int k);\n}\n" } 0 .. $units - 1),
	(map { "\nstatic void __attribute__((noinline)) way_$_(int k)\n" .
		"{\n${all}\tshared::sink += $_;\n}\n" } 1 .. $ways),
	"\nint main(int argc, char **)\n{\n",
	(map { "\tway_$_(argc);\n" } 1 .. $ways),
	"}\n");
