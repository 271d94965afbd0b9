/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer on the command line of mpreduce: each line of the input is an
 * argument.  Its output is dropped.
 */
#include "display/cli/options.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64 /* arguments */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
			       unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static ssize_t
swallow(void *cookie, const char *text, size_t n)
{
	(void)cookie;
	(void)text;
	return (ssize_t)n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const cookie_io_functions_t io = { .write = swallow };
	static char name[] = "mpreduce";
	static FILE *null;
	char *text = malloc(size + 1), *at = text, *argv[MOST + 2] = { name };
	FILE *out = stdout, *err = stderr;
	struct options o;
	int argc = 1;

	if (!null)
		null = fopencookie(NULL, "w", io);
	memcpy(text, data, size);
	text[size] = '\0';
	while (at && argc <= MOST)
		argv[argc++] = strsep(&at, "\n");
	optind = 0;
	stdout = stderr = null;
	options_parse(&o, argc, argv);
	options_fini(&o);
	stdout = out;
	stderr = err;
	free(text);
	return 0;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	(void)seed;
	return LLVMFuzzerMutate(data, size, most);
}
