/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of functions: endings, parts, short forms; the names that demanglers
 * make.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/symbols/symbols.h"
#include "reduce/symbols/symbols_name.h"
#include "reduce/base/names.h"
#include "tests/tap.h"

/* As demanglers and debug information write names. */
static const char *const names[][2] = {
	/* Nothing to leave out. */
	{ "main", "main" },
	{ "", "" },
	{ "operator new", "operator new" },
	{ "operator new[]", "operator new[]" },
	{ "a::b::c", "a::b::c" },
	{ "[libx.so+0x12]", "[libx.so+0x12]" },
	{ "[unknown]", "[unknown]" },
	{ "main._omp_fn.0", "main._omp_fn.0" },
	{ "<unnamed>::f", "<unnamed>::f" },
	{ "std::ostream::operator<<", "std::ostream::operator<<" },
	{ "box::operator()", "box::operator()" },
	/* Parameters, results, qualifiers. */
	{ "operator new(unsigned long)", "operator new" },
	{ "operator delete[](void*, unsigned long)", "operator delete[]" },
	{ "ns::f(int, char const*)", "ns::f" },
	{ "ns::f(void (*)(int, char), int (&)[3])", "ns::f" },
	{ "ns::A::f() const", "ns::A::f" },
	{ "ns::A::f() const volatile &&", "ns::A::f" },
	{ "ns::A::f(int) &", "ns::A::f" },
	{ "ns::A::constant() const", "ns::A::constant" },
	{ "int ns::f<int>(int)", "ns::f<>" },
	{ "unsigned long f<char>(char)", "f<>" },
	{ "char const* f<char>(char)", "f<>" },
	{ "std::vector<int> f<int>(std::vector<int>)", "f<>" },
	{ "decltype ((x)+(y)) f<int, int>(int, int)", "f<>" },
	{ "void (*f<int>(int))(char)", "f<>" },
	{ "int (&g<int>())[5]", "g<>" },
	/* Template arguments. */
	{ "std::vector<int, std::allocator<int> >::push_back(int&&)",
	  "std::vector<>::push_back" },
	{ "std::map<int, std::pair<a<b>, c> >::f", "std::map<>::f" },
	{ "f<(char)62>()", "f<>" },
	{ "f<((a)>(b))>()", "f<>" },
	{ "f<((a)<(b))>()", "f<>" },
	{ "f<(std::is_same<int, int>::value)>()", "f<>" },
	{ "f<&(g(int))>()", "f<>" },
	{ "f<void ()>(int)", "f<>" },
	{ "f<int (*)(char), 3u>::g(int)", "f<>::g" },
	{ "f<&A::operator->>()", "f<>" },
	{ "f<&(A::operator<(A const&))>::g", "f<>::g" },
	{ "f<decltype ((x)->y)>::g", "f<>::g" },
	{ "std::enable_if<((sizeof (T))>(4)), int>::type f<T>()", "f<>" },
	/* Operators. */
	{ "A::operator<(A const&) const", "A::operator<" },
	{ "A::operator<<(int)", "A::operator<<" },
	{ "A::operator<=>(A const&) const", "A::operator<=>" },
	{ "A::operator>>=(int)", "A::operator>>=" },
	{ "A::operator->() const", "A::operator->" },
	{ "A::operator->*(int A::*)", "A::operator->*" },
	{ "A::operator()(int) const", "A::operator()" },
	{ "A::operator[](unsigned long)", "A::operator[]" },
	{ "A::operator,(int)", "A::operator," },
	{ "bool operator< <int>(A<int> const&, A<int> const&)",
	  "operator< <>" },
	{ "std::ostream& operator<< <char>(std::ostream&, char)",
	  "operator<< <>" },
	{ "std::ostream& std::operator<< <std::char_traits<char> >"
	  "(std::ostream&, char const*)",
	  "std::operator<< <>" },
	{ "A<int>::operator==(A<int> const&)", "A<>::operator==" },
	{ "bool operator==<int>(A<int>, A<int>)", "operator==<>" },
	{ "operator()<int>", "operator()<>" },
	{ "A::operator bool() const", "A::operator bool" },
	{ "A::operator unsigned long() const", "A::operator unsigned long" },
	{ "A::operator std::vector<int>() const", "A::operator std::vector<>" },
	{ "A::operator char const*()", "A::operator char const*" },
	{ "operator\"\" _km(long double)", "operator\"\" _km" },
	{ "operators(int)", "operators" },
	{ "my_operator<int>(int)", "my_operator<>" },
	/* What has no name. */
	{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f" },
	{ "a::(anonymous namespace)::b<int>::f() const",
	  "a::(anonymous namespace)::b<>::f" },
	{ "main::{lambda()#1}::operator()() const",
	  "main::{lambda()#1}::operator()" },
	{ "main::{lambda(int, char const*)#2}::operator()(int, char const*) "
	  "const",
	  "main::{lambda()#2}::operator()" },
	{ "f(int)::{lambda(auto:1)#1}::operator()<int>(int) const",
	  "f::{lambda()#1}::operator()<>" },
	{ "void f<int>(int)::{lambda(int)#1}::operator()(int) const",
	  "f<>::{lambda()#1}::operator()" },
	{ "A::f(int) const::{lambda()#1}::operator()() const",
	  "A::f::{lambda()#1}::operator()" },
	{ "A::operator bool() const::{lambda()#1}::operator()() const",
	  "A::operator bool::{lambda()#1}::operator()" },
	{ "main::{lambda<typename $T0>($T0)#1}::operator()",
	  "main::{lambda()#1}::operator()" },
	{ "main::{unnamed type#1}::f()", "main::{unnamed type#1}::f" },
	{ "{lambda}::operator()", "{lambda}::operator()" },
	{ "main::$_0::operator()(int) const", "main::$_0::operator()" },
	{ "std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke"
	  "(std::_Any_data const&, int&&)",
	  "std::_Function_handler<>::_M_invoke" },
	/* Tags, clones, other symbols than functions. */
	{ "A::f[abi:cxx11]() const", "A::f" },
	{ "A::f[abi:cxx11][abi:v2]<int>()", "A::f<>" },
	{ "std::__cxx11::basic_string<char>::_M_create(unsigned long&)",
	  "std::__cxx11::basic_string<>::_M_create" },
	{ "f(int) [clone .part.0]", "f" },
	{ "vtable for A<int>", "vtable for A<>" },
	{ "non-virtual thunk to A<int>::f()", "non-virtual thunk to A<>::f" },
	{ "guard variable for f<int>()::x", "guard variable for f<>::x" },
	{ "A::~A()", "A::~A" },
	{ "A<int>::~A", "A<>::~A" },
	/* Rust. */
	{ "std::io::stdin", "std::io::stdin" },
	{ "alloc::vec::Vec<T,A>::push", "alloc::vec::Vec<>::push" },
	{ "<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop",
	  "<alloc::vec::Vec<> as core::ops::drop::Drop>::drop" },
	{ "<&mut [u8; 4] as foo::Tr<(A, B)>>::method::<u8>",
	  "<&mut [u8; 4] as foo::Tr<>>::method::<>" },
	{ "<dyn core::ops::Fn(i32) -> u8 as foo::Tr>::f",
	  "<dyn core::ops::Fn(i32) -> u8 as foo::Tr>::f" },
	{ "<<foo::Bar<i32> as foo::A>::Out as foo::B>::f",
	  "<<foo::Bar<> as foo::A>::Out as foo::B>::f" },
	{ "core::fmt::num::<impl core::fmt::Debug for usize>::fmt",
	  "core::fmt::num::<impl core::fmt::Debug for usize>::fmt" },
	{ "foo::bar::{{closure}}", "foo::bar::{{closure}}" },
	{ "foo::bar::<u32>::{closure#0}", "foo::bar::<>::{closure#0}" },
	{ "core::ops::function::FnOnce::call_once{{vtable.shim}}",
	  "core::ops::function::FnOnce::call_once{{vtable.shim}}" },
	/* Go. */
	{ "bytes.(*Buffer).Write", "bytes.(*Buffer).Write" },
	/* Not names at all: unchanged. */
	{ "f(int", "f(int" },
	{ "f<int", "f<int" },
	{ "f<(>)", "f<(>)" },
	{ "(", "(" },
	{ "(int)", "(int)" },
	{ "a b ", "a b " },
};

static void
test_short(void)
{
	char to[256];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		names_shorten(names[i][0], NAMES_SHORT, to);
		is_str(to, names[i][1], "short '%s'", names[i][0]);
		names_shorten(names[i][1], NAMES_SHORT, to);
		is_str(to, names[i][1], "short already: '%s'", names[i][1]);
	}
}

