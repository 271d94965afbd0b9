/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blocks for statements of assembler, each from its own function; all but the
 * last two count as passed to unrecorded code:
 *
 *	written filled		an argument of the kernel, as a number
 *	vectored		in a struct on the stack
 *	offset			with an argument in a register of our choice
 *	copied original		pointers
 *	operand			itself an operand: gcc's plugin counts it
 *	own			a barrier, without code
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define BLOCK(name) \
	__attribute__((noinline)) void *name(void) \
	{ \
		return calloc(1, 100); \
	}
BLOCK(written)
BLOCK(filled)
BLOCK(vectored)
BLOCK(offset)
BLOCK(copied)
BLOCK(original)
BLOCK(operand)
BLOCK(own)

static long
call3(long n, long a, long b, long c)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	return result;
}

static long
call4(long n, long a, long b, long c, long d)
{
	register long fourth __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
}

int
main(int argc, char **argv)
{
	char *a = written(), *b = filled(), *v = vectored(), *o = offset();
	char *mine;
	long *count;
	void *to = copied(), *from = original();
	struct iovec vector = { v, 40 };
	size_t n = 100;
	int fd[2], file = open(argv[argc - 1], O_RDONLY);

	if (pipe(fd) != 0 || file < 0 ||
	    call3(SYS_write, fd[1], (long)a, 100) != 100 ||
	    call3(SYS_read, fd[0], (long)b, 50) != 50 ||
	    call3(SYS_readv, fd[0], (long)&vector, 1) != 40 ||
	    call4(SYS_pread64, file, (long)o, 3, 1) != 3 ||
	    memcmp(o, "ELF", 3) != 0)
		return 1;
	free(a);
	free(b);
	free(v);
	free(o);
	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(n)
			 :
			 : "memory");
	free((char *)to - 100);
	free((char *)from - 100);
	count = operand();
	__asm__ volatile("lock; incq %0" : "+m"(*count));
	free(count);
	mine = own();
	mine[7] = 1;
	__asm__ volatile("" : : "r"(mine) : "memory");
	free(mine);
	return 0;
}
