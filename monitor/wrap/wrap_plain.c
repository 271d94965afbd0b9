/* SPDX-License-Identifier: MIT */
/*
 * The library's own calls of what it shows itself, which the linker's --wrap
 * leads here (plain.list), so that these aren't counted; also before the next
 * ones are found.
 */
#include "monitor/wrap/wrap.h"

#pragma GCC visibility push(hidden)

#define ASK(type, name, parameters, arguments, otherwise) \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return LIKELY(NEXT(name)) ? NEXT(name) arguments \
					  : (type)(otherwise); \
	}

ASK(int, fstat, (int fd, struct stat *b), (fd, b),
    ARCH_SYS(SYS_newfstatat, fd, "", b, AT_EMPTY_PATH, 0, 0))
ASK(int, pthread_key_create, (pthread_key_t * k, void (*f)(void *)), (k, f),
    EAGAIN)

#pragma GCC visibility pop