/* Any text: the result isn't longer, and takes linear time. */
static void
test_random(void)
{
	static const char letters[] = "a:<>()[]{}-= operator<*&abi:const,\"~.";
	enum { LONG = 1000000 };
	char name[64], to[64], *whole, *out;
	unsigned seed = 1, turn, bad = 0;
	size_t i, n;

	for (turn = 0; turn < 200000; turn++) {
		seed = seed * 1103515245 + 12345;
		n = (seed >> 16) % (sizeof(name) - 1);
		for (i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			name[i] = letters[(seed >> 16) % (sizeof(letters) - 1)];
		}
		name[n] = '\0';
		memset(to, 'x', sizeof(to));
		names_shorten(name, NAMES_SHORT, to);
		bad += strnlen(to, sizeof(to)) > n || (n && !*to);
	}
	is_int(bad, 0, "200000 names at random");
	whole = malloc(LONG + 1);
	out = malloc(LONG + 1);
	if (whole && out) {
		for (i = 0; i < LONG; i++)
			whole[i] = "<({["[i % 4];
		whole[LONG] = '\0';
		names_shorten(whole, NAMES_SHORT, out);
		is_str(out, whole, "brackets without end");
		for (i = 0; i < LONG; i++)
			whole[i] = "<>"[i % 2];
		names_shorten(whole, NAMES_SHORT, out);
		ok(strlen(out) <= LONG, "many brackets");
	}
	free(whole);
	free(out);
}

