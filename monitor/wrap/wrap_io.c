/* SPDX-License-Identifier: MIT */
/*
 * Input and output: as many bytes as the call says it has moved.  Names of
 * files aren't counted.
 */
#include "monitor/wrap/wrap.h"

#include "monitor/wrap/wrap_iov.h"

void
mmi_wrap_vector(const struct iovec *v, size_t n, size_t all, uint64_t add)
{
	mmi_wrap_read(v, n * sizeof(*v));
	for (size_t i = 0; i < n && all; i++) {
		size_t some = v[i].iov_len < all ? v[i].iov_len : all;

		mmi_wrap_count(v[i].iov_base, some, add);
		all -= some;
	}
}

/* Those of one area `p'. */
#define AREA(name, parameters, arguments, add) \
	EXPORT ssize_t name parameters \
	{ \
		ssize_t r; \
\
		if (UNREADY(name)) \
			return -1; \
		r = NEXT(name) arguments; \
		if (r > 0) \
			mmi_wrap_count(p, (size_t)r, add); \
		return r; \
	}

AREA(read, (int fd, void *p, size_t n), (fd, p, n), MMI_ACCESS_WRITE)
AREA(__read_chk, (int fd, void *p, size_t n, size_t room), (fd, p, n, room),
     MMI_ACCESS_WRITE)
AREA(pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at),
     MMI_ACCESS_WRITE)
AREA(__pread_chk, (int fd, void *p, size_t n, off_t at, size_t room),
     (fd, p, n, at, room), MMI_ACCESS_WRITE)
AREA(pread64, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at),
     MMI_ACCESS_WRITE)
AREA(__pread64_chk, (int fd, void *p, size_t n, off64_t at, size_t room),
     (fd, p, n, at, room), MMI_ACCESS_WRITE)
AREA(write, (int fd, const void *p, size_t n), (fd, p, n), MMI_ACCESS_READ)
AREA(pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at),
     MMI_ACCESS_READ)
AREA(pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at),
     MMI_ACCESS_READ)
AREA(getrandom, (void *p, size_t n, unsigned flags), (p, n, flags),
     MMI_ACCESS_WRITE)
AREA(readlink, (const char *path, char *p, size_t n), (path, p, n),
     MMI_ACCESS_WRITE)
AREA(__readlink_chk, (const char *path, char *p, size_t n, size_t room),
     (path, p, n, room), MMI_ACCESS_WRITE)
AREA(readlinkat, (int fd, const char *path, char *p, size_t n),
     (fd, path, p, n), MMI_ACCESS_WRITE)
AREA(__readlinkat_chk,
     (int fd, const char *path, char *p, size_t n, size_t room),
     (fd, path, p, n, room), MMI_ACCESS_WRITE)

/* Those of several areas. */
#define VECTOR(name, parameters, arguments, add) \
	EXPORT ssize_t name parameters \
	{ \
		ssize_t r; \
\
		if (UNREADY(name)) \
			return -1; \
		r = NEXT(name) arguments; \
		if (r > 0) \
			mmi_wrap_vector(v, (size_t)n, (size_t)r, add); \
		return r; \
	}

VECTOR(readv, (int fd, const struct iovec *v, int n), (fd, v, n),
       MMI_ACCESS_WRITE)
VECTOR(preadv, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at),
       MMI_ACCESS_WRITE)
VECTOR(preadv64, (int fd, const struct iovec *v, int n, off64_t at),
       (fd, v, n, at), MMI_ACCESS_WRITE)
VECTOR(preadv2, (int fd, const struct iovec *v, int n, off_t at, int flags),
       (fd, v, n, at, flags), MMI_ACCESS_WRITE)
VECTOR(preadv64v2,
       (int fd, const struct iovec *v, int n, off64_t at, int flags),
       (fd, v, n, at, flags), MMI_ACCESS_WRITE)
VECTOR(writev, (int fd, const struct iovec *v, int n), (fd, v, n),
       MMI_ACCESS_READ)
VECTOR(pwritev, (int fd, const struct iovec *v, int n, off_t at),
       (fd, v, n, at), MMI_ACCESS_READ)
VECTOR(pwritev64, (int fd, const struct iovec *v, int n, off64_t at),
       (fd, v, n, at), MMI_ACCESS_READ)
VECTOR(pwritev2, (int fd, const struct iovec *v, int n, off_t at, int flags),
       (fd, v, n, at, flags), MMI_ACCESS_READ)
VECTOR(pwritev64v2,
       (int fd, const struct iovec *v, int n, off64_t at, int flags),
       (fd, v, n, at, flags), MMI_ACCESS_READ)

EXPORT int
getentropy(void *p, size_t n)
{
	int r = UNREADY(getentropy) ? -1 : NEXT(getentropy)(p, n);

	if (r == 0)
		mmi_wrap_write(p, n);
	return r;
}

#define CWD(name, parameters, arguments) \
	EXPORT char *name parameters \
	{ \
		char *r = UNREADY(name) ? NULL : NEXT(name) arguments; \
\
		if (r) \
			mmi_wrap_write(r, mmi_wrap_size(r)); \
		return r; \
	}

CWD(getcwd, (char *p, size_t n), (p, n))
CWD(__getcwd_chk, (char *p, size_t n, size_t room), (p, n, room))
