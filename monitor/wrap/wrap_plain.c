/* SPDX-License-Identifier: MIT */
/*
 * The library's own calls of what it shows itself, which the linker's --wrap
 * leads here (plain.list), so that these aren't counted.  The first of them may
 * be what looks for the next ones; `otherwise' is what it does while that can't
 * be done.
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