/* Mangled names, as in symbol tables. */
static const char *const mangled[][3] = {
	{ "_ZNSt6vectorIiSaIiEE9push_backEOi",
	  "std::vector<int, std::allocator<int> >::push_back(int&&)",
	  "std::vector<>::push_back" },
	{ "_ZN1ALERKS_", NULL, NULL },
	{ "_ZSt4callIZSt5constI1AEPT_EUlDpOT_E_JSD_RKSA_EESE_OSG_SL_",
	  "std::call<...>", "std::call<>" },
	{ "_ZNK1A4callIZSt5constI1AEPT_EUlDpOT_E_JSD_RKSA_EE3runEOSG_SL_",
	  "A::call<...>::...", "A::call<>::..." },
	{ "_ZN1A9callIZS_", NULL, NULL },
	{ "_Z99callIZS_", NULL, NULL },
	{ "_ZNK1AltERKS_", "A::operator<(A const&) const", "A::operator<" },
	{ "_ZlsIiEvR1AIT_ES1_", "void operator<< <int>(A<int>&, int)",
	  "operator<< <>" },
	{ "_ZNK1AcvbEv", "A::operator bool() const", "A::operator bool" },
	{ "_ZZ4mainENKUliE_clEi",
	  "main::{lambda(int)#1}::operator()(int) const",
	  "main::{lambda()#1}::operator()" },
	{ "_ZN12_GLOBAL__N_11fEi", "(anonymous namespace)::f(int)",
	  "(anonymous namespace)::f" },
	{ "_Z1fB5cxx11v", "f[abi:cxx11]()", "f" },
	{ "_Z1fIiET_PFvS0_E", "int f<int>(void (*)(int))", "f<>" },
	{ "_ZN4core3fmt9Formatter3new17h0123456789abcdefE",
	  "core::fmt::Formatter::new", "core::fmt::Formatter::new" },
	{ "_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$"
	  "3fmt17h0123456789abcdefE",
	  "<alloc::string::String as core::fmt::Display>::fmt",
	  "<alloc::string::String as core::fmt::Display>::fmt" },
	{ "_RNvC6_123foo3bar", "123foo::bar", "123foo::bar" },
	{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>",
	  "std::mem::align_of::<>" },
	{ "_RNCNvC7mycrate4main0", "mycrate::main::{closure#0}",
	  "mycrate::main::{closure#0}" },
	{ "_RNvXC7mycrateNtB2_3FooNtB2_3Bar3baz",
	  "<mycrate::Foo as mycrate::Bar>::baz",
	  "<mycrate::Foo as mycrate::Bar>::baz" },
};

