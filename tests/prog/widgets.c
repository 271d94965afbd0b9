/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A producer of widgets and a consumer that forgets the red ones.
 *
 *	main -> make_red_widget  -> make_widget -> malloc	5,019 times
 *	main -> make_blue_widget -> make_widget -> malloc	4,981 times
 *	main -> consume_widget -> free		all blue ones and no red one
 *
 * A widget has 204 bytes, so the whole run makes
 *
 *	10,000 allocations	2,040,000 bytes
 *	 4,981 frees		1,016,124 bytes
 *	 5,019 kept		1,023,876 bytes, all by way of make_red_widget
 *	peak			1,024,080 bytes, with the last widget (blue)
 *
 * With the argument "half" the consumer also frees every second red widget,
 * 2,509 of the 5,019:
 *
 *	10,000 allocations	2,040,000 bytes
 *	 7,490 frees		1,527,960 bytes
 *	 2,510 kept		  512,040 bytes, all by way of make_red_widget
 *	peak			  512,244 bytes, with the last widget
 *
 * No call but malloc and free allocates.
 */
#include <stdlib.h>
#include <string.h>

enum colour { RED, BLUE };

struct widget {
	enum colour colour;
	int data[50];
};
_Static_assert(sizeof(struct widget) == 204, "the figures above");

enum { WIDGETS = 10000, BLUES = 4981 };

#define NOINLINE __attribute__((noinline))

/* Every widget goes through here, so that no compiler leaves one out. */
struct widget *volatile belt;

static int free_half_of_the_red;

static NOINLINE struct widget *
make_widget(enum colour colour)
{
	struct widget *w = malloc(sizeof *w);

	if (!w)
		abort();
	w->colour = colour;
	return w;
}

/* The assignments after the calls keep these frames off tail calls. */
static NOINLINE void
make_red_widget(void)
{
	belt = make_widget(RED);
}

static NOINLINE void
make_blue_widget(void)
{
	belt = make_widget(BLUE);
}

static NOINLINE void
consume_widget(struct widget *w)
{
	static int red;

	if (w->colour == BLUE)
		free(w);
	else if (free_half_of_the_red && red++ % 2)
		free(w);
}

/* True BLUES times in WIDGETS calls, evenly: the carry of a sum of fractions */
static NOINLINE int
flip(void)
{
	static int sum;

	sum += BLUES;
	if (sum < WIDGETS)
		return 0;
	sum -= WIDGETS;
	return 1;
}

int
main(int argc, char **argv)
{
	int i;

	free_half_of_the_red = argc > 1 && strcmp(argv[1], "half") == 0;
	for (i = 0; i < WIDGETS; i++) {
		if (flip())
			make_blue_widget();
		else
			make_red_widget();
		consume_widget(belt);
	}
	return 0;
}
