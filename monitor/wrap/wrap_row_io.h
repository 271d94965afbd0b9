/* SPDX-License-Identifier: MIT */
/* Rows (wrap_row_list.h) of wrap_io.c. */
#ifndef ROW
#define ROW(...)
#define VOID(...)
#endif

/* One area, and as many bytes as the call says it has moved */
#define TO int fd, void *p, size_t n
#define FROM int fd, const void *p, size_t n
#define READ(name, parameters, arguments) \
	ROW(ssize_t, -1, name, parameters, arguments, \
	    IF(r > 0, W(p, (size_t)r)))
#define WRITE(name, parameters, arguments) \
	ROW(ssize_t, -1, name, parameters, arguments, \
	    IF(r > 0, R(p, (size_t)r)))
READ(read, (TO), (fd, p, n))
READ(__read_chk, (TO, size_t room), (fd, p, n, room))
READ(pread, (TO, off_t at), (fd, p, n, at))
READ(__pread_chk, (TO, off_t at, size_t room), (fd, p, n, at, room))
READ(pread64, (TO, off64_t at), (fd, p, n, at))
READ(__pread64_chk, (TO, off64_t at, size_t room), (fd, p, n, at, room))
READ(getrandom, (void *p, size_t n, unsigned flags), (p, n, flags))
READ(readlink, (const char *path, char *p, size_t n), (path, p, n))
READ(__readlink_chk, (const char *path, char *p, size_t n, size_t room),
     (path, p, n, room))
READ(readlinkat, (int fd, const char *path, char *p, size_t n),
     (fd, path, p, n))
READ(__readlinkat_chk,
     (int fd, const char *path, char *p, size_t n, size_t room),
     (fd, path, p, n, room))
WRITE(write, (FROM), (fd, p, n))
WRITE(pwrite, (FROM, off_t at), (fd, p, n, at))
WRITE(pwrite64, (FROM, off64_t at), (fd, p, n, at))
ROW(int, -1, getentropy, (void *p, size_t n), (p, n), IF(r == 0, W(p, n)))
ROW(char *, NULL, getcwd, (char *p, size_t n), (p, n), IF(r, W(r, STRING(r))))
ROW(char *, NULL, __getcwd_chk, (char *p, size_t n, size_t room), (p, n, room),
    IF(r, W(r, STRING(r))))

/* Several areas */
#define AREAS int fd, const struct iovec *v, int n
#define READV(name, parameters, arguments) \
	ROW(ssize_t, -1, name, parameters, arguments, \
	    IF(r > 0, vector(v, (size_t)n, (size_t)r, MMI_ACCESS_WRITE)))
#define WRITEV(name, parameters, arguments) \
	ROW(ssize_t, -1, name, parameters, arguments, \
	    IF(r > 0, vector(v, (size_t)n, (size_t)r, MMI_ACCESS_READ)))
READV(readv, (AREAS), (fd, v, n))
READV(preadv, (AREAS, off_t at), (fd, v, n, at))
READV(preadv64, (AREAS, off64_t at), (fd, v, n, at))
READV(preadv2, (AREAS, off_t at, int flags), (fd, v, n, at, flags))
READV(preadv64v2, (AREAS, off64_t at, int flags), (fd, v, n, at, flags))
WRITEV(writev, (AREAS), (fd, v, n))
WRITEV(pwritev, (AREAS, off_t at), (fd, v, n, at))
WRITEV(pwritev64, (AREAS, off64_t at), (fd, v, n, at))
WRITEV(pwritev2, (AREAS, off_t at, int flags), (fd, v, n, at, flags))
WRITEV(pwritev64v2, (AREAS, off64_t at, int flags), (fd, v, n, at, flags))

/* Messages */
ROW(ssize_t, -1, recv, (TO, int flags), (fd, p, n, flags), received(p, n, r))
ROW(ssize_t, -1, __recv_chk, (TO, size_t room, int flags),
    (fd, p, n, room, flags), received(p, n, r))
ROW(int, -1, recvmmsg,
    (int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *limit),
    (fd, m, n, flags, limit), messages_in(m, r))
ROW(ssize_t, -1, send, (FROM, int flags), (fd, p, n, flags),
    IF(r > 0, R(p, (size_t)r)))
ROW(ssize_t, -1, sendto,
    (FROM, int flags, const struct sockaddr *to, socklen_t len),
    (fd, p, n, flags, to, len),
    IF(r >= 0, (R(p, (size_t)r), IF(to, R(to, len)))))
ROW(ssize_t, -1, sendmsg, (int fd, const struct msghdr *m, int flags),
    (fd, m, flags), message_out(m, r))
ROW(int, -1, sendmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags),
    (fd, m, n, flags), messages_out(m, r))

/*
 * Streams.  If a line contains bytes of 0, fgets only shows what comes before
 * the first.
 */
#define ITEMS size_t size, size_t n, FILE *f
#define FREAD(name, parameters, arguments) \
	ROW(size_t, 0, name, parameters, arguments, W(p, r *size))
#define FGETS(name, parameters, arguments) \
	ROW(char *, NULL, name, parameters, arguments, IF(r, W(r, STRING(r))))
FREAD(fread, (void *p, ITEMS), (p, size, n, f))
FREAD(fread_unlocked, (void *p, ITEMS), (p, size, n, f))
FREAD(__fread_chk, (void *p, size_t room, ITEMS), (p, room, size, n, f))
FREAD(__fread_unlocked_chk, (void *p, size_t room, ITEMS),
      (p, room, size, n, f))
ROW(size_t, 0, fwrite, (const void *p, ITEMS), (p, size, n, f), R(p, r *size))
ROW(size_t, 0, fwrite_unlocked, (const void *p, ITEMS), (p, size, n, f),
    R(p, r *size))
FGETS(fgets, (char *p, int n, FILE *f), (p, n, f))
FGETS(fgets_unlocked, (char *p, int n, FILE *f), (p, n, f))
FGETS(__fgets_chk, (char *p, size_t room, int n, FILE *f), (p, room, n, f))
FGETS(__fgets_unlocked_chk, (char *p, size_t room, int n, FILE *f),
      (p, room, n, f))
ROW(int, EOF, fputs, (const char *s, FILE *f), (s, f),
    IF(r >= 0, R(s, STRING(s))))
ROW(int, EOF, fputs_unlocked, (const char *s, FILE *f), (s, f),
    IF(r >= 0, R(s, STRING(s))))
ROW(int, EOF, puts, (const char *s), (s), IF(r >= 0, R(s, STRING(s))))
VOID((void)0, setbuf, (FILE * f, char *p), (f, p), H(p))
#undef AREAS
#undef FGETS
#undef FREAD
#undef FROM
#undef ITEMS
#undef READ
#undef READV
#undef TO
#undef WRITE
#undef WRITEV