static void
test_mangled(void)
{
	char *text, to[512];
	size_t i;

	for (i = 0; i < sizeof(mangled) / sizeof(*mangled); i++) {
		text = symbols_demangle(mangled[i][0]);
		if (!mangled[i][1]) {
			ok(!text, "%s isn't mangled", mangled[i][0]);
			free(text);
			continue;
		}
		is_str(text ? text : "", mangled[i][1], "%s", mangled[i][0]);
		names_shorten(text ? text : "", NAMES_SHORT, to);
		is_str(to, mangled[i][2], "%s, short", mangled[i][0]);
		free(text);
	}
}

/*
 * A symbol's name, and the name without endings, which copies and parts have.
 */
static void
test_endings(void)
{
	static const char *const symbols[][2] = {
		{ "f", "f" },
		{ "f.cold", "f" },
		{ "f.part.0", "f" },
		{ "f.constprop.12", "f" },
		{ "f.isra.0.cold", "f" },
		{ "f.constprop.0.isra.0.part.3.cold.7", "f" },
		{ "f.lto_priv.0", "f" },
		{ "f.llvm.1234567890", "f" },
		{ "f.__uniq.123456.cold", "f" },
		/* Clang's endings, and gcc's for basic blocks. */
		{ "f.specialized.1", "f" },
		{ "f.argprom", "f" },
		{ "f.__part.2", "f" },
		{ "_ZN1A1fEv.cold", "_ZN1A1fEv" },
		/* Not an ending of a copy. */
		{ "f.resolver", "f.resolver" },
		{ "inner.0", "inner.0" },
		{ "main._omp_fn.0", "main._omp_fn.0" },
		{ ".cold", ".cold" },
		{ ".0", ".0" },
		{ "0", "0" },
		{ "f.colder", "f.colder" },
		{ "cold", "cold" },
		{ "", "" },
	};
	static const struct {
		const char *name;
		enum names_ending is;
	} kinds[] = {
		{ "f.constprop.0", NAMES_COPY },
		{ "f.cold", NAMES_PART },
		{ "f.part.0", NAMES_PART },
		{ "f.llvm.1", NAMES_RENAMED },
		{ "f.cold.llvm.1", NAMES_RENAMED },
		{ "f.0", NAMES_WHOLE },
	};
	enum names_ending is;
	size_t i;

	for (i = 0; i < sizeof symbols / sizeof *symbols; i++)
		is_int(names_linked(symbols[i][0], strlen(symbols[i][0])),
		       strlen(symbols[i][1]), "linked '%s'", symbols[i][0]);
	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		names_peel(kinds[i].name, strlen(kinds[i].name), &is);
		is_int(is, kinds[i].is, "the kind of %s", kinds[i].name);
	}
	ok(names_is_part("f.part.0.cold", 13), "a part");
	ok(!names_is_part("f.cold", 6), "nothing calls a cold one");
}

