// SPDX-License-Identifier: MIT
//
// The members of std::string that programs use most, from the compiler's own
// headers. They have an object file of their own, because the linker takes an
// archive's objects as a whole (string_rest.cc).
#include <string>

namespace std
{

template string::basic_string(const string &);
template string::basic_string(const string &, size_t, size_t);
template string &string::operator=(const string &);
template string &string::operator=(string &&);
template string &string::append(const char *);
template string &string::append(const string &);
template string &string::assign(const char *);
template string &string::assign(const string &);
template string &string::erase(size_t, size_t);
template string &string::replace(size_t, size_t, const char *, size_t);
template void string::push_back(char);
template void string::reserve(size_t);
template void string::resize(size_t, char);
template void string::swap(string &);
template int string::compare(const char *) const;
template int string::compare(const string &) const;
template size_t string::find(char, size_t) const noexcept;
template size_t string::find(const char *, size_t, size_t) const noexcept;
template size_t string::find(const string &, size_t) const noexcept;
template size_t string::rfind(char, size_t) const noexcept;
template string string::substr(size_t, size_t) const;

template string &string::_M_append(const char *, size_t);
template string &string::_M_replace(size_t, size_t, const char *, size_t);
template string &string::_M_replace_aux(size_t, size_t, size_t, char);
template string::pointer string::_M_create(size_t &, size_t);
template void string::_M_assign(const string &);
template void string::_M_construct(size_t, char);
template void string::_M_dispose();
template void string::_M_erase(size_t, size_t);
template void string::_M_mutate(size_t, size_t, const char *, size_t);
}
