// SPDX-License-Identifier: GPL-3.0-or-later
// As shapes.c: templates, methods, lambdas, constructors.
// All together: 364 bytes in 12 blocks.
#include <cstdlib>

void *kept[32];
int nkept;

__attribute__((noinline)) void keep(void *p)
{
	kept[nkept++] = p;
}

// Three functions, whose line is one.
template <typename T>
__attribute__((noinline)) void make(int n)
{
	keep(malloc(sizeof(T) * n));		/*= 52 3 52 52 */
}

// Instances that call one another: 3 > 2 > 1 > 0; a block is on it once.
template <int N>
__attribute__((noinline)) void nest()
{
	keep(new char[N]);			/*= 6 3 6 6 */
	nest<N - 1>();				/*= 0 0 0 13 */
	keep(nullptr);
}

template <>
__attribute__((noinline)) void nest<0>()
{
	keep(new char[10]);			/*= 10 1 10 10 */
}

namespace space
{
struct thing {
	char *text;

	__attribute__((noinline)) thing(int n)
	{
		text = new char[n];		/*= 120 2 60 120 */
	}
	__attribute__((noinline)) ~thing()
	{
		delete[] text;
	}
	__attribute__((noinline)) void more() const
	{
		keep(malloc(5));		/*= 5 1 5 5 */
	}
};
}

__attribute__((noinline)) void things()
{
	space::thing *t = new space::thing(60);	/*= 8 1 8 68 */
	space::thing on_stack(60);		/*= 0 0 0 60 */

	keep(t);
	on_stack.more();			/*= 0 0 0 5 */
}

int main()
{
	auto lambda = [](int n) __attribute__((noinline)) {
		keep(malloc(n));		/*= 163 1 163 163 */
	};

	make<char>(4);				/*= 0 0 0 4 */
	make<int>(4);				/*= 0 0 0 16 */
	make<double>(4);			/*= 0 0 0 32 */
	nest<3>();				/*= 0 0 0 16 */
	things();				/*= 0 0 0 133 */
	lambda(163);				/*= 0 0 0 163 */
	keep(nullptr);
	return 0;
}