/* A name: in full, qualified, the class or namespace around it, alone. */
static const char *const parts[][4] = {
	{ "main", "main", "", "main" },
	{ "f(int, char (*)(int))", "f", "", "f" },
	{ "a::b<c (*)(d)>::e(f const&) const", "a::b<c (*)(d)>::e",
	  "a::b<c (*)(d)>", "e" },
	{ "a::operator()(int) const &", "a::operator()", "a", "operator()" },
	{ "a::operator()", "a::operator()", "a", "operator()" },
	{ "operator new(unsigned long)", "operator new", "", "operator new" },
	{ "f() [clone .part.0]", "f", "", "f" },
	{ "f [clone .cold]", "f", "", "f" },
	{ "f(int) [with T = int]", "f", "", "f" },
	{ "a::{lambda(int)#1}::operator()(int) const",
	  "a::{lambda(int)#1}::operator()", "a::{lambda(int)#1}",
	  "operator()" },
	{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f",
	  "(anonymous namespace)", "f" },
	{ "(anonymous namespace)::A<int>::A(int)",
	  "(anonymous namespace)::A<int>::A", "(anonymous namespace)::A<int>",
	  "A" },
	{ "f(int)::g::h(char)", "f(int)::g::h", "f(int)::g", "h" },
	{ "std::vector<a::b> make<a::b>(c)", "make<a::b>", "", "make<a::b>" },
	{ "void (*a::f<int>(int))(char)", "a::f<int>", "a", "f<int>" },
	{ "int (&g<int>())[5]", "g<int>", "", "g<int>" },
	{ "decltype ((x)->y) f<int>(int)", "f<int>", "", "f<int>" },
	{ "a::operator bool() const", "a::operator bool", "a",
	  "operator bool" },
	{ "a::operator std::string() const", "a::operator std::string", "a",
	  "operator std::string" },
	{ "std::ostream& ns::operator<< <int>(A&, B<C>)",
	  "ns::operator<< <int>", "ns", "operator<< <int>" },
	{ "a::operator<(b::c const&)", "a::operator<", "a", "operator<" },
	{ "a::operator->()", "a::operator->", "a", "operator->" },
	{ "operator_of f<int>(int)", "f<int>", "", "f<int>" },
	{ "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
	  "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
	  "<alloc::vec::Vec<T> as core::ops::Drop>", "drop" },
	{ "bytes.(*Buffer).Write", "bytes.(*Buffer).Write", "",
	  "bytes.(*Buffer).Write" },
	{ "[libx.so+0x12]", "[libx.so+0x12]", "", "[libx.so+0x12]" },
	/* Not names: unchanged. */
	{ "f(int", "f(int", "", "f(int" },
	{ "a b ", "a b ", "", "a b " },
	{ ")", ")", "", ")" },
	{ "())", "())", "", "())" },
	{ "", "", "", "" },
};

static void
test_parts(void)
{
	struct names_parts p;
	char text[128];
	size_t i;

	for (i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *s = parts[i][0];

		names_split(s, &p);
		snprintf(text, sizeof text, "%.*s", (int)(p.end - p.start),
			 s + p.start);
		is_str(text, parts[i][1], "the name of '%s'", s);
		snprintf(text, sizeof text, "%.*s", (int)(p.scope - p.start),
			 s + p.start);
		is_str(text, parts[i][2], "... stands in");
		snprintf(text, sizeof text, "%.*s", (int)(p.end - p.own),
			 s + p.own);
		is_str(text, parts[i][3], "... is itself");
	}
}

static void
test_plain(void)
{
	static const char *const plain[][2] = {
		{ "void ns::box<int>::fill<10>(char*) const", "ns::box::fill" },
		{ "ns::operator<< <int>(A&)", "ns::operator<<" },
		{ "ns::P<int>::operator->()", "ns::P::operator->" },
		{ "A::f[abi:cxx11]<int>()", "A::f" },
		{ "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
		  "<alloc::vec::Vec as core::ops::Drop>::drop" },
	};
	static const char *const types[][2] = {
		{ "std::map<int, std::vector<a> >", "std::map" },
		{ "a<b>::c<d>*", "a::c*" },
		{ "unsigned long", "unsigned long" },
		{ "struct box<int>", "struct box" },
		{ "void (*)(a<b>, c)", "void (*)(a, c)" },
		{ "(anonymous namespace)::x<int>", "(anonymous namespace)::x" },
		{ "a<b", "a<b" },
	};
	char to[128];
	size_t i;

	for (i = 0; i < sizeof plain / sizeof *plain; i++) {
		names_shorten(plain[i][0], NAMES_PLAIN, to);
		is_str(to, plain[i][1], "plain '%s'", plain[i][0]);
	}
	for (i = 0; i < sizeof types / sizeof *types; i++) {
		names_shorten(types[i][0], NAMES_TYPE, to);
		is_str(to, types[i][1], "type '%s'", types[i][0]);
	}
}

