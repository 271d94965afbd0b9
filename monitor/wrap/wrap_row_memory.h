/* SPDX-License-Identifier: MIT */
/* Rows (wrap_row_list.h) of wrap_mem.c. */
#ifndef ROW
#define ROW(...)
#define VOID(...)
#endif

#define AREAS void *to, const void *from
ROW(void *, plain_memccpy(to, from, c, n), memccpy, (AREAS, int c, size_t n),
    (to, from, c, n), moved(to, from, r ? (size_t)((char *)r - (char *)to) : n))
VOID((void)0, swab, (const void *from, void *to, ssize_t n), (from, to, n),
     IF(n > 1, moved(to, from, (size_t)n & ~(size_t)1)))
VOID(mmi_libc_memset(to, 0, n), explicit_bzero, (void *to, size_t n), (to, n),
     W(to, n))
ROW(int, mmi_libc_memcmp(a, b, n), memcmp,
    (const void *a, const void *b, size_t n), (a, b, n), compared(a, b, n, r))
ROW(int, mmi_libc_memcmp(a, b, n), __memcmpeq,
    (const void *a, const void *b, size_t n), (a, b, n), compared(a, b, n, r))
ROW(void *, mmi_libc_memchr(p, c, n), memchr, (const void *p, int c, size_t n),
    (p, c, n), R(p, r ? through(p, r) : n))
ROW(void *, mmi_libc_memrchr(p, c, n), memrchr,
    (const void *p, int c, size_t n), (p, c, n),
    r ? R(r, n - through(p, r) + 1) : R(p, n))
ROW(void *, mmi_libc_memchr(p, c, SIZE_MAX), rawmemchr, (const void *p, int c),
    (p, c), R(p, through(p, r)))
ROW(void *, NULL, memmem, (const void *p, size_t n, const void *what, size_t k),
    (p, n, what, k),
    IF(k &&k <= n, (R(p, r ? through(p, r) + k - 1 : n), R(what, k))))

/*
 * Each element counts as read once and written once, no matter how often it
 * moves.  Reads by the comparing function count in addition, if it is
 * instrumented.  bsearch itself touches nothing.
 */
VOID((void)0, qsort,
     (void *p, size_t n, size_t size, int (*f)(const void *, const void *)),
     (p, n, size, f), IF(n > 1, RW(p, n *size)))
VOID((void)0, qsort_r,
     (void *p, size_t n, size_t size,
      int (*f)(const void *, const void *, void *), void *arg),
     (p, n, size, f, arg), IF(n > 1, RW(p, n *size)))

/* As called by _FORTIFY_SOURCE: libc ends a program if there is no room. */
ROW(void *, mmi_libc_memmove(to, from, n), __memmove_chk,
    (AREAS, size_t n, size_t room), (to, from, n, room),
    (R_QUICK(from, n), W_QUICK(to, n)))
ROW(void *, (char *)mmi_libc_memmove(to, from, n) + n, __mempcpy_chk,
    (AREAS, size_t n, size_t room), (to, from, n, room),
    (R_QUICK(from, n), W_QUICK(to, n)))
ROW(void *, mmi_libc_memset(to, c, n), __memset_chk,
    (void *to, int c, size_t n, size_t room), (to, c, n, room), W(to, n))
VOID(mmi_libc_memset(to, 0, n), __explicit_bzero_chk,
     (void *to, size_t n, size_t room), (to, n, room), W(to, n))
#undef AREAS
