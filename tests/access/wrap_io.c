/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files, pipes and sockets: results, bytes and counts. */
#include "tests/access/wrap_test.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/un.h>

static int file, pipes[2], sockets[2];

/* A file with ARENA different bytes. */
static void
open_all(void)
{
	char name[] = "/tmp/memmon-wrap.XXXXXX", bytes[ARENA];

	for (size_t i = 0; i < ARENA; i++)
		bytes[i] = (char)(i * 7 + i / 256);
	file = mkstemp(name);
	unlink(name);
	if (file < 0 || write(file, bytes, ARENA) != ARENA || pipe(pipes) ||
	    socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets))
		printf("Bail out! no files\n");
	rt_watch(0);
}

/* Near the end of the file, less is read than asked for. */
#define PREAD(name, ...) \
	static void t_##name(void) \
	{ \
		size_t p = here(), n = size(); \
		off_t at = rnd(ARENA + 50); \
		ssize_t r = LIBC(pread)(file, b + p, n, at); \
\
		lseek(file, at, SEEK_SET); \
		SAME(name(file, a + p, n __VA_ARGS__), r); \
		W(p, r); \
		errno = 0; \
		SAME(name(-1, a + p, n __VA_ARGS__), -1); \
		SAME(errno, EBADF); \
	}
PREAD(read)
PREAD(__read_chk, , n)
PREAD(pread, , at)
PREAD(pread64, , at)
PREAD(__pread_chk, , at, n)
PREAD(__pread64_chk, , at, n)

#define WRITE(name, ...) \
	static void t_##name(void) \
	{ \
		size_t p = here(), n = size(); \
		off_t at = rnd(ARENA); \
\
		lseek(file, at, SEEK_SET); \
		fill(9, 0); \
		SAME(name(file, a + p, n __VA_ARGS__), n); \
		R(p, n); \
		LIBC(pread)(file, b + 4096, n, at); \
		LIBC(memcpy)(a + 4096, a + p, n); \
		SAME(name(-1, a + p, n __VA_ARGS__), -1); \
		SAME(name(file, (char *)8, n + 1 __VA_ARGS__), -1); \
		SAME(errno, EFAULT); \
	}
WRITE(write)
WRITE(pwrite, , at)
WRITE(pwrite64, , at)

/* An array of 3 areas at 2048 in the arena, some empty. */
static const struct iovec *
areas(size_t n[3], size_t *all)
{
	struct iovec *v = (struct iovec *)(a + 2048 + 16 * rnd(3));

	*all = 0;
	for (size_t i = 0; i < 3; i++) {
		n[i] = rnd(4) ? rnd(200) : 0;
		v[i].iov_base = a + 300 * i + rnd(20);
		v[i].iov_len = n[i];
		*all += n[i];
	}
	LIBC(memcpy)(b + 2048, a + 2048, 200);
	return v;
}

static void
expect(unsigned *count, const struct iovec *v, size_t all)
{
	R((size_t)((const char *)v - a), 3 * sizeof(*v));
	for (size_t i = 0; i < 3; i++) {
		size_t some = v[i].iov_len < all ? v[i].iov_len : all;

		range(count, (size_t)((char *)v[i].iov_base - a), some);
		all -= some;
	}
}

#define READV(name, ...) \
	static void t_##name(void) \
	{ \
		size_t n[3], all; \
		const struct iovec *v = areas(n, &all), w[3] = { \
			{ (char *)v[0].iov_base - a + b, n[0] }, \
			{ (char *)v[1].iov_base - a + b, n[1] }, \
			{ (char *)v[2].iov_base - a + b, n[2] }, \
		}; \
		off_t at = ARENA - 300 + rnd(400); \
		ssize_t r; \
\
		ftruncate(file, ARENA); \
		r = LIBC(preadv)(file, w, 3, at); \
		lseek(file, at, SEEK_SET); \
		SAME(name(file, v, 3 __VA_ARGS__), r); \
		if (r > 0) \
			expect(writes, v, (size_t)r); \
		SAME(name(-1, v, 3 __VA_ARGS__), -1); \
	}
READV(readv)
READV(preadv, , at)
READV(preadv64, , at)
READV(preadv2, , at, 0)
READV(preadv64v2, , at, 0)

#define WRITEV(name, ...) \
	static void t_##name(void) \
	{ \
		size_t n[3], all; \
		const struct iovec *v = areas(n, &all); \
		off_t at = rnd(ARENA); \
\
		lseek(file, at, SEEK_SET); \
		SAME(name(file, v, 3 __VA_ARGS__), all); \
		if (all) \
			expect(reads, v, all); \
		SAME(name(-1, v, 3 __VA_ARGS__), -1); \
	}
