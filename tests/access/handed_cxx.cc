// SPDX-License-Identifier: GPL-3.0-or-later
//
// Objects that functions of libstdc++ get: strings that a stream reads; the nodes
// of a map, which are recorded.  Blocks, and how many were handed over:
//
//	app string	1 1	with a string in it; a string
//	beside		1 0	that app points to
//	value		5 0	that the map's nodes point to
//	own		1 0
#include <map>
#include <sstream>
#include <string>

#define NOINLINE __attribute__((noinline, noclone))

struct app {
	int a;
	std::string name;
	char *beside;
};
struct value {
	int v[4];
};

extern "C" {
NOINLINE app *
make_app(void)
{
	return new app();
}

NOINLINE std::string *
make_string(void)
{
	return new std::string("a string that is too long to be in itself");
}

NOINLINE char *
make_beside(void)
{
	return new char[64]();
}

NOINLINE value *
make_value(void)
{
	return new value();
}

NOINLINE char *
make_own(void)
{
	return new char[32]();
}
}

int
main()
{
	app *a = make_app();
	std::string *s = make_string();
	std::map<int, value *> map;
	volatile char *own = make_own();
	std::istringstream in("xyz zyx");

	a->beside = make_beside();
	in >> a->name >> *s;
	for (int i = 0; i < 5; i++)
		map[i] = make_value();
	own[1] = 1;
	return own[1] + s->size() + map.size() == 0;
}
