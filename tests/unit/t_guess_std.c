/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The C++ library's own types, by the user's names for them: cxx_std.c. */
#include "reduce/infer/cxx_call.h"
#include "tests/tap.h"

#include <string.h>

static struct arena arena;

/* What an allocator was asked for: its type alone. */
static const struct {
	const char *type, *want;
	bool open;
} types[] = {
	{ "int", "int", true },
	{ "ns::node", "ns::node", true },
	{ "std::_Rb_tree_node<std::pair<const int, std::string>>",
	  "std::map<int, std::string> node", true },
	{ "std::_Rb_tree_node<std::pair<int, int>>",
	  "std::set<std::pair<int, int>> node", true },
	{ "std::_Rb_tree_node<std::pair<a* const, b>>", "std::map<a*, b> node",
	  true },
	{ "std::_Rb_tree_node<std::pair<const a* const, b>>",
	  "std::map<const a*, b> node", true },
	{ "std::_Rb_tree_node<std::pair<const a*, b>>",
	  "std::set<std::pair<const a*, b>> node", true },
	{ "std::__tree_node<std::__value_type<int, char>, void*>",
	  "std::map<int, char> node", true },
	{ "std::__detail::_Hash_node<std::pair<const int, a>, false>",
	  "std::unordered_map<int, a> node", true },
	{ "std::__hash_node<int, void*>", "std::unordered_set<int> node",
	  true },
	{ "std::_List_node<a>", "std::list<a> node", true },
	{ "std::_Fwd_list_node<a>", "std::forward_list<a> node", true },
	{ "std::__forward_list_node<a, void*>", "std::forward_list<a> node",
	  true },
	{ "std::__detail::_Hash_node_base*", "std::unordered_map buckets",
	  true },
	{ "std::_Sp_counted_ptr_inplace<a, std::allocator<void>, "
	  "(__gnu_cxx::_Lock_policy)2>",
	  "std::make_shared<a>", false },
	{ "std::__shared_ptr_emplace<a, std::allocator<a>>",
	  "std::make_shared<a>", false },
	{ "std::_Sp_counted_ptr<a*, (__gnu_cxx::_Lock_policy)2>",
	  "std::shared_ptr<a> counts", false },
	{ "std::thread::_State_impl<std::thread::_Invoker<std::tuple<a>>>",
	  "std::thread state", false },
	{ "std::__future_base::_Result<int>", "std::future<int> result",
	  false },
	{ "std::_Rb_tree_node", "std::_Rb_tree_node", true },
	{ "std::_List_node<", "std::_List_node<", true },
	{ "", "", true },
};

/* ... and with a function of that class around it.  NULL: nothing better. */
static const struct {
	const char *type, *holder, *function, *want;
	bool done;
} holders[] = {
	{ "char", "std::string", "_M_create", "std::string chars", true },
	{ "wchar_t", "std::wstring", "reserve", "std::wstring chars", true },
	{ "int", "std::vector<int>", "push_back", NULL, true },
	{ "int", "std::allocator_traits<std::allocator<int>>", "allocate", NULL,
	  false },
	{ "unsigned long", "std::vector<bool>", "resize",
	  "std::vector<bool> bits", true },
	{ "int", "std::deque<int>", "push_back", "std::deque<int> block",
	  true },
	{ "int*", "std::deque<int>", "push_back", "std::deque<int> map", true },
	{ "int*", "std::deque<int*>", "push_back", "std::deque<int*> block",
	  true },
	{ "std::_Rb_tree_node<std::pair<const int, a>>",
	  "std::_Rb_tree<int, std::pair<const int, a>, "
	  "std::_Select1st<std::pair<const int, a>>, std::less<int>>",
	  "_M_emplace_equal", "std::multimap<int, a> node", true },
	{ "std::_Rb_tree_node<std::pair<const int, a>>",
	  "std::_Rb_tree<int, std::pair<const int, a>, "
	  "std::_Select1st<std::pair<const int, a>>, std::greater<int>>",
	  "_M_create_node", "std::map<int, a, std::greater<int>> node", false },
	{ "std::_Rb_tree_node<std::pair<const int, a>>",
	  "std::_Rb_tree<std::pair<const int, a>, std::pair<const int, a>, "
	  "std::_Identity<std::pair<const int, a>>, "
	  "std::less<std::pair<const int, a>>>",
	  "_M_insert_unique", "std::set<std::pair<const int, a>> node", true },
	{ "std::_Rb_tree_node<std::pair<const int, a>>",
	  "std::multimap<int, a>", "insert", "std::multimap<int, a> node",
	  true },
	{ "std::__detail::_Hash_node_base*",
	  "std::_Hashtable<int, std::pair<const int, a>, "
	  "std::allocator<std::pair<const int, a>>, "
	  "std::__detail::_Select1st, std::equal_to<int>, std::hash<int>, x, "
	  "y, "
	  "z, std::__detail::_Hashtable_traits<false, false, false>>",
	  "_M_rehash", "std::unordered_multimap<int, a> buckets", true },
	{ "std::__detail::_Hash_node<a, true>",
	  "std::_Hashtable<a, a, std::allocator<a>, "
	  "std::__detail::_Identity, std::equal_to<a>, my::hash, x, y, z, "
	  "std::__detail::_Hashtable_traits<true, true, true>>",
	  "_M_emplace", "std::unordered_set<a, my::hash> node", true },
	{ "main::{lambda}", "std::function<int(int)>", "function",
	  "std::function<int(int)> functor", true },
	{ "int", "my::vector<int>", "push_back", NULL, false },
	{ "int", "std::_Rb_tree<int>", "x", NULL, false },
};

