// SPDX-License-Identifier: MIT
//
// All members of std::string and std::wstring, from the compiler's own headers,
// if these call them in libstdc++.so.
#include <string>

namespace std
{
template class basic_string<char>;
template class basic_string<wchar_t>;
}
