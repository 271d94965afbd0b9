# SPDX-License-Identifier: MIT
# libzstd.a contains more than memmon needs: other levels, and calls of malloc.
# So the members that pack at level 1 are linked with zip.c into one object.
# All other functions that they call become names of a function that does
# nothing, and in the end only memmon's names remain.
# A compiler for musl may find the system's library, but not its header.
ZSTD_A	:= $(if $(and $(MUSL),$(if $(call has,zstd.h),,no)),,$(wildcard \
	     $(shell $(CC) -print-file-name=libzstd.a 2>/dev/null)))
ZSTD_IN	:= zstd_compress zstd_compress_literals zstd_compress_sequences \
	   zstd_compress_superblock zstd_fast zstd_common fse_compress \
	   huf_compress hist entropy_common error_private xxhash
ZIP_OUT	:= memcpy memmove memset __stack_chk_fail _GLOBAL_OFFSET_TABLE_
zip_cc	= $(CC) $(OWN) $(SHARED) -fno-lto $(CFLAGS) -fno-lto -c -o $@
$(ZIP_OBJ): monitor/zip/zip.c monitor/zip/zip.h $(ZSTD_A) $(O)/flags | $(O)/probed
	@rm -rf $(@D) && mkdir -p $(@D)
ifneq ($(ZSTD_A),)
	$(call say,CC,$<)$(zip_cc) $< && cd $(@D) && mv zip.o own.o && \
	$(AR) x $(ZSTD_A) $(ZSTD_IN:%=%.o) && \
	$(LD) -r -o all.o own.o $(ZSTD_IN:%=%.o) && \
	nm all.o | awk '$$1 == "U" || $$1 == "w" { print $$2 }' | \
		grep -vxF $(ZIP_OUT:%=-e %) | \
		sed 's/.*/--defsym &=mmi_zip_none/' >none && \
	$(LD) -r -o one.o all.o @none && \
	$(OBJCOPY) -G mmi_zip -G mmi_zip_room one.o zip.o && \
	rm -f $(ZSTD_IN:%=%.o) own.o all.o one.o none
else
	@echo 'memmon: no libzstd.a: block logs are not compressed'
	$(call say,CC,$<)$(zip_cc) -DMEMMON_NO_ZSTD $<
endif
