/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symspecs: the names that each form matches, and names that it doesn't. */
#include "reduce/profile/profile.h"
#include "reduce/symbols/symspec.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

static struct symspec_func f;

/* Does the text match the function? */
static bool
means(const char *text)
{
	struct symspec s;
	bool is;

	symspec_init(&s, text);
	is = symspec_match(&s, &f);
	symspec_fini(&s);
	return is;
}

/* Do all the texts match, up to NULL? */
static void
all(bool want, const char *const *text)
{
	for (; *text; text++)
		is_int(means(*text), want, "%s is%s %s", *text,
		       want ? "" : "n't", f.form[0]);
}

#define MEANS(...) all(true, (const char *const[]){ __VA_ARGS__, NULL })
#define MEANS_NOT(...) all(false, (const char *const[]){ __VA_ARGS__, NULL })

static void
names(void)
{
	symspec_open(&f, "insert", NULL, "/src/core/list.c", 12);
	MEANS("insert", "ins*", "*", "i?sert", "[hi]nsert", "list.c",
	      "core/list.c", "/src/core/list.c", "./list.c", "*.c", "l?st.c",
	      "list.c:insert", "core/list.c:ins*", "core/*:insert",
	      "*/list.c:insert", "list.c:12", "core/*.c:12");
	MEANS_NOT("", "inser", "nsert", "ist.c", "src/list.c", "list",
		  "list.c:", ":insert", "list.c:13", "list.c:1", "list.c:012x",
		  "list.h:insert", "ist.c:insert", "list.c:remove", "12", "x.c",
		  "list.c:insert:12", "[", "/list.c", "list.c:99999999999");
	symspec_close(&f);
	symspec_open(&f, "[prog+0x12]", NULL, "", 0);
	MEANS("[prog+0x12]", "[[]prog*", "*");
	MEANS_NOT("[prog+0x1]", "prog", "a.c:12", "a.c", "*.c:*", "a.c:0");
	symspec_close(&f);
}

static void
cxx(void)
{
	symspec_open(&f, "void ns::box<int>::fill<10>(char*, A<B>) const",
		     "_ZN2ns3boxIiE4fill", "/src/x.cc", 3);
	MEANS("ns::box<int>::fill<10>", "void ns::box<int>::fill<10>",
	      "void ns::box<int>::fill<10>(char*, A<B>) const", "ns::box::fill",
	      "ns::box<int>::*", "ns::*", "_ZN2ns3boxIiE4fill",
	      "x.cc:ns::box::fill", "x.cc:ns::*", "x.cc:3");
	MEANS_NOT("fill", "box::fill", "ns::box<char>::fill<10>", "ns::box",
		  "ns:box::fill", "y.cc:ns::box::fill", "::", "ns::");
	symspec_close(&f);
	symspec_open(&f, "std::ostream& ns::operator<< <int>(A&, B<C>)", NULL,
		     "", 0);
	MEANS("ns::operator<<", "ns::operator<< <int>");
	MEANS_NOT("ns::operator<", "ns::operator", "operator<<");
	symspec_close(&f);
	symspec_open(&f, "ns::P<int>::operator->()", NULL, "", 0);
	MEANS("ns::P<int>::operator->", "ns::P::operator->");
	symspec_close(&f);
	symspec_open(&f, "(anonymous namespace)::f(int)", NULL, "", 0);
	MEANS("(anonymous namespace)::f", "*::f");
	symspec_close(&f);
	/*
	 * A name as printed, short; with a tag; a function that returns a
	 * function.
	 */
	symspec_open(&f, "std::list<int> a::B<c>::f[abi:cxx11]<3>()", NULL, "",
		     0);
	MEANS("a::B<>::f<>", "a::B::f", "a::B<c>::f[[]abi:cxx11]<3>");
	MEANS_NOT("a::B<>::f", "B::f");
	symspec_close(&f);
	symspec_open(&f, "void (*a::f<int>(int))(char)", NULL, "", 0);
	MEANS("a::f<int>", "a::f<>", "a::f");
	symspec_close(&f);
	/*
	 * A name is accepted in full, and mangled, even if it is printed short.
	 */
	symspec_open(&f, "_ZN2ns3getIiEEvv", NULL, "", 0);
	MEANS("_ZN2ns3getIiEEvv", "ns::get<int>", "ns::get",
	      "void ns::get<int>()");
	symspec_close(&f);
	symspec_open(&f, "ns::get", "_ZN2ns3getIiEEvv", "", 0);
	MEANS("_ZN2ns3getIiEEvv", "ns::get<int>", "ns::get",
	      "void ns::get<int>()");
	symspec_close(&f);
}

/* Text that isn't a name must not be read beyond its end. */
static void
odd(void)
{
	static const char *const names[] = {
		"",	    "<",	   ">",
		"operator", "operator<",   "a<b",
		"a>b",	    "operator<<<", ")(",
		"()",	    "(",	   "a<<>",
		">>>",	    "_Z",	   "_ZN",
		" ",	    "x::operator", "operator->operator<=>",
		"::<a>::"
	};
	static const char *const texts[] = { ":",  "::",    ":::", "a:",
					     "[a", "*:*",   "\\",  "a:b:c",
					     "*",  "[!a:b]" };
	size_t i, k, any = 0;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		symspec_open(&f, names[i], NULL, "", 0);
		for (k = 0; k < sizeof(texts) / sizeof(texts[0]); k++)
			any += means(texts[k]);
		if (*names[i])
			is_int(means(names[i]), true, "'%s' is itself",
			       names[i]);
		symspec_close(&f);
	}
	ok(any >= sizeof(names) / sizeof(names[0]) - 1, "* is all of them");
}

static void
calls(void)
{
	struct symspec s;

	symspec_init(&s, "core/list.c:7");
	ok(symspec_match_call(&s, "/src/core/list.c", 7), "a call there");
	ok(!symspec_match_call(&s, "/src/core/list.c", 8), "another line");
	ok(!symspec_match_call(&s, "/src/list.c", 7), "another file");
	ok(!symspec_match_call(&s, "", 7), "no file");
	ok(!symspec_match_call(&s, NULL, 7), "none at all");
	symspec_fini(&s);
	symspec_init(&s, "list.c:0");
	ok(!symspec_match_call(&s, "list.c", 0), "is no line");
	symspec_fini(&s);
}

static void
functions(void)
{
	struct func x = { .name = "f(int)", .file = "/a/b.cc", .line = 5 };

	ok(profile_means(&x, "b.cc:f"), "of a profile: by name");
	ok(profile_means(&x, "b.cc:5"), "by line");
	ok(!profile_means(&x, "b.cc:6"), "not by another");
}

int
main(void)
{
	names();
	cxx();
	odd();
	calls();
	functions();
	return done_testing();
}
