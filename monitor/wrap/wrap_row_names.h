/* SPDX-License-Identifier: MIT */
/* Rows (wrap_row_list.h) that read names: of files, of programs, of texts. */
#ifndef ROW
#define ROW(...)
#define VOID(...)
#endif

#define S(s) NAME(s)
#define CS const char *s
#define CT const char *t
ROW(FILE *, NULL, fopen, (CS, CT), (s, t), (S(s), S(t)))
ROW(FILE *, NULL, fopen64, (CS, CT), (s, t), (S(s), S(t)))
ROW(FILE *, NULL, freopen, (CS, CT, FILE *f), (s, t, f), (S(s), S(t)))
ROW(FILE *, NULL, freopen64, (CS, CT, FILE *f), (s, t, f), (S(s), S(t)))
ROW(FILE *, NULL, fdopen, (int fd, CT), (fd, t), S(t))
ROW(FILE *, NULL, popen, (CS, CT), (s, t), (S(s), S(t)))
ROW(DIR *, NULL, opendir, (CS), (s), S(s))
ROW(int, -1, creat, (CS, mode_t m), (s, m), S(s))
ROW(int, -1, access, (CS, int m), (s, m), S(s))
ROW(int, -1, faccessat, (int fd, CS, int m, int f), (fd, s, m, f), S(s))
ROW(int, -1, unlink, (CS), (s), S(s))
ROW(int, -1, unlinkat, (int fd, CS, int f), (fd, s, f), S(s))
ROW(int, -1, remove, (CS), (s), S(s))
ROW(int, -1, rmdir, (CS), (s), S(s))
ROW(int, -1, mkdir, (CS, mode_t m), (s, m), S(s))
ROW(int, -1, mkdirat, (int fd, CS, mode_t m), (fd, s, m), S(s))
ROW(int, -1, mkfifo, (CS, mode_t m), (s, m), S(s))
ROW(int, -1, chmod, (CS, mode_t m), (s, m), S(s))
ROW(int, -1, fchmodat, (int fd, CS, mode_t m, int f), (fd, s, m, f), S(s))
ROW(int, -1, chown, (CS, uid_t u, gid_t g), (s, u, g), S(s))
ROW(int, -1, lchown, (CS, uid_t u, gid_t g), (s, u, g), S(s))
ROW(int, -1, truncate, (CS, off_t n), (s, n), S(s))
ROW(int, -1, truncate64, (CS, off64_t n), (s, n), S(s))
ROW(int, -1, rename, (CS, CT), (s, t), (S(s), S(t)))
ROW(int, -1, link, (CS, CT), (s, t), (S(s), S(t)))
ROW(int, -1, symlink, (CS, CT), (s, t), (S(s), S(t)))
ROW(int, -1, mkstemp, (char *s), (s), RW(s, STRING(s)))
ROW(int, -1, mkstemp64, (char *s), (s), RW(s, STRING(s)))
ROW(char *, NULL, mkdtemp, (char *s), (s), RW(s, STRING(s)))
ROW(int, -1, system, (CS), (s), S(s))
ROW(iconv_t, (iconv_t)-1, iconv_open, (CS, CT), (s, t), (S(s), S(t)))
ROW(int, -1, unsetenv, (CS), (s), S(s))
ROW(char *, NULL, setlocale, (int kind, CS), (kind, s), S(s))
ROW(char *, NULL, textdomain, (CS), (s), S(s))
ROW(char *, NULL, bindtextdomain, (CS, CT), (s, t), (S(s), S(t)))
ROW(char *, NULL, bind_textdomain_codeset, (CS, CT), (s, t), (S(s), S(t)))
ROW(char *, NULL, gettext, (CS), (s), S(s))
ROW(char *, NULL, dgettext, (CS, CT), (s, t), (S(s), S(t)))
ROW(char *, NULL, dcgettext, (CS, CT, int kind), (s, t, kind), (S(s), S(t)))
ROW(int, -1, tcgetattr, (int fd, struct termios *a), (fd, a), IF(r == 0, W1(a)))
ROW(int, -1, tcsetattr, (int fd, int when, const struct termios *a),
    (fd, when, a), R1(a))
ROW(int, EINVAL, pthread_setcancelstate, (int state, int *old), (state, old),
    IF(r == 0, W1(old)))
ROW(int, EINVAL, pthread_setcanceltype, (int type, int *old), (type, old),
    IF(r == 0, W1(old)))
VOID((void)0, perror, (CS), (s), IF(s, R(s, STRING(s))))
#undef CS
#undef CT
#undef S
