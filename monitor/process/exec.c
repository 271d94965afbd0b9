/* SPDX-License-Identifier: MIT */
/*
 * Ways to leave a program without exit handlers: _exit and exec.  Also dlclose,
 * after which an address may mean something else.
 */
#include "monitor/process/exec.h"
#include "monitor/base/entered.h"
#include "monitor/base/hook.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor/access/handed.h"
#include "monitor/base/next.h"
#include "monitor/base/process.h"
#include "monitor/base/program.h"
#include "monitor/chain/modules.h"
#include "monitor/file/out.h"
#include "monitor/hooks/hooks.h"
#include "monitor/image/image.h"
#include "monitor/leak/leak.h"
#include "monitor/process/children.h"
#include "monitor/process/end.h"
#include "monitor/process/libraries.h"
#include "monitor/process/limits.h"

/* Linux 6.14: AT_EXECVE_CHECK. */
#define EXECVE_CHECK 0x10000

extern void HOOK(_exit)(int status) __attribute__((noreturn));
HIDDEN void mmi_exec_exits(int status, const uintptr_t *sp)
	__attribute__((noreturn));
ARCH_ENTERED(HOOK(_exit), ".globl", mmi_exec_exits);

void
mmi_exec_exits(int status, const uintptr_t *sp)
{
	mmi_leak_entered(sp);
	mmi_end(MONOUT_E__EXIT, 0);
	for (;;)
		ARCH_ASKED(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

EXPORT __attribute__((noreturn)) void
HOOK(_Exit)(int status)
{
	HOOK(_exit)(status);
}

/*
 * Is exec certain to fail?  A shell that looks for a program tries each
 * directory of PATH, and must not write a file for each.
 */
static bool
no_program(int fd, const char *path, int flags)
{
	struct stat st;
	long r = ARCH_SYS(SYS_newfstatat, fd, path, &st,
			  flags & (AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW), 0, 0);

	/* Unknown, if the program may not call stat(). */
	if (r != 0)
		return r != -ENOSYS && r != -EPERM;
	return !S_ISREG(st.st_mode) || !(st.st_mode & 0111);
}

/* Does no directory of PATH contain such a program? */
static bool
no_program_in_path(const char *file)
{
	const char *path = mmi_process_environment("PATH"), *end;
	char name[PATH_MAX];
	size_t n, most = sizeof(name) - 1;

	if (!file || !*file || strchr(file, '/'))
		return file && no_program(AT_FDCWD, file, 0);
	n = strlen(file);
	for (path = path ? path : "/bin:/usr/bin";; path = end + 1) {
		end = strchr(path, ':');
		end = end ? end : path + strlen(path);
		if ((size_t)(end - path) + 1 + n > most)
			return false;
		memcpy(name, path, (size_t)(end - path));
		name[end - path] = '/';
		memcpy(name + (end - path) + (end > path), file, n + 1);
		if (!no_program(AT_FDCWD, name, 0))
			return false;
		if (!*end)
			return true;
	}
}

/* The file that was written before an exec. */
struct before {
	struct mmi_out_file file;
	bool written, ended;
};

/*
 * exec is about to be called; hopeless: it will fail.  An image stays for the
 * library in the next program, if this program gets the library.
 */
static void
exec_begin(struct before *b, const struct mmi_child *c, bool hopeless)
{
	int e = errno;

	b->ended = !hopeless;
	b->written = !hopeless && mmi_end_exec(&b->file) == 0;
	if (b->written) {
		mmi_image_end(MONOUT_E_EXEC, MONIMG_WRITTEN);
		if (!c->stays)
			mmi_image_remove();
	}
	if (!hopeless)
		mmi_limits_exec();
	errno = e;
}

/* exec has failed: removes the file again. */
static int
exec_failed(const struct before *b)
{
	int e = errno;

	if (b->written)
		mmi_out_remove(&b->file, true);
	if (b->ended) {
		mmi_limits_exec_failed();
		mmi_image_end(0, 0);
	}
	errno = e;
	return -1;
}

/* Returns 0, or -errno. */
static long
exec_now(const struct mmi_child *c, int flags)
{
	if (c->directory == AT_FDCWD && !flags)
		return ARCH_ASKED(SYS_execve, c->path, c->argv, c->envp, 0, 0,
				  0);
	return ARCH_ASKED(SYS_execveat, c->directory, c->path, c->argv, c->envp,
			  flags, 0);
}

/* The environment is c's after MMI_CHILD_BEGIN(). */
static int
exec_file(const struct mmi_child *c, int flags)
{
	struct before b;
	long r;

	/* With AT_EXECVE_CHECK it always returns. */
	exec_begin(&b, c,
		   (flags & EXECVE_CHECK) ||
			   no_program((int)c->directory, c->path, flags));
	r = exec_now(c, flags);
	mmi_child_release(c);
	if (r == 0)
		return 0;
	errno = (int)-r;
	return exec_failed(&b);
}

static int
exec_given(struct mmi_child *c, int flags)
{
	if (!mmi_child_readable(c)) {
		errno = (int)-exec_now(c, flags);
		return -1;
	}
	mmi_handed_given(c->path, c->argv, c->envp);
	MMI_CHILD_BEGIN(c);
	return exec_file(c, flags);
}

EXPORT int
HOOK(execve)(const char *path, char *const argv[], char *const envp[])
{
	struct mmi_child c = {
		.directory = AT_FDCWD, .path = path, .argv = argv, .envp = envp
	};

	return exec_given(&c, 0);
}

EXPORT int
HOOK(execv)(const char *path, char *const argv[])
{
	return HOOK(execve)(path, argv, environ);
}

EXPORT int
HOOK(execveat)(int fd, const char *path, char *const argv[], char *const envp[],
	       int flags)
{
	struct mmi_child c = {
		.directory = fd, .path = path, .argv = argv, .envp = envp
	};

	return exec_given(&c, flags);
}

int
mmi_exec_syscall(long n, long a, long b, long c, long d, long e)
{
	if (n == SYS_execve)
		return HOOK(execve)((char *)a, (char **)b, (char **)c);
	return HOOK(execveat)((int)a, (char *)b, (char **)c, (char **)d,
			      (int)e);
}

EXPORT int
HOOK(fexecve)(int fd, char *const argv[], char *const envp[])
{
	/* libc's header says never NULL, but programs pass it. */
	char *const *volatile list = argv;

	if (fd < 0 || !list || !envp) {
		errno = EINVAL;
		return -1;
	}
	return HOOK(execveat)(fd, "", argv, envp, AT_EMPTY_PATH);
}

#ifdef MEMMON_STATIC
extern int __real_execvpe(const char *, char *const[], char *const[]);
static int (*next_execvpe)(const char *, char *const[],
			   char *const[]) = __real_execvpe;

void
mmi_exec_init(void)
{
}
#else
static int (*next_execvpe)(const char *, char *const[], char *const[]);
static int (*next_dlclose)(void *);

/* Programs with this process's loader need no further check. */
static void
note_loader(void)
{
	struct dl_find_object f;

	if (_dl_find_object((void *)mmi_process_loader(), &f) == 0 &&
	    f.dlfo_link_map->l_name)
		mmi_program_begin(f.dlfo_link_map->l_name);
}

void
mmi_exec_init(void)
{
	note_loader();
	next_execvpe = mmi_next_symbol("execvpe");
	next_dlclose = mmi_next_symbol("dlclose");
}
#endif

EXPORT int
HOOK(execvpe)(const char *file, char *const argv[], char *const envp[])
{
	struct before b;
	struct mmi_child c = { .directory = AT_FDCWD,
			       .path = file,
			       .search = true,
			       .argv = argv,
			       .envp = envp };

	if (!next_execvpe)
		mmi_exec_init();
	if (!next_execvpe) {
		errno = ENOSYS;
		return -1;
	}
	if (!mmi_child_readable(&c))
		return next_execvpe(file, argv, envp);
	mmi_handed_given(file, argv, envp);
	MMI_CHILD_BEGIN(&c);
	exec_begin(&b, &c, no_program_in_path(file));
	next_execvpe(file, argv, c.envp);
	mmi_child_release(&c);
	return exec_failed(&b);
}

EXPORT int
HOOK(execvp)(const char *file, char *const argv[])
{
	return HOOK(execvpe)(file, argv, environ);
}

/* The number of arguments up to the NULL that ends them, including it. */
static size_t
count_args(va_list ap)
{
	size_t n = 2;

	while (va_arg(ap, char *))
		n++;
	return n;
}

/* The list form's arguments as a vector; the caller's frame contains it. */
#define VECTOR(argv, first, ap) \
	do { \
		/* libc's header says never NULL, but programs pass it. */ \
		const char *volatile first_ = first; \
		va_list copy_; \
		size_t n_; \
\
		va_start(ap, first); \
		va_copy(copy_, ap); \
		n_ = first_ ? count_args(copy_) : 1; \
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
	r = HOOK(execve)(path, argv, argv[0] ? va_arg(ap, char **) : environ);
	va_end(ap);
	return r;
}

/*
 * The libc's own daemon() calls fork and _exit.  No hook sees this _exit, so
 * the parent's counts would be lost.
 */
EXPORT int
HOOK(daemon)(int nochdir, int noclose)
{
	struct stat st;
	pid_t pid = fork();
	int fd;

	if (pid < 0)
		return -1;
	if (pid > 0)
		HOOK(_exit)(0);
	if (setsid() < 0)
		return -1;
	if (!nochdir && chdir("/") < 0)
		return -1;
	if (noclose)
		return 0;
	/* libmemmon-access replaces open(). */
	fd = (int)ARCH_ASKED(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0, 0,
			     0);
	if (fd < 0) {
		errno = -fd;
		return -1;
	}
	if (fstat(fd, &st) < 0 || !S_ISCHR(st.st_mode)) {
		close(fd);
		errno = ENODEV;
		return -1;
	}
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
	return 0;
}

#ifndef MEMMON_STATIC
EXPORT int
dlclose(void *handle)
{
	int r;

	if (!next_dlclose)
		mmi_exec_init();
	if (!next_dlclose)
		return -1;
	mmi_libraries_closing();
	mmi_modules_unload_begin();
#ifdef MEMMON_ACCESS
	mmi_handed_unload();
#endif
	r = next_dlclose(handle);
	mmi_modules_unload_end();
	mmi_cxx_unloaded();
	return r;
}
#endif
