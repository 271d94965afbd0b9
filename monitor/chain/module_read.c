/* SPDX-License-Identifier: MIT */
/* Reads a library's headers. */
#include "monitor/chain/modules.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#include "monitor/base/peek.h"

/* How many bytes of a note segment are read. */
#define NOTES_MOST 1024u

/* Searches the n bytes of notes at p for the build-id. */
static void
notes_buildid(struct mmi_module *m, const char *p, size_t n)
{
	ElfW(Nhdr) h;
	size_t name, desc;

	while (n >= sizeof(h)) {
		memcpy(&h, p, sizeof(h));
		p += sizeof(h);
		n -= sizeof(h);
		name = ((size_t)h.n_namesz + 3) & ~(size_t)3;
		desc = ((size_t)h.n_descsz + 3) & ~(size_t)3;
		if (name > n || desc > n - name)
			return;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(p, "GNU", 4) && h.n_descsz <= MMI_BUILDID_MAX) {
			m->buildid_len = h.n_descsz;
			memcpy(m->buildid, p + name, h.n_descsz);
			return;
		}
		p += name + desc;
		n -= name + desc;
	}
}

/*
 * Reads from a library, whose pages may be unreadable.  If the kernel doesn't
 * copy memory at all, a thread that runs in the library reads it directly.
 */
static bool
module_read(void *to, uintptr_t at, size_t n, bool elsewhere)
{
	char c;

	if (mmi_peek_now(to, at, n))
		return true;
	if (mmi_peek_now(&c, (uintptr_t)&c, 1) || elsewhere)
		return false;
	memcpy(to, (const void *)at, n);
	return true;
}

/* Widens the range of code by a segment with code. */
static void
code_widen(struct mmi_module *m, uintptr_t start, uintptr_t end)
{
	if (!m->code_end || start < m->code)
		m->code = start;
	if (end > m->code_end)
		m->code_end = end;
}

static void
module_segment(struct mmi_module *m, const ElfW(Phdr) *ph, bool elsewhere)
{
	uintptr_t at = m->bias + ph->p_vaddr;
	char notes[NOTES_MOST];
	size_t n = ph->p_memsz < NOTES_MOST ? ph->p_memsz : NOTES_MOST;

	if (ph->p_type == PT_TLS)
		m->storage = ph->p_memsz + ph->p_align;
	else if (ph->p_type == PT_LOAD && ph->p_flags & PF_X)
		code_widen(m, at, at + ph->p_memsz);
	else if (ph->p_type == PT_NOTE && !m->buildid_len && at >= m->start &&
		 at < m->end && n <= m->end - at &&
		 module_read(notes, at, n, elsewhere))
		notes_buildid(m, notes, n);
}

/* The program headers are in the first page of every object that ld makes. */
void
mmi_module_read(struct mmi_module *m, bool elsewhere)
{
	ElfW(Ehdr) e;
	ElfW(Phdr) ph;

	if (m->end - m->start < sizeof(e) ||
	    !module_read(&e, m->start, sizeof(e), elsewhere) ||
	    memcmp(e.e_ident, ELFMAG, SELFMAG) || e.e_phentsize != sizeof(ph) ||
	    e.e_phoff > ARCH_PAGE ||
	    e.e_phoff + e.e_phnum * sizeof(ph) > ARCH_PAGE)
		return;
	for (unsigned i = 0; i < e.e_phnum; i++)
		if (module_read(&ph, m->start + e.e_phoff + i * sizeof(ph),
				sizeof(ph), elsewhere))
			module_segment(m, &ph, elsewhere);
}
