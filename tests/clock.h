/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For a program whose own clock_gettime() must be the clock of the whole
 * process.  The monitor reads the time from the kernel's page, not by the
 * program's clock_gettime().  So before any constructor this process's copy of
 * the page is changed to jump to the program's function.  If that fails, the
 * kernel's clock stays.  Include it in one file of the program.
 */
#ifndef MEMMON_TESTS_CLOCK_H
#define MEMMON_TESTS_CLOCK_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __aarch64__
#define CLOCK_KERNEL "__kernel_clock_gettime"
/* ldr x16, 1f; br x16; 1: */
static const uint32_t clock_jump[] = { 0x58000050, 0xd61f0200 };
#define CLOCK_TARGET 8
#else
#define CLOCK_KERNEL "__vdso_clock_gettime"
/* movabs $..., %rax; jmp *%rax */
static const unsigned char clock_jump[] = { 0x48, 0xb8, 0, 0, 0, 0,
					    0,	  0,	0, 0, 0xff, 0xe0 };
#define CLOCK_TARGET 2
#endif

/* Calls no functions of libc: a recorder may replace them, and isn't ready. */
static int
clock_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static void
clock_put(volatile char *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = ((const char *)from)[i];
}

/* The kernel's own clock_gettime(), or NULL. */
static char *
clock_find(const char *base)
{
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)base;
	const Elf64_Shdr *s;
	const Elf64_Sym *sym;
	const char *names;

	if (!base)
		return NULL;
	s = (const Elf64_Shdr *)(base + e->e_shoff);
	for (int i = 0; i < e->e_shnum; i++) {
		if (s[i].sh_type != SHT_DYNSYM)
			continue;
		sym = (const Elf64_Sym *)(base + s[i].sh_offset);
		names = base + s[s[i].sh_link].sh_offset;
		for (size_t k = 0; k < s[i].sh_size / sizeof(*sym); k++)
			if (clock_same(names + sym[k].st_name, CLOCK_KERNEL))
				return (char *)base + sym[k].st_value;
	}
	return NULL;
}

static void
clock_lead(void)
{
	char *at = clock_find((const char *)getauxval(AT_SYSINFO_EHDR));
	uintptr_t page = (uintptr_t)at & ~(uintptr_t)4095;
	int (*ours)(clockid_t, struct timespec *) = clock_gettime;

	if (!at || syscall(SYS_mprotect, page, 8192,
			   PROT_READ | PROT_WRITE | PROT_EXEC))
		return;
	clock_put(at, clock_jump, sizeof(clock_jump));
	clock_put(at + CLOCK_TARGET, &ours, sizeof(ours));
	__builtin___clear_cache(at, at + 16);
}
__attribute__((section(".preinit_array"),
	       used)) static void (*const clock_first)(void) = clock_lead;

#endif