/* The part of names that two builds have in common. */
static void
test_lasting(void)
{
	static const char *const lasting[][2] = {
		{ "main", "main" },
		{ "", "" },
		{ "make.constprop.0", "make" },
		{ "make.part.1.cold", "make" },
		{ "make.isra.0.constprop.12", "make" },
		{ "make.lto_priv.3", "make" },
		{ "make.llvm.1234567890", "make" },
		{ "make.__uniq.1234567890", "make" },
		{ "make.123", "make" },
		{ "make.7.cold.1", "make" },
		/* These aren't copies' names. */
		{ "make.parts", "make.parts" },
		{ "a.out", "a.out" },
		{ "make.123x", "make.123x" },
		{ "f(int) [clone .constprop.0]", "f(int)" },
		{ "f(int) [clone .part.0] [clone .cold]", "f(int)" },
		{ "main::{lambda(int)#2}::operator()(int) const",
		  "main::{lambda(int)}::operator()(int) const" },
		{ "main::{lambda()#1}::operator()() const::{lambda()#12}",
		  "main::{lambda()}::operator()() const::{lambda()}" },
		{ "main::'lambda0'(int)::operator()(int)",
		  "main::'lambda'(int)::operator()(int)" },
		{ "main::$_3::operator()() const",
		  "main::$_::operator()() const" },
		{ "shop::sell::h0123456789abcdef", "shop::sell" },
		{ "shop::sell::hello", "shop::sell::hello" },
		{ "[libx.so.1+0x1234]", "[libx.so.1]" },
		{ "[+0x12]", "[]" },
		{ "operator new[](unsigned long)",
		  "operator new[](unsigned long)" },
	};
	char text[128];
	size_t i;

	for (i = 0; i < sizeof lasting / sizeof *lasting; i++) {
		snprintf(text, sizeof text, "%s", lasting[i][0]);
		names_lasting(text);
		is_str(text, lasting[i][1], "lasting '%s'", lasting[i][0]);
	}
}

/* Returns head, n times unit, tail, mangled; the caller frees it. */
static char *
repeated(const char *head, const char *unit, size_t n, const char *tail)
{
	size_t each = strlen(unit);
	char *s = malloc(strlen(head) + n * each + strlen(tail) + 1), *p = s;

	p = stpcpy(p, head);
	for (size_t i = 0; i < n; i++)
		p = stpcpy(p, unit);
	strcpy(p, tail);
	return s;
}

static void
test_long(void)
{
	static const char *const units[] = {
		"P",  "1AI1AI", "PFv", "Z1a", "ng",	"X",  "N",  "A_",   "M",
		"Dp", "DTst",	"cv",  "J",   "L_Z1fI", "S_", "T_", "Th0_", "GV"
	};
	char *name = repeated("_Z1fI", "9parameter", 150, "EvT_"), *text;

	text = symbols_demangle(name);
	ok(text && !strncmp(text, "void f<parameter, parameter, ", 29),
	   "a name of 1,509 bytes is demangled");
	free(text);
	free(name);
	name = repeated("_Z1fI25000", "a", 25000, "EvT_");
	text = symbols_demangle(name);
	ok(text && strlen(text) > 50000, "and one of 25,014");
	free(text);
	free(name);
	/* Nested as deep as there is room: the demangler calls itself. */
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		name = repeated("_Z1fI", units[i], 32000 / strlen(units[i]),
				"iEvv");
		free(symbols_demangle(name));
		free(name);
	}
	ok(true, "none of them overflows the stack");
}

int
main(void)
{
	test_endings();
	test_parts();
	test_plain();
	test_lasting();
	test_short();
	test_long();
	test_random();
	test_mangled();
	return done_testing();
}
