/* SPDX-License-Identifier: MIT */
/*
 * Input and output: files, messages, streams.  With MSG_TRUNC a call may return
 * more than the size of the buffer: the rest doesn't count.
 */
#include "monitor/base/peek.h"
#include "monitor/wrap/wrap_row.h"

/* Some headers define macros. */
#undef fread_unlocked
#undef fwrite_unlocked

/*
 * Counts `all' bytes, as mmi_wrap_count() does, in the first of n areas, and a
 * read of the vector itself.
 */
static void
vector(const struct iovec *v, size_t n, size_t all, uint64_t add)
{
	R(v, n * sizeof(*v));
	for (size_t i = 0; i < n && all; i++) {
		size_t some = v[i].iov_len < all ? v[i].iov_len : all;

		mmi_wrap_count(v[i].iov_base, some, add);
		all -= some;
	}
}

static void
received(const void *p, size_t n, ssize_t r)
{
	if (r > 0)
		W(p, (size_t)r < n ? (size_t)r : n);
}

/* A message was received; m->msg_namelen was `was' before. */
static void
message_in(const struct msghdr *m, socklen_t was, ssize_t r)
{
	if (r < 0)
		return;
	R(m, sizeof(*m));
	W(m, sizeof(*m));
	vector(m->msg_iov, m->msg_iovlen, (size_t)r, MMI_ACCESS_WRITE);
	if (m->msg_name)
		W(m->msg_name, m->msg_namelen < was ? m->msg_namelen : was);
	if (m->msg_control)
		W(m->msg_control, m->msg_controllen);
}

static void
message_out(const struct msghdr *m, ssize_t r)
{
	if (r < 0)
		return;
	R(m, sizeof(*m));
	vector(m->msg_iov, m->msg_iovlen, (size_t)r, MMI_ACCESS_READ);
	if (m->msg_name)
		R(m->msg_name, m->msg_namelen);
	if (m->msg_control)
		R(m->msg_control, m->msg_controllen);
}

/* The size of the name buffers is lost: takes the current one. */
static void
messages_in(const struct mmsghdr *m, int n)
{
	for (int i = 0; i < n; i++) {
		message_in(&m[i].msg_hdr, m[i].msg_hdr.msg_namelen,
			   (ssize_t)m[i].msg_len);
		W1(&m[i].msg_len);
	}
}

static void
messages_out(const struct mmsghdr *m, int n)
{
	for (int i = 0; i < n; i++) {
		message_out(&m[i].msg_hdr, (ssize_t)m[i].msg_len);
		W1(&m[i].msg_len);
	}
}

#include "monitor/wrap/wrap_row_io.h"

/* The length at len; 0 if the call won't be able to read it. */
static socklen_t
length(const socklen_t *len)
{
	return mmi_peek_each((const void *const[]){ len }, 1) ? *len : 0;
}

/* The sender was requested, too; *len is now the full length of its address. */
static void
sender(const struct sockaddr *from, const socklen_t *len, socklen_t was,
       ssize_t r)
{
	if (r < 0 || !from || !len)
		return;
	R1(len);
	W1(len);
	W(from, *len < was ? *len : was);
}

/* Has another name in C, because libc's header has a union for the address. */
EXPORT ssize_t wrap_recvfrom(int, void *, size_t, int, struct sockaddr *,
			     socklen_t *) __asm__("recvfrom");

ssize_t
wrap_recvfrom(int fd, void *p, size_t n, int flags, struct sockaddr *from,
	      socklen_t *len)
{
	socklen_t was = from ? length(len) : 0;
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
	socklen_t was = from ? length(len) : 0;
	ssize_t r;

	if (UNREADY(__recvfrom_chk))
		return -1;
	r = NEXT(__recvfrom_chk)(fd, p, n, room, flags, from, len);
	received(p, n, r);
	sender(from, len, was, r);
	return r;
}

EXPORT ssize_t
recvmsg(int fd, struct msghdr *m, int flags)
{
	socklen_t was = length(&m->msg_namelen);
	ssize_t r = UNREADY(recvmsg) ? -1 : NEXT(recvmsg)(fd, m, flags);

	message_in(m, was, r);
	return r;
}
