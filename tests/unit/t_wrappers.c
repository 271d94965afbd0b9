/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions are allocation wrappers. */
#include "reduce/symbols/wrappers.h"
#include "tests/tap.h"

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
	match("Perl_safesysmalloc", false, true);
	match("Perl_safesysfree", false, false);
	match("ggc_internal_cleared_alloc", false, true);
	match("PyObject_Malloc", false, true);
	match("PyObject_New", false, false);
	match("__gnat_malloc", false, true);
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

static void
standard(const char *name, const char *linkage, bool want)
{
	is_int(wrappers_standard(name, linkage), want, "%s is %s", name,
	       want ? "the library's" : "the program's");
}

static void
library(void)
{
	standard("std::vector<my::T, std::allocator<my::T> >::push_back("
		 "my::T const&)",
		 NULL, true);
	standard("_ZNSt6vectorIiSaIiEE9push_backERKi", NULL, true);
	standard("void std::sort<int*, bool (*)(int, int)>(int*, int*, "
		 "bool (*)(int, int))",
		 NULL, true);
	standard("std::_Function_handler<void (), main::{lambda()#1}>::"
		 "_M_invoke(std::_Any_data const&)",
		 NULL, true);
	standard("decltype (forward<int>({parm#1})) "
		 "std::__invoke_impl<int>(int)",
		 NULL, true);
	standard("std::__cxx11::basic_string<char>::operator+=(char)", NULL,
		 true);
	standard("__gnu_cxx::__ops::_Iter_less_iter::operator()(int)", NULL,
		 true);
	standard("operator new[](unsigned long)", NULL, true);
	standard("std::__1::vector<int>::push_back(int const&)", NULL, true);
	standard("void (*std::for_each<int*, void (*)(int)>(int*, int*, "
		 "void (*)(int)))(int)",
		 NULL, true);
	standard("__gthread_once(int*, void (*)())", NULL, true);
	/* Names with std:: only in their arguments, result, or function. */
	standard("my::pool<std::string>::get()", NULL, false);
	standard("std::string my::text<int>(int)", NULL, false);
	standard("std::vector<int> make_vector<int>()", NULL, false);
	standard("std::ostream& operator<< <int>(std::ostream&, my::T<int>)",
		 NULL, false);
	standard("my::T::operator std::string() const", NULL, false);
	standard("main::{lambda(std::string)#1}::operator()(std::string) const",
		 NULL, false);
	standard("non-virtual thunk to my::T::run()", NULL, false);
	standard("my::T::operator new(unsigned long)", NULL, false);
	standard("std::string (*my::chosen<int>(int))(int)", NULL, false);
	standard("my_std::f()", NULL, false);
	standard("my::std::f()", NULL, false);
	standard("stdin_read", NULL, false);
	standard("xmalloc", NULL, false);
}

/* Names of Rust's library: they count in Rust code only. */
static void
rust(void)
{
	standard("core::ops::function::FnOnce::call_once",
		 "_ZN4core3ops8function6FnOnce9call_once17h0123456789abcdefE",
		 true);
	standard("<alloc::vec::Vec<T> as core::clone::Clone>::clone",
		 "_RNvXs_NtCsl9_5alloc3vecINtB4_3VecT_ENtNtCsl_4core5clone",
		 true);
	standard("<app::Item as core::clone::Clone>::clone",
		 "_RNvXs_NtCsl9_3appItemNtNtCsl_4core5clone5Clone5clone",
		 false);
	standard("<&dyn core::ops::FnOnce<(), Output = i32> as "
		 "core::ops::FnOnce<()>>::call_once",
		 "_RNvXs", true);
	standard("<&dyn core::ops::FnOnce<()>>::call_once", "_RNvXs", true);
	standard("<&mut T as alloc::string::ToString>::to_string", "_RNvXs",
		 true);
	standard("<alloc::vec::Vec<T>>::push", "_RNvXs", true);
	standard("<hashbrown::raw::RawTable<T>>::reserve", "_RNvXs", true);
	standard("<std::io::Stdout as std::io::Write>::write", "_RNvXs", true);
	standard("<fn() -> app::Item as core::clone::Clone>::clone", "_RNvXs",
		 false);
	standard("<alloc::vec::Vec<T> as app::Sum>::sum", "_RNvXs", false);
	standard("<&app::Item as core::fmt::Display>::fmt", "_RNvXs", false);
	standard("<T as app::Sum>::sum", "_RNvXs", false);
	standard("<app::Item>::new", "_RNvXs", false);
	standard("core::start()", "_ZN4core5startEv", false);
	standard("alloc::start()", NULL, false);
	standard("core::ops17h0()", "_ZN4core5ops17h0E", false);
}

int
main(void)
{
	builtin();
	others();
	library();
	rust();
	return done_testing();
}