/* Functions without debug information. */
static const struct {
	const char *function;
	enum guess_answer answer;
	const char *type;
} functions[] = {
	{ "operator new(unsigned long)", GUESS_PASS, NULL },
	{ "operator new[](unsigned long)", GUESS_PASS, NULL },
	{ "__cxa_allocate_exception", GUESS_PASS, NULL },
	{ "malloc", GUESS_UNKNOWN, NULL },
	{ "ns::f(int)", GUESS_UNKNOWN, NULL },
	{ "std::locale::locale()", GUESS_UNKNOWN, NULL },
	{ "std::__cxx11::basic_string<char, std::char_traits<char>, "
	  "std::allocator<char> >::_M_create(unsigned long&, unsigned long)",
	  GUESS_FOUND, "std::string chars" },
	{ "void std::__cxx11::basic_string<wchar_t, std::char_traits<wchar_t>, "
	  "std::allocator<wchar_t> >::_M_construct<wchar_t*>(wchar_t*, "
	  "wchar_t*, std::forward_iterator_tag)",
	  GUESS_FOUND, "std::wstring chars" },
	{ "std::__cxx11::basic_stringbuf<char, std::char_traits<char>, "
	  "std::allocator<char> >::overflow(int)",
	  GUESS_FOUND, "std::string chars" },
	{ "std::pmr::monotonic_buffer_resource::_M_new_buffer(unsigned long, "
	  "unsigned long)",
	  GUESS_FOUND, "std::pmr::monotonic_buffer_resource chunk" },
	{ "std::pmr::(anonymous namespace)::new_delete_resource_t::"
	  "do_allocate(unsigned long, unsigned long)",
	  GUESS_PASS, NULL },
	{ "std::", GUESS_UNKNOWN, NULL },
	{ "", GUESS_UNKNOWN, NULL },
};

static void
test_types(void)
{
	const char *got;
	bool open;
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++) {
		got = guess_std_type(&arena, types[i].type, &open);
		is_str(got, types[i].want, "%s", types[i].type);
		is_int(open, types[i].open, "... asks on");
	}
}

static void
test_holders(void)
{
	const char *got;
	bool done;
	size_t i;

	for (i = 0; i < sizeof holders / sizeof *holders; i++) {
		got = guess_std_holder(&arena, holders[i].type,
				       holders[i].holder, holders[i].function,
				       &done);
		is_str(got, holders[i].want, "%s", holders[i].holder);
		is_int(done, holders[i].done, "... is all");
	}
}

static void
test_functions(void)
{
	const char *type;
	size_t i;

	for (i = 0; i < sizeof functions / sizeof *functions; i++) {
		type = NULL;
		is_int(guess_std_function(&arena, functions[i].function, &type),
		       functions[i].answer, "%s", functions[i].function);
		is_str(type, functions[i].type, "... its type");
	}
}

int
main(void)
{
	test_types();
	test_holders();
	test_functions();
	arena_fini(&arena);
	return done_testing();
}
