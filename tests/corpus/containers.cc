// SPDX-License-Identifier: GPL-3.0-or-later
// Containers of all kinds, with plain and nested types, like those of a small
// inventory and its reports.
#include <array>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <vector>

namespace stock {

struct item {
	int id;
	double price;
	long count;
};

enum class color { red, green, blue };

struct by_price {
	bool
	operator()(const item &a, const item &b) const
	{
		return a.price < b.price;
	}
};

struct position {
	int row, shelf;
	bool
	operator==(const position &o) const
	{
		return row == o.row && shelf == o.shelf;
	}
};

struct position_hash {
	size_t
	operator()(const position &p) const
	{
		return (size_t)(p.row * 31 + p.shelf);
	}
};

template <class T, unsigned N> struct fixed {
	T value[N];
};

namespace {
struct hidden {
	short a, b, c;
};
} // namespace

} // namespace stock

using namespace stock;

static void
vectors(int n)
{
	std::vector<int> ints;
	ints.push_back(n); //= int
	std::vector<item> items;
	items.reserve((size_t)n); //= stock::item
	items.push_back({ 1, 2.5, 3 });
	std::vector<item> copy(items); //= stock::item
	std::vector<double> zeros((size_t)n, 0.0); //= double
	std::vector<unsigned long> longs = { 1, 2, 3 }; //= unsigned long
	std::vector<item *> pointers;
	pointers.push_back(&items[0]); //= stock::item*
	std::vector<std::vector<int>> grid((size_t)n); //= std::vector<int>
	grid[0].resize(7); //= int
	std::vector<std::pair<int, std::string>> pairs;
	pairs.emplace_back(n, "x"); //= std::pair<int, std::string>
	std::vector<bool> bits(1000, true); //= std::vector<bool> bits
	std::vector<stock::color> colors(5, color::blue); //= stock::color
	std::vector<std::array<float, 4>> quads;
	quads.emplace_back(); //= std::array<float, 4>
	std::vector<fixed<char, 24>> chunks(3); //= stock::fixed<char, 24>
	std::vector<hidden> secret(9); //= stock::(anonymous namespace)::hidden
	std::vector<const char *> words;
	words.insert(words.begin(), "w"); //= const char*
	std::vector<std::string> names;
	names.resize(4); //= std::string
	std::vector<std::map<int, int>> maps;
	maps.emplace_back(); //= std::map<int, int>
	maps[0][n] = n; //= std::map<int, int> node
	std::valarray<float> samples(64); //= float
	zeros.assign(200, samples[0]); //= double
	ints.insert(ints.end(), 100, 7); //= int
	longs.shrink_to_fit();
	longs.emplace_back(4); //= unsigned long
	pointers.resize(50); //= stock::item*
	copy.insert(copy.begin(), items[0]); //= stock::item
	grid.emplace_back(std::vector<int>(3)); //= int|std::vector<int>
}

static void
trees(int n)
{
	std::map<int, double> prices;
	prices[n] = 1; //= std::map<int, double> node
	prices.insert({ n + 1, 2.0 }); //= std::map<int, double> node
	prices.emplace(n + 2, 3.0); //= std::map<int, double> node
	std::map<int, double> other(prices); //= std::map<int, double> node
	std::set<long> ids;
	ids.insert(n); //= std::set<long> node
	ids.emplace_hint(ids.end(), n + 1); //= std::set<long> node
	std::multimap<int, item> shelves;
	shelves.insert({ n, item() }); //= std::multimap<int, stock::item> node
	shelves.emplace(n, item()); //= std::multimap<int, stock::item> node
	std::multiset<char> letters;
	letters.insert('a'); //= std::multiset<char> node
	letters.insert('a'); //= std::multiset<char> node
	std::set<item, by_price> cheap;
	cheap.insert(item()); //= std::set<stock::item, stock::by_price> node
	std::map<std::string, std::vector<item>> groups;
	std::string name = "g";
	groups[name]; //= std::map<std::string, std::vector<stock::item>> node
	groups[name].push_back(item()); //= stock::item
	std::map<std::pair<int, int>, std::set<int>> edges;
	edges[{ 1, n }]; //= std::map<std::pair<int, int>, std::set<int>> node
	edges[{ 1, n }].insert(n); //= std::set<int> node
	std::map<int, int, std::greater<int>> down;
	down[n] = n; //= std::map<int, int, std::greater<int>> node
	std::set<const item *> seen;
	seen.insert(nullptr); //= std::set<const stock::item*> node
	std::map<const item *, int> marks;
	marks[nullptr] = n; //= std::map<const stock::item*, int> node
	std::unordered_map<item *, int> counts;
	counts.rehash(100); //= std::unordered_map<stock::item*, int> buckets
	counts[nullptr] = n; //= std::unordered_map<stock::item*, int> node
	std::map<color, unsigned> tally;
	++tally[color::green]; //= std::map<stock::color, unsigned int> node
	std::set<std::string> tags;
	tags.insert("short"); //= std::set<std::string> node
	tags.insert("a tag that is much too long"); //= std::set<std::string> node|std::string chars
	std::map<int, std::map<int, int>> nested;
	nested[1]; //= std::map<int, std::map<int, int>> node
	nested[1][2] = 3; //= std::map<int, int> node
	std::multimap<std::string, int> index;
	index.emplace("k", 1); //= std::multimap<std::string, int> node
}

