/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of addresses, compared with a plain array; values of MEMMON_SIGNAL. */
#include <stdlib.h>
#include <string.h>

#include "monitor/base/addresses.c"
#include "monitor/base/arena.c"
#include "monitor/base/signame.h"
#include "monitor/base/own_mappings.c"
#include "tests/tap.h"
#include "tests/unit/noimage.h"

#define SLOTS 5000u

static bool in[SLOTS];
static unsigned seen[SLOTS];
static struct mmi_thread thread;

static uintptr_t
address(unsigned i)
{
	return 0x7f0000000000 + 16 * (uintptr_t)i;
}

static void
see(void *arg, uintptr_t p)
{
	++*(unsigned *)arg;
	seen[(p - 0x7f0000000000) / 16]++;
}

/* As many adding as taking out, first more of the one, then of the other. */
static void
random_work(struct mmi_addresses *s)
{
	unsigned wrong = 0, n = 0, met = 0, twice = 0;
	bool known;

	srandom(1);
	for (unsigned k = 0; k < 200000; k++) {
		unsigned i = (unsigned)random() % SLOTS;
		bool more = (unsigned)random() % 10 < (k / 40000 % 2 ? 3 : 7);

		wrong += mmi_addresses_has(s, address(i)) != in[i];
		if (more) {
			wrong += !mmi_addresses_add(&thread, s, address(i),
						    &known) ||
				 known != in[i];
			n += !in[i];
			in[i] = true;
		} else {
			wrong += mmi_addresses_remove(s, address(i)) != in[i];
			n -= in[i];
			in[i] = false;
		}
		wrong += s->used != n;
	}
	is_int(wrong, 0, "added, found and taken out, 200,000 times");
	mmi_addresses_each(s, see, &met);
	for (unsigned i = 0; i < SLOTS; i++)
		twice += seen[i] != in[i];
	ok(met == n && !twice, "each is met once");
}

static void
sets(void)
{
	struct mmi_addresses s = { 0 }, other = { 0 };
	uintptr_t *table;
	unsigned met = 0;
	bool known;

	ok(!mmi_addresses_has(&s, 16) && !mmi_addresses_remove(&s, 16),
	   "an empty set has nothing");
	mmi_addresses_each(&s, see, &met);
	mmi_addresses_clear(&s);
	is_int(met, 0, "and nothing is met in it");
	random_work(&s);
	mmi_addresses_clear(&s);
	for (unsigned i = met = 0; i < SLOTS; i++)
		met += mmi_addresses_has(&s, address(i));
	is_int(met + s.used, 0, "cleared");
	table = s.slot;
	mmi_addresses_fini(&s);
	ok(!s.slot && !s.used, "given up");
	for (unsigned i = 0; i < SLOTS; i++)
		mmi_addresses_add(&thread, &other, address(i), &known);
	ok(other.slot == table && other.used == SLOTS,
	   "another gets its memory");
	for (unsigned i = met = 0; i < SLOTS; i++)
		met += mmi_addresses_has(&other, address(i));
	is_int(met, SLOTS, "and finds what it has");
}

static void
no_memory(void)
{
	struct mmi_addresses s = { 0 };
	unsigned n = 0;
	bool known;

	mmi_arena_limit(mmi_arena_used());
	while (n < 10 * SLOTS &&
	       mmi_addresses_add(&thread, &s, address(n), &known))
		n++;
	ok(n < 10 * SLOTS && s.used == n, "without memory it stays as it is");
	for (unsigned i = 0; i < n; i++)
		n -= !mmi_addresses_has(&s, address(i));
	is_int(n, s.used, "with all that it had");
	mmi_arena_limit(0);
}

/* Text: number and action, -1: none. */
static void
named(const char *s, int sig, int action)
{
	enum mmi_signame_action a = MMI_NACTION;
	int got = mmi_signame_parse(s, &a);

	ok(got == sig && (!sig || (int)a == action), "%s", s);
}

int
main(void)
{
	sets();
	no_memory();
	named("USR1", SIGUSR1, MMI_ACTION_DUMP);
	named("sigusr2:start", SIGUSR2, MMI_ACTION_START);
	named("12:STOP", 12, MMI_ACTION_STOP);
	named("Hup:dump", SIGHUP, MMI_ACTION_DUMP);
	named("SIGRTMIN", SIGRTMIN, MMI_ACTION_DUMP);
	named("RTMIN+2:toggle", SIGRTMIN + 2, MMI_ACTION_TOGGLE);
	named("RTMAX-1", SIGRTMAX - 1, MMI_ACTION_DUMP);
	named("64", 64, MMI_ACTION_DUMP);
	named("IO", SIGIO, MMI_ACTION_DUMP);
	named("INT", SIGINT, MMI_ACTION_DUMP);
	named("", 0, 0);
	named("SIG", 0, 0);
	named(":dump", 0, 0);
	named("USR", 0, 0);
	named("USR12", 0, 0);
	named("USR2:", 0, 0);
	named("USR2:dumps", 0, 0);
	named("USR2 :dump", 0, 0);
	named("SEGV", 0, 0);
	named("KILL", 0, 0);
	named("9", 0, 0);
	named("11:dump", 0, 0);
	named("0", 0, 0);
	named("33", 0, 0);
	named("65", 0, 0);
	named("4294967308", 0, 0);
	named("-2", 0, 0);
	named("RTMIN-1", 0, 0);
	named("RTMIN+", 0, 0);
	named("RTMIN+99", 0, 0);
	named("RTMAX-99", 0, 0);
	return done_testing();
}
