// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own data structures: those of a simulation.
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <queue>
#include <set>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#define NOINLINE __attribute__((noinline))

const void *volatile sink;

namespace world {

template <class T> struct vec2 {
	T x, y;
};

/* Components of entities, by type. */
struct component {
	virtual ~component() = default;
	int owner = 0;
};
struct body : component {
	vec2<double> at, speed;
	double mass = 1;
};
struct sprite : component {
	std::string picture;
	int frame = 0;
	explicit sprite(const char *p) : picture(p)
	{
	}
};
struct health : component {
	int points, most;
	health(int p) : points(p), most(p)
	{
	}
};

class entity {
public:
	template <class C, class... A>
	C *
	add(A &&...a)
	{
		C *c = new C(std::forward<A>(a)...); //= world::body|world::sprite|world::health|std::string chars
		c->owner = id;
		parts[typeid(C)].reset(c); //= std::unordered_map<std::type_index, std::unique_ptr<world::component>> node|std::unordered_map<std::type_index, std::unique_ptr<world::component>> buckets
		return c;
	}
	int id = 0;
	std::unordered_map<std::type_index, std::unique_ptr<component>> parts;
};

/* A tree of quarters. */
class quadtree {
	struct quarter {
		vec2<float> low, high;
		std::array<quarter *, 4> child{};
		std::vector<entity *> inside;
		quarter(vec2<float> l, vec2<float> h) : low(l), high(h)
		{
		}
		~quarter()
		{
			for (quarter *c : child)
				delete c;
		}
	};
	quarter *root_;

	NOINLINE static void
	split(quarter *q, int depth)
	{
		vec2<float> mid = { (q->low.x + q->high.x) / 2, (q->low.y + q->high.y) / 2 };
		if (!depth)
			return;
		q->child[0] = new quarter(q->low, mid); //= world::quadtree::quarter
		q->child[3] = new quarter(mid, q->high); //= world::quadtree::quarter
		split(q->child[0], depth - 1);
	}

public:
	quadtree(int depth) : root_(new quarter({ 0, 0 }, { 100, 100 })) //= world::quadtree::quarter
	{
		split(root_, depth);
	}
	void
	put(entity *e)
	{
		root_->inside.push_back(e); //= world::entity*
	}
	~quadtree()
	{
		delete root_;
	}
};

/* Keeps the most recent ones. */
template <class K, class V> class lru {
	std::list<std::pair<K, V>> order_;
	std::unordered_map<K, typename std::list<std::pair<K, V>>::iterator> at_;
	size_t most_;

public:
	explicit lru(size_t n) : most_(n)
	{
		at_.reserve(n); //= std::unordered_map<int, std::_List_iterator<std::pair<int, std::shared_ptr<world::body>>>> buckets|std::unordered_map<int, std::__list_iterator<std::pair<int, std::shared_ptr<world::body>>, void*>> buckets
	}
	NOINLINE void
	put(const K &k, V v)
	{
		order_.emplace_front(k, std::move(v)); //= std::list<std::pair<int, std::shared_ptr<world::body>>> node
		at_[k] = order_.begin(); //= std::unordered_map<int, std::_List_iterator<std::pair<int, std::shared_ptr<world::body>>>> node|std::unordered_map<int, std::__list_iterator<std::pair<int, std::shared_ptr<world::body>>, void*>> node|std::unordered_map<int, std::_List_iterator<std::pair<int, std::shared_ptr<world::body>>>> buckets|std::unordered_map<int, std::__list_iterator<std::pair<int, std::shared_ptr<world::body>>, void*>> buckets
		if (order_.size() > most_) {
			at_.erase(order_.back().first);
			order_.pop_back();
		}
	}
};

/* Words by their letters. */
struct trie {
	struct node {
		std::map<char, std::unique_ptr<node>> next;
		bool end = false;
	};
	node root;
	NOINLINE void
	add(const char *word)
	{
		node *n = &root;
		for (; *word; word++) {
			auto &next = n->next[*word]; //= std::map<char, std::unique_ptr<world::trie::node>> node
			if (!next)
				next = std::make_unique<node>(); //= world::trie::node
			n = next.get();
		}
		n->end = true;
	}
};

/* A graph, and ways through it. */
struct edge {
	int to;
	double cost;
};
class graph {
	std::vector<std::vector<edge>> edges_;

public:
	graph(size_t n) : edges_(n) //= std::vector<world::edge>
	{
	}
	void
	connect(int a, int b, double cost)
	{
		edges_[(size_t)a].push_back({ b, cost }); //= world::edge
	}
	NOINLINE double
	shortest(int from, int to) const
	{
		using way = std::pair<double, int>;
		std::vector<double> best(edges_.size(), 1e9); //= double
		std::priority_queue<way, std::vector<way>, std::greater<way>> todo;
		todo.push({ 0, from }); //= std::pair<double, int>
		while (!todo.empty()) {
			auto [cost, at] = todo.top();
			todo.pop();
			if (cost >= best[(size_t)at])
				continue;
			best[(size_t)at] = cost;
			for (const edge &e : edges_[(size_t)at])
				todo.emplace(cost + e.cost, e.to); //= std::pair<double, int>
		}
		return best[(size_t)to];
	}
};

/* A ring of fixed size. */
template <class T> class ring {
	T *items_;
	size_t n_, at_ = 0;

public:
	ring(size_t n) : items_(new T[n]), n_(n) //= int|world::vec2<float>|std::string
	{
	}
	~ring()
	{
		delete[] items_;
	}
	void
	put(const T &t)
	{
		items_[at_++ % n_] = t;
	}
};

/* Blocks of a map, made when they are seen. */
struct tile {
	uint16_t kind, light;
};
struct chunk {
	tile tiles[16][16];
	chunk *neighbour[4];
};
class terrain {
	std::map<std::pair<int, int>, chunk *> chunks_;

public:
	NOINLINE chunk *
	at(int x, int y)
	{
		chunk *&c = chunks_[{ x, y }]; //= std::map<std::pair<int, int>, world::chunk*> node
		if (!c)
			c = new chunk(); //= world::chunk
		return c;
	}
	~terrain()
	{
		for (auto &c : chunks_)
			delete c.second;
	}
};

/* A list that its items are links of. */
struct job {
	job *next = nullptr;
	std::function<void()> what;
	int priority;
};
struct jobs {
	job *first = nullptr;
	NOINLINE void
	add(int priority, std::function<void()> f)
	{
		job *j = new job; //= world::job
		j->what = std::move(f);
		j->priority = priority;
		j->next = first;
		first = j;
	}
	~jobs()
	{
		while (first) {
			job *j = first;
			first = j->next;
			j->what();
			delete j;
		}
	}
};

/* A binary tree that keeps itself sorted. */
template <class K> struct search {
	struct leaf {
		K key;
		leaf *less, *more;
		uint32_t weight;
	};
	leaf *root = nullptr;
	NOINLINE void
	insert(const K &k)
	{
		leaf **at = &root;
		while (*at)
			at = k < (*at)->key ? &(*at)->less : &(*at)->more;
		*at = new leaf{ k, nullptr, nullptr, 1 }; //= world::search<int>::leaf|world::search<std::string>::leaf|std::string chars
	}
	static void
	drop(leaf *l)
	{
		if (!l)
			return;
		drop(l->less);
		drop(l->more);
		delete l;
	}
	~search()
	{
		drop(root);
	}
};

} // namespace world

