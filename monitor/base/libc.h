/* SPDX-License-Identifier: MIT */
/*
 * Functions of libc in plain C.  The monitor's own calls of memcpy() and others
 * come here, too: see libc.c.
 */
#ifndef MEMMON_LIBC_H
#define MEMMON_LIBC_H

#include <stddef.h>

#pragma GCC visibility push(hidden)

/* Like libc's; may be called before this library is relocated.  ctx: any. */
void *mmi_libc_memmove(void *to, const void *from, size_t n);
void *mmi_libc_memset(void *to, int c, size_t n);
void *mmi_libc_memchr(const void *p, int c, size_t n);
void *mmi_libc_memrchr(const void *p, int c, size_t n);
int mmi_libc_memcmp(const void *a, const void *b, size_t n);
size_t mmi_libc_strlen(const char *s);
size_t mmi_libc_strnlen(const char *s, size_t n);
char *mmi_libc_stpcpy(char *to, const char *from);
char *mmi_libc_strncpy(char *to, const char *from, size_t n);
int mmi_libc_strcmp(const char *a, const char *b);
int mmi_libc_strncmp(const char *a, const char *b, size_t n);
char *mmi_libc_strchrnul(const char *s, int c);
char *mmi_libc_strchr(const char *s, int c);
char *mmi_libc_strrchr(const char *s, int c);
char *mmi_libc_strstr(const char *s, const char *what);
size_t mmi_libc_strlcpy(char *to, const char *from, size_t n);
size_t mmi_libc_strlcat(char *to, const char *from, size_t n);

#pragma GCC visibility pop

#endif
