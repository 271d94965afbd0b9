/* SPDX-License-Identifier: MIT */
/*
 * Ways out of a program that run no exit handlers: _exit and exec.  And
 * dlclose, after which an address may mean something else.
 */
#include "monitor/hook.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "monitor/modules.h"
#include "monitor/next.h"
#include "monitor/process.h"
#include "monitor/thread.h"

extern char **environ;

EXPORT __attribute__((noreturn)) void
HOOK(_exit)(int status)
{
	mmi_process_end(MONOUT_E__EXIT, 0);
	for (;;)
		ARCH_SYS(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

EXPORT __attribute__((noreturn)) void
HOOK(_Exit)(int status)
{
	HOOK(_exit)(status);
}

/* exec is about to be called, and it came back. */
static void
exec_begin(void)
{
	int e = errno;

	mmi_process_end(MONOUT_E_EXEC, 0);
	errno = e;
}

static int
exec_failed(void)
{
	int e = errno;

	mmi_process_exec_failed();
	errno = e;
	return -1;
}

EXPORT int
HOOK(execve)(const char *path, char *const argv[], char *const envp[])
{
	long r;

	exec_begin();
	r = ARCH_SYS(SYS_execve, path, argv, envp, 0, 0, 0);
	errno = (int)-r;
	return exec_failed();
}

EXPORT int
HOOK(execv)(const char *path, char *const argv[])
{
	return HOOK(execve)(path, argv, environ);
}

EXPORT int
HOOK(fexecve)(int fd, char *const argv[], char *const envp[])
{
	long r;

	exec_begin();
	r = ARCH_SYS(SYS_execveat, fd, "", argv, envp, 0x1000 /* EMPTY_PATH */,
		     0);
	errno = (int)-r;
	return exec_failed();
}

#ifdef MEMMON_STATIC
extern int __real_execvpe(const char *, char *const[], char *const[]);
#define next_execvpe __real_execvpe
#else
static int
next_execvpe(const char *file, char *const argv[], char *const envp[])
{
	static int (*next)(const char *, char *const[], char *const[]);

	if (!next)
		next = mmi_next_symbol("execvpe");
	if (next)
		return next(file, argv, envp);
	errno = ENOSYS;
	return -1;
}
#endif

EXPORT int
HOOK(execvpe)(const char *file, char *const argv[], char *const envp[])
{
	exec_begin();
	next_execvpe(file, argv, envp);
	return exec_failed();
}

EXPORT int
HOOK(execvp)(const char *file, char *const argv[])
{
	return HOOK(execvpe)(file, argv, environ);
}

/* Arguments up to the NULL that ends them, that one included. */
static size_t
count_args(va_list ap)
{
	size_t n = 2;

	while (va_arg(ap, char *))
		n++;
	return n;
}

/* The list form's arguments as a vector; the caller's frame holds it. */
#define VECTOR(argv, first, ap) \
	do { \
		va_list copy_; \
		size_t n_; \
\
		va_start(ap, first); \
		va_copy(copy_, ap); \
		n_ = first ? count_args(copy_) : 1; \
		va_end(copy_); \
		argv = __builtin_alloca(n_ * sizeof(*argv)); \
		argv[0] = (char *)first; \
		for (size_t i_ = 1; i_ < n_; i_++) \
			argv[i_] = va_arg(ap, char *); \
	} while (0)

EXPORT int
HOOK(execl)(const char *path, const char *arg, ...)
{
	char **argv;
	va_list ap;
	int r;

	VECTOR(argv, arg, ap);
	r = HOOK(execv)(path, argv);
	va_end(ap);
	return r;
}

EXPORT int
HOOK(execlp)(const char *file, const char *arg, ...)
{
	char **argv;
	va_list ap;
	int r;

	VECTOR(argv, arg, ap);
	r = HOOK(execvp)(file, argv);
	va_end(ap);
	return r;
}

EXPORT int
HOOK(execle)(const char *path, const char *arg, ...)
{
	char **argv;
	va_list ap;
	int r;

	VECTOR(argv, arg, ap);
	r = HOOK(execve)(path, argv, arg ? va_arg(ap, char **) : environ);
	va_end(ap);
	return r;
}

#ifndef MEMMON_STATIC
EXPORT int
dlclose(void *handle)
{
	static int (*next)(void *);
	int r;

	if (!next)
		next = mmi_next_symbol("dlclose");
	if (!next)
		return -1;
	mmi_modules_unload_begin();
	r = next(handle);
	mmi_modules_unload_end();
	return r;
}
#endif
