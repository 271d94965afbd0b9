/* SPDX-License-Identifier: MIT */
/* The kernel's own functions in the process: its vDSO. */
#include "monitor/base/vdso.h"

#include <elf.h>
#include <fcntl.h>

#include "monitor/base/symbol.h"

/* The address at which the vDSO is mapped, or 0. */
static uintptr_t
vdso_base(void)
{
	Elf64_auxv_t v[64];
	long fd = ARCH_SYS(SYS_openat, AT_FDCWD, "/proc/self/auxv",
			   O_RDONLY | O_CLOEXEC, 0, 0, 0);
	long n;

	if (fd < 0)
		return 0;
	n = ARCH_SYS(SYS_read, fd, v, sizeof(v), 0, 0, 0);
	ARCH_SYS(SYS_close, fd, 0, 0, 0, 0, 0);
	for (long i = 0; i < n / (long)sizeof(*v); i++)
		if (v[i].a_type == AT_SYSINFO_EHDR)
			return v[i].a_un.a_val;
	return 0;
}

mmi_vdso_clock *
mmi_vdso_find(void)
{
	uintptr_t base = vdso_base();
	const Elf64_Ehdr *e = (const Elf64_Ehdr *)base;
	const Elf64_Phdr *p, *dynamic = NULL, *load = NULL;

	if (!base)
		return NULL;
	p = (const Elf64_Phdr *)(base + e->e_phoff);
	for (unsigned i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_DYNAMIC)
			dynamic = &p[i];
		else if (p[i].p_type == PT_LOAD && !load)
			load = &p[i];
	if (!dynamic || !load)
		return NULL;
	return (mmi_vdso_clock *)mmi_symbol_in(
		base - load->p_vaddr,
		(const void *)(base - load->p_vaddr + dynamic->p_vaddr),
		ARCH_VDSO_CLOCK);
}