WRITEV(writev)
WRITEV(pwritev, , at)
WRITEV(pwritev64, , at)
WRITEV(pwritev2, , at, 0)
WRITEV(pwritev64v2, , at, 0)

/* One datagram: sends `n' bytes, with room for `m'. */
#define RECV(name, ...) \
	static void t_##name(void) \
	{ \
		size_t p = here(), n = 1 + size(), m = size(), some; \
		int flags = rnd(2) ? MSG_TRUNC : 0; \
\
		fill(9, 0); \
		some = n < m ? n : m; \
		LIBC(send)(sockets[0], b + 4096, n, 0); \
		SAME(name(sockets[1], a + p, m __VA_ARGS__), \
		     flags ? n : some); \
		LIBC(memcpy)(b + p, b + 4096, some); \
		W(p, some); \
		errno = 0; \
		SAME(name(sockets[1], a + p, m __VA_ARGS__ | MSG_DONTWAIT), \
		     -1); \
		SAME(errno, EAGAIN); \
	}
RECV(recv, , flags)
RECV(__recv_chk, , m, flags)

static void
t_send(void)
{
	size_t p = here(), n = 1 + size();

	SAME(send(sockets[0], a + p, n, 0), n);
	R(p, n);
	SAME(LIBC(recv)(sockets[1], b, ARENA, 0), n);
	LIBC(memcpy)(a, b, n);
	SAME(send(-1, a + p, n, 0), -1);
}

static struct sockaddr_in address;
static int udp;

static void
open_udp(void)
{
	socklen_t len = sizeof(address);

	udp = socket(AF_INET, SOCK_DGRAM, 0);
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (udp < 0 || bind(udp, (struct sockaddr *)&address, len) ||
	    getsockname(udp, (struct sockaddr *)&address, &len))
		udp = -1;
}

/* To itself, with addresses. */
static void
t_sendto(void)
{
	size_t p = here(), n = 1 + rnd(300);
	socklen_t *len = (socklen_t *)(a + 4096);
	struct sockaddr *who = (struct sockaddr *)(a + 4096 + 72);
	int chk = (int)rnd(2), cut = (int)rnd(2);

	fill(9, 0);
	LIBC(memcpy)(a + 3072, &address, sizeof(address));
	SAME(sendto(udp, a + p, n, 0, (struct sockaddr *)(a + 3072),
		    sizeof(address)),
	     n);
	R(p, n);
	R(3072, sizeof(address));
	*len = cut ? 4 : 100;
	SAME(chk ? __recvfrom_chk(udp, a + 1024, n, n, 0, who, len)
		 : recvfrom(udp, a + 1024, n, 0, who, len),
	     n);
	W(1024, n);
	R(4096, sizeof(*len));
	W(4096, sizeof(*len));
	W(4096 + 72, cut ? 4 : sizeof(address));
	SAME(*len, sizeof(address));
	SAME(LIBC(memcmp)(a + 1024, a + p, n), 0);
	SAME(recvfrom(udp, a, 9, MSG_DONTWAIT, NULL, NULL), -1);
}

/* The same with a message whose name and bytes are cut off. */
static void
t_name(void)
{
	struct msghdr *m = (struct msghdr *)(a + 3072);
	struct iovec *v = (struct iovec *)(a + 2048);
	size_t n = 30 + rnd(99), room = rnd(30);
	int cut = (int)rnd(2), flags = rnd(2) ? MSG_TRUNC : 0;

	LIBC(memset)(m, 0, sizeof(*m));
	v->iov_base = a;
	v->iov_len = room;
	m->msg_iov = v;
	m->msg_iovlen = 1;
	m->msg_name = a + 4096 + 72;
	m->msg_namelen = cut ? 4 : 100;
	LIBC(sendto)
	(udp, b, n, 0, (struct sockaddr *)&address, sizeof(address));
	SAME(recvmsg(udp, m, flags), flags ? n : room);
	R(3072, sizeof(*m));
	W(3072, sizeof(*m));
	R(2048, sizeof(*v));
	W(0, room);
	W(4096 + 72, cut ? 4 : sizeof(address));
	SAME(m->msg_namelen, sizeof(address));
	LIBC(memcpy)(a + 256, &address, sizeof(address));
	m->msg_name = a + 256;
	SAME(sendmsg(udp, m, 0), room);
	R(3072, sizeof(*m));
	R(2048, sizeof(*v));
	R(0, room);
	R(256, sizeof(address));
	LIBC(recv)(udp, b, ARENA, 0);
}

