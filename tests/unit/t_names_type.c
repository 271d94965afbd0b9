/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ types in one spelling: names.h. */
#include "reduce/base/names.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;

static const struct {
	const char *from, *to;
} names[] = {
	{ "int", "int" },
	/* Not brackets, but operators. */
	{ "ns::big<((a)>(b)), int >", "ns::big<((a)>(b)), int>" },
	{ "ns::by<&A::operator<, int >", "ns::by<&A::operator<, int>" },
	{ "ns::node<int, ns::pair<char, double> >",
	  "ns::node<int, ns::pair<char, double>>" },
	/* The library's own namespaces and defaults. */
	{ "std::__cxx11::basic_string<char, std::char_traits<char>, "
	  "std::allocator<char> >",
	  "std::string" },
	{ "std::__1::basic_string<wchar_t, std::__1::char_traits<wchar_t>, "
	  "std::__1::allocator<wchar_t>>",
	  "std::wstring" },
	{ "std::vector<std::__cxx11::list<int, std::allocator<int> >, "
	  "std::allocator<std::__cxx11::list<int, std::allocator<int> > > >",
	  "std::vector<std::list<int>>" },
	{ "std::map<long unsigned int, char*, std::less<long unsigned int>, "
	  "std::allocator<std::pair<const long unsigned int, char*> > >",
	  "std::map<unsigned long, char*>" },
	{ "std::map<int, int, std::greater<int>, "
	  "std::allocator<std::pair<const int, int> > >",
	  "std::map<int, int, std::greater<int>>" },
	{ "std::set<int, std::less<void>, std::allocator<int> >",
	  "std::set<int, std::less<void>>" },
	{ "std::unordered_map<short int, short unsigned int, "
	  "std::hash<short int>, std::equal_to<short int>, "
	  "std::allocator<std::pair<const short int, short unsigned int>>>",
	  "std::unordered_map<short, unsigned short>" },
	{ "std::unique_ptr<A, std::default_delete<A> >", "std::unique_ptr<A>" },
	{ "std::queue<int, std::deque<int, std::allocator<int> > >",
	  "std::queue<int>" },
	{ "std::pair<int, std::deque<int, std::allocator<int> > >",
	  "std::pair<int, std::deque<int>>" },
	{ "std::vector<int, std::pmr::polymorphic_allocator<int> >",
	  "std::pmr::vector<int>" },
	{ "std::map<int, int, std::less<int>, std::pmr::polymorphic_allocator<"
	  "std::pair<const int, int> > >",
	  "std::pmr::map<int, int>" },
	{ "std::__cxx11::basic_string<char, std::char_traits<char>, "
	  "std::pmr::polymorphic_allocator<char> >",
	  "std::pmr::string" },
	{ "std::basic_ostream<char, std::char_traits<char> >", "std::ostream" },
	{ "std::basic_string<my::letter>", "std::basic_string<my::letter>" },
	/* The program's own. */
	{ "ring<int, std::allocator<int> >", "ring<int>" },
	{ "ring<std::allocator<int> >", "ring<std::allocator<int>>" },
	{ "my::vector<int, my::less<int> >", "my::vector<int, my::less<int>>" },
	{ "box<int, 4u>", "box<int, 4>" },
	{ "box<int, 12UL, (char)97>", "box<int, 12, (char)97>" },
	/* Spaces, and where const goes. */
	{ "box<char const*>", "box<const char*>" },
	{ "box<const char *>", "box<const char*>" },
	{ "box<char const* const>", "box<const char* const>" },
	{ "box<std::vector<int> const &>", "box<const std::vector<int>&>" },
	{ "box<void (*)(int, char const*)>",
	  "box<void (*)(int, const char*)>" },
	{ "box<char* (*)(int)>", "box<char* (*)(int)>" },
	{ "box<char *(*)(char *)>", "box<char* (*)(char*)>" },
	{ "box<void (int, char)>", "box<void(int, char)>" },
	{ "box<const (anonymous namespace)::a>",
	  "box<const (anonymous namespace)::a>" },
	{ "box<int [4]>", "box<int[4]>" },
	{ "box<constant const>", "box<const constant>" },
	{ "box<unsigned char, long long unsigned int>",
	  "box<unsigned char, unsigned long long>" },
	/* Types without a name. */
	{ "a::{anonymous}::b", "a::(anonymous namespace)::b" },
	{ "f<a::(anonymous namespace)::b>", "f<a::(anonymous namespace)::b>" },
	{ "main()::<lambda(int)>", "main::{lambda}" },
	{ "box<main::(lambda at x.cc:3:4)>", "box<main::{lambda}>" },
	{ "box<a::f(int) const::{lambda(int)#2}>", "box<a::f::{lambda}>" },
	{ "f(T) [with T = int]::local", "f::local" },
	{ "", "" },
};

static void
test_clean(void)
{
	const char *got, *again;
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		got = names_type_clean(&arena, names[i].from);
		is_str(got ? got : "(none)", names[i].to, "%s", names[i].from);
		again = got ? names_type_clean(&arena, got) : NULL;
		is_str(again ? again : "(none)", names[i].to, "... stays");
	}
}

/* A name of n times `part', then `end'. */
static const char *
many(const char *part, size_t n, const char *end)
{
	size_t length = strlen(part);
	char *s = malloc(n * length + strlen(end) + 1);
	size_t i;

	for (i = 0; s && i < n; i++)
		memcpy(s + i * length, part, length);
	if (s)
		strcpy(s + n * length, end);
	return s;
}

static void
test_odd(void)
{
	static const char *const odd[] = {
		"a<",
		"a<b",
		"a>",
		"<",
		">",
		"a<b,",
		"a<,>",
		"a<)>",
		"(",
		"[with",
		"a<b>>",
		"std::",
		"std::basic_<char>",
		"const",
		" const",
		"::",
		"<lambda",
		"'lambda",
		"{",
		"const const const",
		"a const b const",
		"a<<b>>",
		"a->b<c>",
		"std::pmr::",
		"std::x<std::pmr::polymorphic_allocator<a>",
	};
	const char *s;
	size_t i;

	for (i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct names_type p;

		s = names_type_clean(&arena, odd[i]);
		ok(!s || names_type_split(&arena, s, &p) == 0, "odd: %s",
		   odd[i]);
	}
	s = many("a<", 1000, "");
	ok(s && !names_type_clean(&arena, s), "no brackets match");
	s = many("a<", 39, "b>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>");
	ok(s && names_type_clean(&arena, s) != s, "many of them");
	s = many("x", 5000, "");
	ok(s && !names_type_clean(&arena, s), "too long");
	s = many("int,", 20, "int");
	ok(s && names_type_clean(&arena, s), "a long list");
	s = many("b<std::allocator<int>, ", 30, "");
	ok(s && !names_type_clean(&arena, s), "open ends");
}

static void
test_split(void)
{
	struct names_type p;

	names_type_split(&arena, "std::map<int, std::pair<a, b>>::x", &p);
	is_str(p.base, "std::map", "base");
	ok(p.n == 2, "two arguments");
	is_str(p.arg[0], "int", "the first");
	is_str(p.arg[1], "std::pair<a, b>", "the second");
	is_str(p.rest, "::x", "the rest");
	names_type_split(&arena, "std::node*", &p);
	is_str(p.base, "std::node", "base of a pointer");
	is_str(p.rest, "*", "and its star");
	is_str(names_type_plain("const int"), "int", "plain");
	is_str(names_type_plain("constant"), "constant", "plain already");
}

int
main(void)
{
	test_clean();
	test_odd();
	test_split();
	arena_fini(&arena);
	return done_testing();
}
