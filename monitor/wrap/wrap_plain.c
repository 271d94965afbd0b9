/* SPDX-License-Identifier: MIT */
/*
 * The library's own calls of functions that it exports.  The linker's --wrap
 * leads these calls here (plain.list), so that they aren't counted.  The first
 * of these functions may be called by the search for the next ones; `otherwise'
 * is what it does as long as the search isn't possible.
 */
#include "monitor/wrap/wrap.h"

#pragma GCC visibility push(hidden)

#define ASK(type, name, parameters, arguments, otherwise) \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return UNREADY(name) ? (type)(otherwise) \
				     : NEXT(name) arguments; \
	}

ASK(int, fstat, (int fd, struct stat *b), (fd, b),
    ARCH_SYS(SYS_newfstatat, fd, "", b, AT_EMPTY_PATH, 0, 0))
ASK(int, pthread_key_create, (pthread_key_t * k, void (*f)(void *)), (k, f),
    EAGAIN)

#pragma GCC visibility pop