/* Messages with a descriptor. */
static void
t_sendmsg(void)
{
	struct msghdr *m = (struct msghdr *)(a + 3072);
	size_t n[3], all, room = CMSG_SPACE(sizeof(int));
	const struct iovec *v = areas(n, &all);
	struct cmsghdr *c = (struct cmsghdr *)(a + 3328);

	LIBC(memset)(m, 0, sizeof(*m));
	m->msg_iov = (struct iovec *)v;
	m->msg_iovlen = 3;
	m->msg_control = c;
	m->msg_controllen = room;
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	LIBC(memcpy)(CMSG_DATA(c), &file, sizeof(int));
	SAME(sendmsg(sockets[0], m, 0), all);
	R(3072, sizeof(*m));
	expect(reads, v, all);
	R(3328, room);
	SAME(recvmsg(sockets[1], m, 0), all);
	R(3072, sizeof(*m));
	W(3072, sizeof(*m));
	expect(writes, v, all);
	W(3328, m->msg_controllen);
	LIBC(memcpy)(&n[0], CMSG_DATA(c), sizeof(int));
	close((int)n[0]);
	SAME(recvmsg(sockets[1], m, MSG_DONTWAIT), -1);
}

static void
t_sendmmsg(void)
{
	struct mmsghdr *m = (struct mmsghdr *)(a + 3072);
	size_t n[3], all;
	const struct iovec *v = areas(n, &all);

	LIBC(memset)(m, 0, 3 * sizeof(*m));
	for (int i = 0; i < 2; i++) {
		m[i].msg_hdr.msg_iov = (struct iovec *)v;
		m[i].msg_hdr.msg_iovlen = 3;
	}
	SAME(sendmmsg(sockets[0], m, 2, 0), 2);
	for (size_t i = 0; i < 2; i++) {
		R(3072 + i * sizeof(*m), sizeof(m->msg_hdr));
		W(3072 + i * sizeof(*m) + sizeof(m->msg_hdr), 4);
		expect(reads, v, all);
	}
	SAME(recvmmsg(sockets[1], m, 3, MSG_DONTWAIT, NULL), 2);
	for (size_t i = 0; i < 2; i++) {
		SAME(m[i].msg_len, all);
		R(3072 + i * sizeof(*m), sizeof(m->msg_hdr));
		W(3072 + i * sizeof(*m), sizeof(m->msg_hdr));
		W(3072 + i * sizeof(*m) + sizeof(m->msg_hdr), 4);
		expect(writes, v, all);
	}
}

static void
t_random(void)
{
	size_t p = here(), n = 1 + rnd(200);

	SAME(getrandom(a + p, n, 0), n);
	W(p, n);
	SAME(getentropy(a + p, n), 0);
	W(p, n);
	SAME(getentropy(a + p, 257), -1);
}

static void
t_names(void)
{
	size_t p = here(), n = 1 + rnd(20);
	ssize_t r;

	fill(9, 0);
	r = LIBC(readlink)("/proc/self/exe", b + p, n);
	SAME(readlink("/proc/self/exe", a + p, n), r);
	W(p, r);
	SAME(__readlink_chk("/proc/self/exe", a + p, n, n), r);
	W(p, r);
	SAME(readlinkat(AT_FDCWD, "/proc/self/exe", a + p, n), r);
	W(p, r);
	SAME(__readlinkat_chk(AT_FDCWD, "/proc/self/exe", a + p, n, n), r);
	W(p, r);
	SAME(readlink("/proc/self/status", a + p, n), -1);
	SAME_AT(getcwd(a + p, 1000), LIBC(getcwd)(b + p, 1000));
	W(p, length(p, 1000) + 1);
	SAME_AT(__getcwd_chk(a + p, 1000, 2000), b + p);
	W(p, length(p, 1000) + 1);
	SAME_AT(getcwd(a + p, 1), NULL);
	SAME(errno, ERANGE);
}

static void
files(void)
{
	TRY(read);
	TRY(__read_chk);
	TRY(pread);
	TRY(pread64);
	TRY(__pread_chk);
	TRY(__pread64_chk);
	TRY(readv);
	TRY(preadv);
	TRY(preadv64);
	TRY(preadv2);
	TRY(preadv64v2);
	TRY(write);
	TRY(pwrite);
	TRY(pwrite64);
	TRY(writev);
	TRY(pwritev);
	TRY(pwritev64);
	TRY(pwritev2);
	TRY(pwritev64v2);
}

int
main(void)
{
	if (rt_open() != 0) {
		skip(1, "no address space for the shadow");
		return done_testing();
	}
	open_all();
	files();
	TRY(recv);
	TRY(__recv_chk);
	TRY(send);
	try(t_sendmsg, "sendmsg, recvmsg", 0);
	try(t_sendmmsg, "sendmmsg, recvmmsg", 0);
	open_udp();
	if (udp >= 0) {
		try(t_sendto, "sendto, recvfrom", 0);
		try(t_name, "sendmsg, recvmsg with names", 0);
	} else {
		skip(2, "no network");
	}
	try(t_random, "getrandom, getentropy", 0);
	try(t_names, "readlink, getcwd", 1);
	return done_testing();
}
