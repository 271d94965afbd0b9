// SPDX-License-Identifier: GPL-3.0-or-later
// Functions as objects, values of any type, and what threads share.
#include <any>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#define NOINLINE __attribute__((noinline))

const void *volatile sink;

struct event {
	int kind;
	long time;
	std::string text;
};

struct big {
	char bytes[200];
};

/* Signals and slots. */
class bell {
public:
	NOINLINE void
	connect(std::function<void(int)> f)
	{
		slots_.push_back(std::move(f)); //= std::function<void (int)>|std::function<void(int)>
	}
	NOINLINE void
	ring(int n) const
	{
		for (const auto &s : slots_)
			s(n);
	}

private:
	std::vector<std::function<void(int)>> slots_;
};

struct counter {
	long a = 1, b = 2, c = 3;
	int
	operator()(int n) const
	{
		return n + (int)(a + b + c);
	}
};

static void
functions(int n)
{
	long x = n, y = n, z = n, *p = &x;
	bell b;
	b.connect([=](int i) { *p = i + y + z + x; }); //= std::function<void(int)> functor|std::function<void(int)>
	b.connect([p](int i) { *p = i; }); //= std::function<void(int)>
	b.ring(n);
	std::function<int(int)> f = counter(); //= std::function<int(int)> functor
	std::function<int(int)> g = f; //= std::function<int(int)> functor
	sink = &g;
	std::function<int()> h = std::bind(counter(), n); //= std::function<int()> functor
	std::map<std::string, std::function<double(double)>> table;
	auto &slot = table["twice"]; //= std::map<std::string, std::function<double(double)>> node
	slot = [](double d) { return 2 * d; };
	double s = slot(h());
	std::vector<std::function<int(int)>> chain;
	chain.reserve(3); //= std::function<int(int)>
	chain.emplace_back(counter()); //= std::function<int(int)> functor
	chain.push_back(f); //= std::function<int(int)> functor
	for (auto &c : chain)
		s += c(n);
	sink = s > 3 ? &chain : nullptr;
}

using value = std::variant<int, std::string, std::vector<double>>;

struct tree {
	std::variant<int, std::unique_ptr<tree>> left, right;
};

static NOINLINE std::unique_ptr<tree>
grow(int depth)
{
	auto t = std::make_unique<tree>(); //= tree
	if (depth == 0) {
		t->left = 1;
		t->right = 2;
	} else {
		t->left = grow(depth - 1);
		t->right = 3;
	}
	return t;
}

static void
values(int n)
{
	std::any a = n;
	a = big(); //= big
	sink = std::any_cast<big>(&a);
	a = std::string("text"); //= std::string
	std::any c = a; //= std::string
	sink = &c;
	a.emplace<std::vector<int>>(5); //= std::vector<int>|int
	value v = n;
	v = "a string that doesn't fit the small buffer"; //= std::string chars
	v = std::vector<double>(10); //= double
	std::vector<value> all;
	all.reserve(4); //= std::variant<int, std::string, std::vector<double>>
	all.emplace_back(n);
	all.emplace_back(std::vector<double>(3)); //= double
	std::optional<event> e;
	e.emplace();
	e->text.assign(100, 'x'); //= std::string chars
	std::optional<std::vector<event>> events;
	events.emplace();
	events->push_back(*e); //= event|std::string chars
	sink = grow(3).get();
	sink = &all;
	std::vector<std::any> anys;
	anys.emplace_back(3.5); //= std::any
	sink = &anys;
}

/* Work for threads. */
template <class T> class channel {
public:
	void
	send(T t)
	{
		std::lock_guard<std::mutex> lock(mutex_);
		queue_.push(std::move(t)); //= std::deque<std::unique_ptr<event>> map|std::deque<std::unique_ptr<event>> block
		ready_.notify_one();
	}
	T
	receive()
	{
		std::unique_lock<std::mutex> lock(mutex_);
		ready_.wait(lock, [this] { return !queue_.empty(); });
		T t = std::move(queue_.front());
		queue_.pop();
		return t;
	}

private:
	std::mutex mutex_;
	std::condition_variable ready_;
	std::queue<T> queue_;
};

static void
threads(int n)
{
	auto *c = new channel<std::unique_ptr<event>>(); //= channel<std::unique_ptr<event>>|std::deque<std::unique_ptr<event>> map|std::deque<std::unique_ptr<event>> block
	std::thread t([c, n] { //= std::thread state|dtv_t
		auto e = std::make_unique<event>(); //= event
		e->kind = n;
		c->send(std::move(e));
	}); //= std::thread state|dtv_t
	auto got = c->receive();
	sink = got.get();
	t.join();
	delete c;
	std::vector<std::thread> pool;
	pool.reserve(2); //= std::thread
	for (int i = 0; i < 2; i++)
		pool.emplace_back([i] { sink = (char *)nullptr + i; }); //= std::thread state|dtv_t
	for (auto &p : pool)
		p.join();
	std::promise<int> promise; //= std::future state|std::future<int> state|std::future<int> result
	auto future = promise.get_future();
	promise.set_value(n);
	sink = future.get() ? &future : nullptr;
	std::packaged_task<long(int)> task([](int i) { return i * 2L; }); //= std::packaged_task<long(int)> state|std::future<long> state|std::future<long> result
	task(n);
	std::promise<std::string> text; //= std::future state|std::future<std::string> state|std::future<std::string> result
	text.set_value(std::string(50, 'c')); //= std::string chars
	auto shared = text.get_future().share();
	sink = &shared.get();
}

int
main(int argc, char **)
{
	functions(argc);
	values(argc);
	threads(argc);
	return 0;
}
