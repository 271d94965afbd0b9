/* SPDX-License-Identifier: MIT */
/* Names and types of the functions that wrap.h describes. */
#ifndef MEMMON_ACCESS_WRAP_LIST_H
#define MEMMON_ACCESS_WRAP_LIST_H

#include <aio.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <libintl.h>
#include <locale.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* Only in newer libcs. */
int __memcmpeq(const void *, const void *, size_t);
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);
int __isoc99_vscanf(const char *, va_list);
int __isoc99_vfscanf(FILE *, const char *, va_list);
int __isoc99_vsscanf(const char *, const char *, va_list);
int __isoc23_vscanf(const char *, va_list);
int __isoc23_vfscanf(FILE *, const char *, va_list);
int __isoc23_vsscanf(const char *, const char *, va_list);
int __xpg_strerror_r(int, char *, size_t);

/*
 * Functions that _FORTIFY_SOURCE calls instead.  The last number, or the one
 * behind the destination, is the size of the destination.
 */
void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
void __explicit_bzero_chk(void *, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
size_t __strlcpy_chk(char *, const char *, size_t, size_t);
size_t __strlcat_chk(char *, const char *, size_t, size_t);
wchar_t *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemmove_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmempcpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t);
wchar_t *__wcscpy_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncpy_chk(wchar_t *, const wchar_t *, size_t, size_t);
wchar_t *__wcscat_chk(wchar_t *, const wchar_t *, size_t);
wchar_t *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vasprintf_chk(char **, int, const char *, va_list);
int __vprintf_chk(int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __vdprintf_chk(int, int, const char *, va_list);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *,
		const sigset_t *, size_t);
char *__realpath_chk(const char *, char *, size_t);
size_t __mbstowcs_chk(wchar_t *, const char *, size_t, size_t);
size_t __wcstombs_chk(char *, const wchar_t *, size_t, size_t);
char *__fgets_chk(char *, size_t, int, FILE *);
char *__fgets_unlocked_chk(char *, size_t, int, FILE *);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
size_t __fread_unlocked_chk(void *, size_t, size_t, size_t, FILE *);
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void *, size_t, off64_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *,
		       socklen_t *);
char *__getcwd_chk(char *, size_t, size_t);
ssize_t __readlink_chk(const char *, char *, size_t, size_t);
ssize_t __readlinkat_chk(int, const char *, char *, size_t, size_t);

/* The functions that aren't rows of wrap_row_list.h. */
#define MMI_WRAP_LIST(X) \
	X(memmove) \
	X(memset) \
	X(strtok_r) \
	X(strsep) \
	X(strtol) \
	X(strtoll) \
	X(strtoul) \
	X(strtoull) \
	X(__isoc23_strtol) \
	X(__isoc23_strtoll) \
	X(__isoc23_strtoul) \
	X(__isoc23_strtoull) \
	X(strtof) \
	X(strtod) \
	X(strtold) \
	X(getline) \
	X(getdelim) \
	X(vsprintf) \
	X(vsnprintf) \
	X(vasprintf) \
	X(vprintf) \
	X(vfprintf) \
	X(vdprintf) \
	X(vscanf) \
	X(vfscanf) \
	X(vsscanf) \
	X(__isoc99_vscanf) \
	X(__isoc99_vfscanf) \
	X(__isoc99_vsscanf) \
	X(__isoc23_vscanf) \
	X(__isoc23_vfscanf) \
	X(__isoc23_vsscanf) \
	X(recvfrom) \
	X(recvmsg) \
	X(open) \
	X(open64) \
	X(openat) \
	X(openat64) \
	X(sigprocmask) \
	X(pthread_sigmask) \
	X(ioctl) \
	X(fcntl) \
	X(fcntl64) \
	X(__stpcpy_chk) \
	X(__vsprintf_chk) \
	X(__vsnprintf_chk) \
	X(__vasprintf_chk) \
	X(__vprintf_chk) \
	X(__vfprintf_chk) \
	X(__vdprintf_chk) \
	X(__recvfrom_chk)

#endif