using namespace world;

int
main(int argc, char **)
{
	std::vector<std::unique_ptr<entity>> all;
	quadtree space(3);
	for (int i = 0; i < 5; i++) {
		all.push_back(std::make_unique<entity>()); //= world::entity|std::unique_ptr<world::entity>
		entity *e = all.back().get();
		e->id = i;
		e->add<body>()->mass = argc;
		e->add<sprite>("the name of a picture.png"); //= std::string chars
		e->add<health>(argc);
		space.put(e);
	}
	lru<int, std::shared_ptr<body>> recent(3);
	for (int i = 0; i < 6; i++)
		recent.put(i, std::make_shared<body>()); //= std::make_shared<world::body>
	trie words;
	words.add("word");
	words.add("work");
	graph g(10);
	for (int i = 0; i + 1 < 10; i++)
		g.connect(i, i + 1, argc);
	double d = g.shortest(0, 9);
	ring<int> a(10);
	a.put(argc);
	sink = &a;
	ring<vec2<float>> b(4);
	b.put({ 1, 2 });
	sink = &b;
	ring<std::string> c(3);
	c.put("c");
	terrain land;
	sink = land.at(0, 0);
	sink = land.at(1, 1);
	jobs work;
	work.add(1, [&d] { sink = &d; });
	work.add(2, [=, &c] { sink = &c + (d > 1) + argc; }); //= std::function<void()> functor
	search<int> numbers;
	numbers.insert(3);
	numbers.insert(4);
	search<std::string> texts;
	texts.insert("something that is too long"); //= std::string chars
	return 0;
}
