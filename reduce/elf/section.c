/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compressed sections.
 *
 * A header may lie about the size of the content, so a size that zlib can't
 * reach with that number of bytes is refused.
 */
#include <bfd.h>
#include <gelf.h>
#include <libdeflate.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "reduce/base/arena.h"
#include "reduce/elf/bfdfile.h"
#include "reduce/elf/elffile.h"
#include "reduce/elf/section.h"

/*
 * The most bytes that one compressed byte can become, and extra bytes for a
 * whole section.
 */
#define RATIO 1032u
#define BESIDES 65536u

/* Only newer versions of libelf define this. */
#define COMPRESSED_ZSTD 2u

/*
 * The most memory in bytes for unpacking symbols, without the symbols
 * themselves.
 */
#define LZMA_MEMORY (UINT64_C(256) << 20)

/* Can n compressed bytes become `size' bytes? */
static bool
is_likely(size_t n, uint64_t size)
{
	return size <= BESIDES || (size - BESIDES) / RATIO <= n;
}

/* Is the section compressed?  If so, *ch gets its header. */
static bool
is_packed(Elf_Scn *scn, const GElf_Shdr *sh, GElf_Chdr *ch)
{
	return sh->sh_type != SHT_NOBITS && !(sh->sh_flags & SHF_ALLOC) &&
	       (sh->sh_flags & SHF_COMPRESSED) && gelf_getchdr(scn, ch);
}

/*
 * Decompress a zstd section into `size' bytes, which the caller frees.  NULL if
 * that fails.
 */
static void *
unzstd(Elf *elf, const char *name, uint64_t size)
{
	bfd_byte *text = NULL;
	asection *section;
	bfd *b = name ? bfdfile_open(elf) : NULL;

	if (!b)
		return NULL;
	b->flags |= BFD_DECOMPRESS;
	section = bfd_check_format(b, bfd_object)
			  ? bfd_get_section_by_name(b, name)
			  : NULL;
	if (!section || bfd_section_size(section) != size ||
	    !bfd_get_full_section_contents(b, section, &text)) {
		free(text);
		text = NULL;
	}
	bfd_close(b);
	return text;
}

/* The same for zlib's format.  d: the section as it is in the file. */
static void *
inflated(Elf *elf, const Elf_Data *d, uint64_t size)
{
	size_t head = gelf_fsize(elf, ELF_T_CHDR, 1, EV_CURRENT);
	struct libdeflate_decompressor *z = libdeflate_alloc_decompressor();
	void *text = d->d_size > head ? malloc(size) : NULL;

	if (!z || !text ||
	    libdeflate_zlib_decompress(z, (char *)d->d_buf + head,
				       d->d_size - head, text, size,
				       NULL) != LIBDEFLATE_SUCCESS) {
		free(text);
		text = NULL;
	}
	libdeflate_free_decompressor(z);
	return text;
}

/*
 * Decompress the section.  libbfd handles zstd, which libelf can't before
 * 0.189.  libdeflate handles zlib's format in half the time of libelf.  If they
 * fail, libelf tries.
 */
static void
unpack(struct owned *m, Elf *elf, Elf_Scn *scn, GElf_Shdr *sh)
{
	Elf_Data *data;
	GElf_Chdr ch;
	size_t strings;
	void *text = NULL;

	if (!is_packed(scn, sh, &ch) || elf_getshdrstrndx(elf, &strings) < 0)
		return;
	data = elf_getdata(scn, NULL);
	if (!data || !data->d_buf || !is_likely(data->d_size, ch.ch_size))
		return;
	if (ch.ch_type == COMPRESSED_ZSTD)
		text = unzstd(elf, elf_strptr(elf, strings, sh->sh_name),
			      ch.ch_size);
	else if (ch.ch_type == ELFCOMPRESS_ZLIB)
		text = inflated(elf, data, ch.ch_size);
	if (!text)
		return;
	owned_add(m, text);
	/*
	 * From now on the section looks as if it were uncompressed in the file.
	 */
	sh->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	sh->sh_size = ch.ch_size;
	if (gelf_update_shdr(scn, sh)) {
		data->d_buf = text;
		data->d_size = ch.ch_size;
		data->d_type = ELF_T_BYTE;
	}
}

void
section_unpack(struct owned *m, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh))
			unpack(m, elf, scn, &sh);
}

Elf_Data *
section_data(struct owned *m, Elf *elf, Elf_Scn *scn)
{
	const char *name;
	GElf_Shdr sh;
	size_t strings;

	if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
	    elf_getshdrstrndx(elf, &strings) < 0)
		return NULL;
	unpack(m, elf, scn, &sh);
	if ((sh.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0)
		return NULL;
	name = elf_strptr(elf, strings, sh.sh_name);
	/* If this was done before, the error doesn't matter. */
	if (name && strncmp(name, ".zdebug", 7) == 0)
		elf_compress_gnu(scn, 0, 0);
	return elf_getdata(scn, NULL);
}

/*
 * Unpack n bytes of xz into *text, to be freed.  Returns the number of bytes,
 * or 0 if that fails.
 */
static size_t
unxz(const void *from, size_t n, void **text)
{
	lzma_stream z = LZMA_STREAM_INIT;
	size_t room = 0, used = 0;
	lzma_ret status;

	*text = NULL;
	if (lzma_stream_decoder(&z, LZMA_MEMORY, 0) != LZMA_OK)
		return 0;
	z.next_in = from;
	z.avail_in = n;
	do {
		void *more = NULL;

		if (is_likely(n, used))
			more = realloc(*text, room = 2 * used + BESIDES);
		status = LZMA_MEM_ERROR;
		if (!more)
			break;
		*text = more;
		z.next_out = (uint8_t *)*text + used;
		z.avail_out = room - used;
		status = lzma_code(&z, LZMA_FINISH);
		used = room - z.avail_out;
	} while (status == LZMA_OK);
	lzma_end(&z);
	if (status == LZMA_STREAM_END && used)
		return used;
	free(*text);
	return 0;
}

Elf *
section_mini(struct owned *m, Elf *elf)
{
	Elf_Scn *scn = elffile_named(elf, ".gnu_debugdata");
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	Elf *mini = NULL;
	void *text;
	size_t n;

	if (!data || !data->d_buf)
		return NULL;
	n = unxz(data->d_buf, data->d_size, &text);
	if (n && owned_add(m, text))
		mini = elf_memory(text, n);
	if (mini && elf_kind(mini) == ELF_K_ELF)
		return mini;
	elf_end(mini);
	return NULL;
}
