/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The locks of the loader and the unwinder, and the allocator, at once.
 *
 *	loader LIBRARY N	four threads open and close the library N times,
 *			calling plug() of it and freeing what it returns; four
 *			allocate 200 N times in make(); four throw and catch
 *			across frames, 10 N times; one takes backtraces by three
 *			ways, with an allocation for each frame; one registers
 *			frames with libgcc and takes them back
 *
 * make() makes, and frees, 4 x 200 N + 2 N blocks, of 40 bytes.  Prints "done".
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include <stdexcept>
#include <string>

extern "C" void __register_frame(void *);
extern "C" void __deregister_frame(void *);

static const char *library;
static int n;

extern "C" __attribute__((noinline)) void *
make(size_t size)
{
	void *p = malloc(size);

	__asm__ volatile("" : : "r"(p) : "memory");
	return p;
}

static void *
opens(void *arg)
{
	for (int i = 0; i < n; i++) {
		void *h = dlopen(library, RTLD_NOW | RTLD_LOCAL);
		void *(*plug)(void);

		if (!h)
			abort();
		plug = (void *(*)(void))dlsym(h, "plug");
		free(plug());
		if (dlsym(h, "there is none"))
			abort();
		free(strdup(dlerror()));
		dlclose(h);
	}
	return arg;
}

static void *
makes(void *arg)
{
	for (int i = 0; i < 200 * n; i++)
		free(make(40));
	return arg;
}

static __attribute__((noinline)) int
deep(int left)
{
	std::string s(100, 'x');

	if (left == 0)
		throw std::runtime_error(s);
	return deep(left - 1) + (int)s.size();
}

static void *
throws(void *arg)
{
	int caught = 0;

	for (int i = 0; i < 10 * n; i++)
		try {
			deep(i % 20);
		} catch (const std::exception &e) {
			caught += e.what()[0] == 'x';
		}
	if (caught != 10 * n)
		abort();
	return arg;
}

static _Unwind_Reason_Code
frame(struct _Unwind_Context *c, void *arg)
{
	(void)c;
	(void)arg;
	free(malloc(24));
	return _URC_NO_REASON;
}

static int
object(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)info;
	(void)size;
	(void)arg;
	free(malloc(72));
	return 0;
}

static void *
walks(void *arg)
{
	void *at[30];

	for (int i = 0; i < n; i++) {
		int k = backtrace(at, 30);

		free(backtrace_symbols(at, k));
		_Unwind_Backtrace(frame, nullptr);
		dl_iterate_phdr(object, nullptr);
		free(make(40));
	}
	return arg;
}

/* A CIE, and an FDE for 64 bytes of code at `code', as a compiler of code has
 * them. */
static void
frames_make(unsigned char *to, const void *code)
{
	static const unsigned char cie[] = {
		20, 0,	  0,  0, 0, 0,	0, 0, 1,    'z', 'R', 0,
		1,  0x78, 16, 1, 0, 12, 7, 8, 0x90, 1,	 0,   0
	};
	uint64_t start = (uint64_t)(uintptr_t)code, length = 64;

	memset(to, 0, 64);
	memcpy(to, cie, sizeof(cie));
	to[24] = 28;
	to[28] = 28; /* back to the CIE */
	memcpy(to + 32, &start, 8);
	memcpy(to + 40, &length, 8);
}

static void *
registers(void *arg)
{
	static char code[64];

	for (int i = 0; i < n; i++) {
		/* The frames are in a heap block. */
		unsigned char *f = (unsigned char *)malloc(80);

		frames_make(f, code);
		__register_frame(f);
		free(make(40));
		try {
			deep(1);
		} catch (const std::exception &) {
		}
		__deregister_frame(f);
		free(f);
	}
	return arg;
}

int
main(int argc, char **argv)
{
	static void *(*const what[])(void *) = { opens, makes, throws };
	pthread_t id[14];
	int k = 0;

	if (argc < 3)
		return 2;
	library = argv[1];
	n = atoi(argv[2]);
	for (int i = 0; i < 12; i++)
		pthread_create(&id[k++], nullptr, what[i % 3], nullptr);
	pthread_create(&id[k++], nullptr, walks, nullptr);
	pthread_create(&id[k++], nullptr, registers, nullptr);
	while (k-- > 0)
		pthread_join(id[k], nullptr);
	return write(1, "done\n", 5) != 5;
}
