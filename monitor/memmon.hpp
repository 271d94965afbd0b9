// SPDX-License-Identifier: MIT
//
// memmon.hpp: types of blocks for memmon, in C++11 and later; see libmemmon(3).
// Without memmon, all of it only does its work.  It adds no exceptions.
//
//	memmon::typed(p), memmon::typed<T>(p)	the block at p holds T's; returns p
//	memmon::new_<T>(...)			new T(...), typed
//	memmon::allocator<T>			for containers: typed blocks
//	memmon::name<T>()			the name of T in the data file
#ifndef MEMMON_HPP
#define MEMMON_HPP

#include "memmon.h"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#pragma weak memmon_type

namespace memmon
{
namespace detail
{
template <typename T>
inline const char *
pretty() noexcept
{
	return __PRETTY_FUNCTION__;
}

// Both compilers' names of types with several names; gcc's name is used.
struct spelling {
	const char *clang, *gcc;
};

inline bool
begins(const char *s, const char *with) noexcept
{
	while (*with)
		if (*s++ != *with++)
			return false;
	return true;
}

inline bool
in_word(char c) noexcept
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

// The entry that s begins with, as whole words; or nullptr.
inline const spelling *
respell(const char *s, std::size_t *length) noexcept
{
	static const spelling words[] = {
		{ "unsigned long long", "long long unsigned int" },
		{ "unsigned long", "long unsigned int" },
		{ "unsigned short", "short unsigned int" },
		{ "long long", "long long int" },
		{ "long double", "long double" },
		{ "long", "long int" },
		{ "short", "short int" },
		{ "(anonymous namespace)", "{anonymous}" },
		{ " *", "*" },
		{ " &", "&" },
	};

	for (const spelling &w : words) {
		std::size_t n = 0;

		while (w.clang[n])
			n++;
		*length = n;
		if (begins(s, w.clang) &&
		    !(in_word(w.clang[n - 1]) && in_word(s[n])))
			return &w;
	}
	return nullptr;
}

// The name of a type, made once, without heap memory.
struct text {
	char name[256];

	explicit text(const char *s) noexcept
	{
		const char *end = s;
		std::size_t n = 0;
		char before = ' ';

		while (*s && !begins(s, "T = "))
			s++;
		s += *s ? 4 : 0;
		while (*end)
			end++;
		end -= end > s;
		while (s < end && n < sizeof(name) - 1)
			before = put(&s, &n, before);
		name[n] = '\0';
	}

private:
	// One character or spelling; returns the last character.
	char
	put(const char **s, std::size_t *n, char before) noexcept
	{
#ifdef __clang__
		std::size_t length = 0;
		const spelling *w =
			in_word(before) && in_word(**s) ? nullptr
							: respell(*s, &length);

		if (w) {
			for (const char *g = w->gcc;
			     *g && *n < sizeof(name) - 1; g++)
				name[(*n)++] = *g;
			before = (*s)[length - 1];
			*s += length;
			return before;
		}
#else
		(void)before;
#endif
		name[(*n)++] = **s;
		return *(*s)++;
	}
};

template <typename T>
struct size {
	static constexpr std::size_t bytes = sizeof(T);
};

template <>
struct size<void> {
	static constexpr std::size_t bytes = 0;
};
} // namespace detail

// The name of T; 255 bytes of it are kept.
template <typename T>
inline const char *
name() noexcept
{
	static const detail::text t(
		detail::pretty<typename std::remove_cv<T>::type>());

	return t.name;
}

// The block that begins at p holds objects of type T.  If p is NULL, it does
// nothing.  Returns p.
template <typename T>
inline T *
typed(T *p) noexcept
{
	if (memmon_type && p)
		(void)(memmon_type)(const_cast<const void *>(
					    static_cast<const volatile void *>(
						    p)),
				    name<T>(), detail::size<T>::bytes);
	return p;
}

// The same for a block from malloc: memmon::typed<T>(malloc(sizeof(T))).
template <typename T>
inline T *
typed(void *p) noexcept
{
	return typed(static_cast<T *>(p));
}

// new T(args...), whose block is typed.
template <typename T, typename... Args>
inline T *
new_(Args &&...args)
{
	return typed(new T(std::forward<Args>(args)...));
}

// An allocator like A that gives its blocks their type: the elements of a
// vector, the nodes of a list or map.
template <typename T, typename A = std::allocator<T>>
class allocator : public A
{
	typedef std::allocator_traits<A> traits;

public:
	typedef T value_type;

	template <typename U>
	struct rebind {
		typedef allocator<U, typename traits::template rebind_alloc<U>>
			other;
	};

	allocator() = default;
	explicit allocator(const A &a) noexcept : A(a) {}
	template <typename U, typename B>
	allocator(const allocator<U, B> &a) noexcept
	    : A(static_cast<const B &>(a))
	{
	}

	T *
	allocate(std::size_t n)
	{
		return typed<T>(static_cast<T *>(
			traits::allocate(static_cast<A &>(*this), n)));
	}

	void
	deallocate(T *p, std::size_t n)
	{
		traits::deallocate(static_cast<A &>(*this), p, n);
	}
};

template <typename T, typename A, typename U, typename B>
inline bool
operator==(const allocator<T, A> &a, const allocator<U, B> &b) noexcept
{
	return static_cast<const A &>(a) == A(static_cast<const B &>(b));
}

template <typename T, typename A, typename U, typename B>
inline bool
operator!=(const allocator<T, A> &a, const allocator<U, B> &b) noexcept
{
	return !(a == b);
}
} // namespace memmon

#endif
