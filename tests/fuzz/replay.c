/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A main() for the fuzzers without libFuzzer, for any compiler: passes each
 * named file to LLVMFuzzerTestOneInput(), and prints its name first, in case it
 * crashes.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* Changes nothing. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
	(void)data;
	(void)most;
	return size;
}

/* All of the file, in a block of exactly its size; the caller frees it. */
static uint8_t *
slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long n = -1;

	if (f && !fseek(f, 0, SEEK_END) && (n = ftell(f)) >= 0) {
		rewind(f);
		data = malloc(n ? (size_t)n : 1);
	}
	if (data && fread(data, 1, (size_t)n, f) != (size_t)n) {
		free(data);
		data = NULL;
	}
	if (f)
		fclose(f);
	*size = (size_t)n;
	return data;
}

int
main(int argc, char **argv)
{
	uint8_t *data;
	size_t size;
	int i;

	for (i = 1; i < argc; i++) {
		data = slurp(argv[i], &size);
		if (!data) {
			fprintf(stderr, "%s: can't be read\n", argv[i]);
			return 1;
		}
		fprintf(stderr, "%s\n", argv[i]);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
	}
	printf("%d files\n", argc - 1);
	return 0;
}
