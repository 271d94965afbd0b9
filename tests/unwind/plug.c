/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for load.c: it calls fn(arg, its own return address).  With another
 * ROOM, from 256 on, its frame has another size, and all other code is the
 * same, address for address.
 */
void plug(void (*fn)(void *arg, void *ra), void *arg);

void
plug(void (*fn)(void *arg, void *ra), void *arg)
{
	volatile char room[ROOM];

	room[0] = 1;
	fn(arg, __builtin_return_address(0));
	room[0]++;
}
