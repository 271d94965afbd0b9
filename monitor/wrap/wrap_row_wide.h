/* SPDX-License-Identifier: MIT */
/* Rows (wrap_row_list.h) of wrap_wide.c. */
#ifndef ROW
#define ROW(...)
#define VOID(...)
#endif

#define ONE const wchar_t *s
#define TWO const wchar_t *a, const wchar_t *b
#define COPY wchar_t *to, const wchar_t *from
#define PLAIN mmi_libc_memmove(to, from, BYTES(n))
ROW(wchar_t *, PLAIN, wmemcpy, (COPY, size_t n), (to, from, n),
    moved(to, from, n))
ROW(wchar_t *, PLAIN, wmemmove, (COPY, size_t n), (to, from, n),
    moved(to, from, n))
ROW(wchar_t *, (wchar_t *)PLAIN + n, wmempcpy, (COPY, size_t n), (to, from, n),
    moved(to, from, n))
ROW(wchar_t *, PLAIN, __wmemcpy_chk, (COPY, size_t n, size_t room),
    (to, from, n, room), moved(to, from, n))
ROW(wchar_t *, PLAIN, __wmemmove_chk, (COPY, size_t n, size_t room),
    (to, from, n, room), moved(to, from, n))
ROW(wchar_t *, (wchar_t *)PLAIN + n, __wmempcpy_chk,
    (COPY, size_t n, size_t room), (to, from, n, room), moved(to, from, n))
ROW(wchar_t *, to, wmemset, (wchar_t * to, wchar_t c, size_t n), (to, c, n),
    W(to, BYTES(n)))
ROW(wchar_t *, to, __wmemset_chk,
    (wchar_t * to, wchar_t c, size_t n, size_t room), (to, c, n, room),
    W(to, BYTES(n)))
ROW(wchar_t *, NULL, wmemchr, (ONE, wchar_t c, size_t n), (s, c, n),
    R(s, BYTES(r ? (size_t)(r - s) + 1 : n)))
ROW(int, 0, wmemcmp, (TWO, size_t n), (a, b, n), compared(a, b, n, false))
ROW(int, 0, wcscmp, (TWO), (a, b), compared(a, b, SIZE_MAX, true))
ROW(int, 0, wcsncmp, (TWO, size_t n), (a, b, n), compared(a, b, n, true))
ROW(size_t, 0, wcslen, (ONE), (s), R(s, BYTES(r + 1)))
ROW(size_t, 0, wcsnlen, (ONE, size_t n), (s, n), R(s, BYTES(r + (r < n))))
ROW(wchar_t *, NULL, wcschr, (ONE, wchar_t c), (s, c),
    R(s, r ? BYTES(r - s + 1) : STRING_BYTES(s)))
ROW(wchar_t *, NULL, wcsrchr, (ONE, wchar_t c), (s, c), R(s, STRING_BYTES(s)))
ROW(wchar_t *, to, wcscpy, (COPY), (to, from), copied(to, from))
ROW(wchar_t *, to, __wcscpy_chk, (COPY, size_t room), (to, from, room),
    copied(to, from))
ROW(wchar_t *, NULL, wcsdup, (ONE), (s), IF(r, copied(r, s)))
ROW(wchar_t *, to, wcsncpy, (COPY, size_t n), (to, from, n),
    filled(to, from, n))
ROW(wchar_t *, to, __wcsncpy_chk, (COPY, size_t n, size_t room),
    (to, from, n, room), filled(to, from, n))
ROW(wchar_t *, to, wcscat, (COPY), (to, from), appended(to, from, SIZE_MAX))
ROW(wchar_t *, to, __wcscat_chk, (COPY, size_t room), (to, from, room),
    appended(to, from, SIZE_MAX))
ROW(wchar_t *, to, wcsncat, (COPY, size_t n), (to, from, n),
    appended(to, from, n))
ROW(wchar_t *, to, __wcsncat_chk, (COPY, size_t n, size_t room),
    (to, from, n, room), appended(to, from, n))
#undef COPY
#undef ONE
#undef PLAIN
#undef TWO
