/* SPDX-License-Identifier: MIT */
/* Rows (wrap_row_list.h) of wrap_str.c. */
#ifndef ROW
#define ROW(...)
#define VOID(...)
#endif

#define COPY char *to, const char *from
#define TWO const char *a, const char *b
#define SET const char *s, const char *set
/* Measured, copied */
ROW(size_t, mmi_libc_strlen(s), strlen, (const char *s), (s), R_QUICK(s, r + 1))
ROW(size_t, mmi_libc_strnlen(s, n), strnlen, (const char *s, size_t n), (s, n),
    R(s, r < n ? r + 1 : n))
ROW(char *, mmi_libc_stpcpy(to, from), stpcpy, (COPY), (to, from),
    copied(to, from, r))
ROW(char *, mmi_libc_strncpy(to, from, n), strncpy, (COPY, size_t n),
    (to, from, n), filled(to, from, n))
ROW(char *, mmi_libc_strncpy(to, from, n), __strncpy_chk,
    (COPY, size_t n, size_t room), (to, from, n, room), filled(to, from, n))
ROW(char *, plain_stpncpy(to, from, n), stpncpy, (COPY, size_t n),
    (to, from, n), filled(to, from, n))
ROW(char *, plain_stpncpy(to, from, n), __stpncpy_chk,
    (COPY, size_t n, size_t room), (to, from, n, room), filled(to, from, n))
ROW(char *, plain_strncat(to, from, SIZE_MAX), __strcat_chk,
    (COPY, size_t room), (to, from, room), appended(to, from, SIZE_MAX))
ROW(char *, plain_strncat(to, from, n), strncat, (COPY, size_t n),
    (to, from, n), appended(to, from, n))
ROW(char *, plain_strncat(to, from, n), __strncat_chk,
    (COPY, size_t n, size_t room), (to, from, n, room), appended(to, from, n))
ROW(size_t, mmi_libc_strlcpy(to, from, n), strlcpy, (COPY, size_t n),
    (to, from, n), fitted(to, from, n))
ROW(size_t, mmi_libc_strlcpy(to, from, n), __strlcpy_chk,
    (COPY, size_t n, size_t room), (to, from, n, room), fitted(to, from, n))
ROW(size_t, mmi_libc_strlcat(to, from, n), strlcat, (COPY, size_t n),
    (to, from, n), fitted_behind(to, from, n, r))
ROW(size_t, mmi_libc_strlcat(to, from, n), __strlcat_chk,
    (COPY, size_t n, size_t room), (to, from, n, room),
    fitted_behind(to, from, n, r))
ROW(char *, NULL, strdup, (const char *s), (s),
    IF(r, copied(r, s, r + NEXT(strlen)(r))))
ROW(char *, NULL, strndup, (const char *s, size_t n), (s, n),
    IF(r, (R(s, mmi_wrap_size_max(s, n)), W(r, STRING(r)))))

/* Compared.  What strcoll() reads depends on the locale: both count whole. */
ROW(int, mmi_libc_strcmp(a, b), strcmp, (TWO), (a, b),
    compared(a, b, r ? mmi_wrap_differ_str(a, b) : STRING(a)))
ROW(int, mmi_libc_strncmp(a, b, n), strncmp, (TWO, size_t n), (a, b, n),
    compared(a, b, r ? mmi_wrap_differ_str(a, b) : mmi_wrap_size_max(a, n)))
ROW(int, mmi_libc_strcmp(a, b), strcasecmp, (TWO), (a, b),
    compared(a, b, r ? differ_case(a, b) : STRING(a)))
ROW(int, mmi_libc_strncmp(a, b, n), strncasecmp, (TWO, size_t n), (a, b, n),
    compared(a, b, r ? differ_case(a, b) : mmi_wrap_size_max(a, n)))
ROW(int, mmi_libc_strcmp(a, b), strcoll, (TWO), (a, b),
    (R(a, STRING(a)), R(b, STRING(b))))

/* Searched */
ROW(char *, mmi_libc_strchrnul(s, c), strchrnul, (const char *s, int c), (s, c),
    R_QUICK(s, through(s, r)))
ROW(char *, mmi_libc_strrchr(s, c), strrchr, (const char *s, int c), (s, c),
    R(s, STRING(s)))
ROW(char *, mmi_libc_strstr(s, what), strstr, (const char *s, const char *what),
    (s, what), searched(s, what, r))
ROW(char *, NULL, strcasestr, (const char *s, const char *what), (s, what),
    searched(s, what, r))
ROW(size_t, 0, strspn, (SET), (s, set), (R(s, r + 1), R(set, STRING(set))))
ROW(size_t, mmi_libc_strlen(s), strcspn, (SET), (s, set),
    (R(s, r + 1), R(set, STRING(set))))
ROW(char *, NULL, strpbrk, (SET), (s, set),
    (R(s, r ? through(s, r) : STRING(s)), R(set, STRING(set))))
#undef COPY
#undef SET
#undef TWO