static void
hashes(int n)
{
	std::unordered_map<int, item> by_id;
	by_id[n]; //= std::unordered_map<int, stock::item> node|std::unordered_map<int, stock::item> buckets
	by_id.reserve(500); //= std::unordered_map<int, stock::item> buckets
	by_id.emplace(n + 1, item()); //= std::unordered_map<int, stock::item> node
	std::unordered_set<std::string> words;
	words.rehash(100); //= std::unordered_set<std::string> buckets
	words.insert("w"); //= std::unordered_set<std::string> node
	std::unordered_multimap<int, int> twice;
	twice.rehash(100); //= std::unordered_multimap<int, int> buckets
	twice.insert({ n, n }); //= std::unordered_multimap<int, int> node
	twice.emplace(n, n); //= std::unordered_multimap<int, int> node
	std::unordered_multiset<long> bag;
	bag.rehash(100); //= std::unordered_multiset<long> buckets
	bag.insert(n); //= std::unordered_multiset<long> node
	std::unordered_map<position, item, position_hash> at;
	at.rehash(100); //= std::unordered_map<stock::position, stock::item, stock::position_hash> buckets
	at[{ 1, n }]; //= std::unordered_map<stock::position, stock::item, stock::position_hash> node
	std::unordered_set<const void *> seen;
	seen.reserve(64); //= std::unordered_set<const void*> buckets
	seen.insert(&seen); //= std::unordered_set<const void*> node
	std::unordered_map<std::string, std::unordered_map<int, double>> deep;
	deep.reserve(30); //= std::unordered_map<std::string, std::unordered_map<int, double>> buckets
	auto &inner = deep["a"]; //= std::unordered_map<std::string, std::unordered_map<int, double>> node
	inner.reserve(30); //= std::unordered_map<int, double> buckets
	inner[1] = 2; //= std::unordered_map<int, double> node
}

static void
lists(int n)
{
	std::list<item> ring;
	ring.push_back(item()); //= std::list<stock::item> node
	ring.emplace_front(); //= std::list<stock::item> node
	std::list<item> other(ring); //= std::list<stock::item> node
	std::list<std::list<int>> nested;
	nested.emplace_back(); //= std::list<std::list<int>> node
	nested.back().push_back(n); //= std::list<int> node
	std::forward_list<std::pair<int, char>> single;
	single.emplace_front(n, 'c'); //= std::forward_list<std::pair<int, char>> node
	single.insert_after(single.begin(), { 2, 'd' }); //= std::forward_list<std::pair<int, char>> node
	std::deque<item> line; //= std::deque<stock::item> map|std::deque<stock::item> block
	for (int i = 0; i < 100; i++)
		line.push_back(item()); //= std::deque<stock::item> map|std::deque<stock::item> block
	std::deque<int *> refs(5); //= std::deque<int*> map|std::deque<int*> block
	std::queue<long> queue; //= std::deque<long> map|std::deque<long> block
	queue.push(n); //= std::deque<long> map|std::deque<long> block
	std::stack<double, std::vector<double>> stack;
	stack.push(n); //= double
	std::priority_queue<item, std::vector<item>, by_price> heap;
	heap.push(item()); //= stock::item
	std::deque<std::string> log;  //= std::deque<std::string> map|std::deque<std::string> block
	log.emplace_front("a line of the log that is long"); //= std::deque<std::string> map|std::deque<std::string> block|std::string chars
	refs.resize(2000); //= std::deque<int*> map|std::deque<int*> block
}

int
main(int argc, char **)
{
	vectors(argc + 3);
	trees(argc);
	hashes(argc);
	lists(argc);
	return 0;
}
