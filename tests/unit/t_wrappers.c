/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions are allocation wrappers. */
#include "reduce/wrappers.h"
#include "tests/tap.h"

static void
bare(const char *name, const char *want)
{
	size_t n = wrappers_bare(name);

	ok(n == strlen(want) && !strncmp(name, want, n), "%s -> %.*s", name,
	   (int)n, name);
}

static void
match(const char *name, bool libc, bool want)
{
	static const char *const globs[] = { "pool_*", "ns::Arena<*>::get" };
	struct wrappers w = { globs, 2, false };

	is_int(wrappers_match(&w, name, libc), want, "%s%s", name,
	       want ? " is one" : " is none");
	w.none = true;
	is_int(wrappers_match(&w, name, libc), false, "%s: none at all", name);
}

static void
names(void)
{
	bare("main", "main");
	bare("f(int, char (*)(int))", "f");
	bare("a::b<c (*)(d)>::e(f const&) const", "a::b<c (*)(d)>::e");
	bare("a::operator()(int) const &", "a::operator()");
	bare("a::operator()", "a::operator()");
	bare("operator new(unsigned long)", "operator new");
	bare("f() [clone .part.0]", "f");
	bare("f [clone .cold]", "f");
	bare("a::{lambda(int)#1}::operator()(int) const",
	     "a::{lambda(int)#1}::operator()");
	bare("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
	bare("", "");
	bare(")", ")");
	bare("())", "())");
}

static void
builtin(void)
{
	match("malloc", false, true);
	match("my_malloc", false, false);
	match("operator new(unsigned long)", false, true);
	match("operator new[](unsigned long, std::nothrow_t const&)", false,
	      true);
	match("operator delete(void*)", false, false);
	match("_Znwm", false, true);
	match("_ZnamRKSt9nothrow_t", false, true);
	match("_Znot", false, false);
	match("std::__new_allocator<int>::allocate(unsigned long, void const*)",
	      false, true);
	match("__gnu_cxx::new_allocator<std::pair<int const, a> >::allocate("
	      "unsigned long, void const*)",
	      false, true);
	match("std::allocator_traits<std::allocator<int> >::allocate("
	      "std::allocator<int>&, unsigned long)",
	      false, true);
	match("std::_Vector_base<int, std::allocator<int> >::_M_allocate("
	      "unsigned long)",
	      false, true);
	match("std::vector<int, std::allocator<int> >::push_back(int const&)",
	      false, false);
	match("_ZNSt15__new_allocatorIiE8allocateEmPKv", false, true);
	match("_ZNSt6vectorIiSaIiEE9push_backERKi", false, false);
	match("void* std::__1::__libcpp_allocate[abi:v160006](unsigned long, "
	      "unsigned long)",
	      false, true);
	match("xmalloc", false, true);
	match("xml_new_alloc", false, false);
	match("getline", false, false);
	match("getline", true, true);
	match("realpath", true, true);
	match("g_malloc0", false, true);
	match("PyObject_Malloc", false, true);
	match("PyObject_New", false, false);
}

static void
others(void)
{
	match("g_newspaper", false, false);
	match("g_strdup_table", false, false);
	match("g_strdup_printf", false, true);
	match("mmi_open", false, false);
	match("slow_Zn_table", false, false);
	match("sqlite3DbMallocTree", false, false);
	match("__rust_allocator", false, false);
	match("PyObject_CallFinalizerFromDealloc", false, false);
	match("void f<std::make_shared<int> >(int)", false, false);
	match("take(std::make_unique<x>)", false, false);
	match("std::unique_ptr<x> std::make_unique<x, int>(int&&)", false,
	      true);
	match("std::_Rb_tree_node<int>* std::_Rb_tree<int, int>::"
	      "_M_create_node<int const&>(int const&)",
	      false, true);
	match("app::Foo::operator new(unsigned long)", false, true);
	match("app::Foo::operator new[](unsigned long)", false, true);
	match("app::operator newt(int)", false, false);
	match("_ZNSt11_Deque_baseIiSaIiEE16_M_allocate_nodeEv", false, true);
	match("xarray_alloc", false, false);
	match("pool_get", false, true);
	match("int pool_take<int>(int)", false, true);
	match("ns::Arena<int>::get(unsigned long)", false, true);
	match("[a.out+0x1234]", false, false);
}

int
main(void)
{
	names();
	builtin();
	others();
	return done_testing();
}
