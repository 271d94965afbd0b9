/* SPDX-License-Identifier: MIT */
/*
 * Messages.  With MSG_TRUNC a call may say more than there was room for: that
 * is cut.
 */
#include "monitor/wrap/wrap.h"

#include "monitor/wrap/wrap_iov.h"

/*
 * The libc's header has a union for the addresses of some of these; by another
 * name in C they have plain pointers here.
 */
#define NAMED(name) __asm__(#name)
EXPORT ssize_t wrap_recvfrom(int, void *, size_t, int, struct sockaddr *,
			     socklen_t *) NAMED(recvfrom);
EXPORT ssize_t wrap_sendto(int, const void *, size_t, int,
			   const struct sockaddr *, socklen_t) NAMED(sendto);
EXPORT int wrap_recvmmsg(int, struct mmsghdr *, unsigned, int,
			 struct timespec *) NAMED(recvmmsg);

static void
received(const void *p, size_t n, ssize_t r)
{
	if (r > 0)
		mmi_wrap_write(p, (size_t)r < n ? (size_t)r : n);
}

EXPORT ssize_t
recv(int fd, void *p, size_t n, int flags)
{
	ssize_t r = UNREADY(recv) ? -1 : NEXT(recv)(fd, p, n, flags);

	received(p, n, r);
	return r;
}

EXPORT ssize_t
__recv_chk(int fd, void *p, size_t n, size_t room, int flags)
{
	ssize_t r;

	if (UNREADY(__recv_chk))
		return -1;
	r = NEXT(__recv_chk)(fd, p, n, room, flags);
	received(p, n, r);
	return r;
}

/* Who sent it was asked for, too; *len is now the whole length of that. */
static void
sender(const struct sockaddr *from, const socklen_t *len, socklen_t was,
       ssize_t r)
{
	if (r < 0 || !from || !len)
		return;
	mmi_wrap_read(len, sizeof(*len));
	mmi_wrap_write(len, sizeof(*len));
	mmi_wrap_write(from, *len < was ? *len : was);
}

ssize_t
wrap_recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *from,
	      socklen_t *len)
{
	socklen_t was = from && len ? *len : 0;
	ssize_t r;

	if (UNREADY(recvfrom))
		return -1;
	r = NEXT(recvfrom)(fd, p, n, flags, from, len);
	received(p, n, r);
	sender(from, len, was, r);
	return r;
}

EXPORT ssize_t
__recvfrom_chk(int fd, void *p, size_t n, size_t room, int flags,
	       struct sockaddr *from, socklen_t *len)
{
	socklen_t was = from && len ? *len : 0;
	ssize_t r;

	if (UNREADY(__recvfrom_chk))
		return -1;
	r = NEXT(__recvfrom_chk)(fd, p, n, room, flags, from, len);
	received(p, n, r);
	sender(from, len, was, r);
	return r;
}

/* What was received; m->msg_namelen was `was' before. */
static void
message_in(const struct msghdr *m, socklen_t was, ssize_t r)
{
	if (r < 0)
		return;
	mmi_wrap_read(m, sizeof(*m));
	mmi_wrap_write(m, sizeof(*m));
	mmi_wrap_vector(m->msg_iov, m->msg_iovlen, (size_t)r, MMI_ACCESS_WRITE);
	if (m->msg_name)
		mmi_wrap_write(m->msg_name,
			       m->msg_namelen < was ? m->msg_namelen : was);
	if (m->msg_control)
		mmi_wrap_write(m->msg_control, m->msg_controllen);
}

static void
message_out(const struct msghdr *m, ssize_t r)
{
	if (r < 0)
		return;
	mmi_wrap_read(m, sizeof(*m));
	mmi_wrap_vector(m->msg_iov, m->msg_iovlen, (size_t)r, MMI_ACCESS_READ);
	if (m->msg_name)
		mmi_wrap_read(m->msg_name, m->msg_namelen);
	if (m->msg_control)
		mmi_wrap_read(m->msg_control, m->msg_controllen);
}

EXPORT ssize_t
recvmsg(int fd, struct msghdr *m, int flags)
{
	socklen_t was = m->msg_namelen;
	ssize_t r = UNREADY(recvmsg) ? -1 : NEXT(recvmsg)(fd, m, flags);

	message_in(m, was, r);
	return r;
}

/* Room for names isn't known any more: that is taken from what is there now. */
int
wrap_recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags,
	      struct timespec *limit)
{
	int r;

	if (UNREADY(recvmmsg))
		return -1;
	r = NEXT(recvmmsg)(fd, m, n, flags, limit);
	for (int i = 0; i < r; i++) {
		message_in(&m[i].msg_hdr, m[i].msg_hdr.msg_namelen,
			   (ssize_t)m[i].msg_len);
		mmi_wrap_write(&m[i].msg_len, sizeof(m[i].msg_len));
	}
	return r;
}

EXPORT ssize_t
send(int fd, const void *p, size_t n, int flags)
{
	ssize_t r = UNREADY(send) ? -1 : NEXT(send)(fd, p, n, flags);

	if (r > 0)
		mmi_wrap_read(p, (size_t)r);
	return r;
}

ssize_t
wrap_sendto(int fd, const void *p, size_t n, int flags,
	    const struct sockaddr *to, socklen_t len)
{
	ssize_t r;

	if (UNREADY(sendto))
		return -1;
	r = NEXT(sendto)(fd, p, n, flags, to, len);
	if (r >= 0) {
		mmi_wrap_read(p, (size_t)r);
		if (to)
			mmi_wrap_read(to, len);
	}
	return r;
}

EXPORT ssize_t
sendmsg(int fd, const struct msghdr *m, int flags)
{
	ssize_t r = UNREADY(sendmsg) ? -1 : NEXT(sendmsg)(fd, m, flags);

	message_out(m, r);
	return r;
}

EXPORT int
sendmmsg(int fd, struct mmsghdr *m, unsigned n, int flags)
{
	int r = UNREADY(sendmmsg) ? -1 : NEXT(sendmmsg)(fd, m, n, flags);

	for (int i = 0; i < r; i++) {
		message_out(&m[i].msg_hdr, (ssize_t)m[i].msg_len);
		mmi_wrap_write(&m[i].msg_len, sizeof(m[i].msg_len));
	}
	return r;
}
