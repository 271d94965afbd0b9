// SPDX-License-Identifier: GPL-3.0-or-later
// Objects with owners: smart pointers of all kinds, PIMPL, members, factories.
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

const void *volatile sink;

namespace net {

struct address {
	unsigned char bytes[16];
	unsigned short port;
};

class socket {
public:
	explicit socket(int fd) : fd_(fd), peer_(new address()) //= net::address
	{
	}
	socket(const socket &) = delete;
	~socket()
	{
		delete peer_;
	}
	int
	fd() const
	{
		return fd_;
	}

private:
	int fd_;
	address *peer_;
};

struct session : std::enable_shared_from_this<session> {
	long id = 0;
	std::string user;
	virtual ~session() = default;
};

struct secure_session : session {
	unsigned char key[32] = { 0 };
};

struct header {
	int kind, length;
	header *next;
};

struct free_deleter {
	void
	operator()(void *p) const
	{
		free(p);
	}
};

/* PIMPL. */
class client {
public:
	client();
	~client();
	int count() const;

private:
	struct impl;
	std::unique_ptr<impl> impl_;
};

struct client::impl {
	std::vector<header> headers;
	int count = 3;
	double times[4] = { 0 };
};

client::client() : impl_(new impl) //= net::client::impl
{
}

client::~client() = default;

int
client::count() const
{
	return impl_->count;
}

class buffer {
public:
	buffer(size_t n) : size_(n), data_(new char[n]) //= char
	{
		memset(data_, 0, n);
		marks_.reset(new unsigned[n / 8]); //= unsigned int
	}
	~buffer()
	{
		delete[] data_;
	}
	size_t size_;
	char *data_;
	std::unique_ptr<unsigned[]> marks_;
};

template <class T> class list {
public:
	struct link {
		T value;
		link *next;
	};
	NOINLINE void
	add(const T &v)
	{
		link *l = new link{ v, head_ }; //= net::list<int>::link|net::list<net::address>::link
		head_ = l;
	}
	~list()
	{
		while (head_) {
			link *l = head_;
			head_ = l->next;
			delete l;
		}
	}

private:
	link *head_ = nullptr;
};

class registry {
public:
	static registry &
	get()
	{
		if (!self)
			self = new registry; //= net::registry
		return *self;
	}
	std::shared_ptr<session>
	open(long id)
	{
		auto s = std::make_shared<session>(); //= std::make_shared<net::session>
		s->id = id;
		all.push_back(s); //= std::shared_ptr<net::session>
		return s;
	}
	std::vector<std::shared_ptr<session>> all;

private:
	registry() = default;
	static registry *self;
};

registry *registry::self;

} // namespace net

using namespace net;

static NOINLINE std::unique_ptr<net::socket>
connect(int fd)
{
	return std::make_unique<net::socket>(fd); //= net::socket|net::address
}

static NOINLINE header *
header_new(int kind)
{
	return new header{ kind, 0, nullptr }; //= net::header
}

static NOINLINE std::shared_ptr<session>
upgrade(bool secure)
{
	if (secure)
		return std::make_shared<secure_session>(); //= std::make_shared<net::secure_session>
	return std::shared_ptr<session>(new session); //= net::session|std::shared_ptr<net::session> counts
}

struct holder {
	header *h;
	net::socket *s;
	std::shared_ptr<int> n;
	holder(int i)
	    : h(new header()), //= net::header
	      s(new net::socket(i)), //= net::socket|net::address
	      n(std::make_shared<int>(i)) //= std::make_shared<int>
	{
	}
	~holder()
	{
		delete h;
		delete s;
	}
};

static void
unique(int n)
{
	auto a = std::make_unique<address>(); //= net::address
	sink = a.get();
	auto b = std::make_unique<int[]>((size_t)n); //= int
	sink = b.get();
	std::unique_ptr<header> c(new header{ n, n, nullptr }); //= net::header
	sink = c.get();
	auto d = connect(n);
	std::unique_ptr<char, free_deleter> e((char *)malloc(100)); //= char
	sink = e.get();
	std::unique_ptr<std::string> f(new std::string("s")); //= std::string
	sink = f.get();
	auto g = std::make_unique<std::string>(40, 'x'); //= std::string|std::string chars
	sink = g.get();
	std::unique_ptr<address[]> h(new address[3]); //= net::address
	sink = h.get();
	auto i = std::make_unique<std::unique_ptr<int>>(); //= std::unique_ptr<int>
	*i = std::make_unique<int>(n); //= int
	sink = i->get();
	header *j = header_new(n);
	c.reset(j);
	c->next = new header(*c); //= net::header
	sink = c->next;
	delete c->next;
	std::unique_ptr<session> s = std::make_unique<secure_session>(); //= net::secure_session
	sink = s.get();
	std::vector<std::unique_ptr<header>> v;
	v.push_back(std::make_unique<header>()); //= net::header|std::unique_ptr<net::header>
	v.emplace_back(new header{ 1, 2, c.get() }); //= net::header|std::unique_ptr<net::header>
	sink = v[1].get();
}

static void
shared(int n)
{
	std::shared_ptr<address> a = std::make_shared<address>(); //= std::make_shared<net::address>
	sink = a.get();
	std::shared_ptr<header> b(new header{ n, n, nullptr }); //= net::header|std::shared_ptr<net::header> counts
	sink = b.get();
	std::shared_ptr<char> c((char *)malloc(50), free); //= char|std::shared_ptr<char> counts
	sink = c.get();
	auto d = std::make_shared<std::vector<int>>(10, n); //= std::make_shared<std::vector<int>>|int
	auto e = upgrade(n > 100);
	auto f = upgrade(n < 100);
	e->user = "a user with a very long name"; //= std::string chars
	std::weak_ptr<session> w = f;
	auto g = std::allocate_shared<long>(std::allocator<long>(), n); //= std::make_shared<long>
	sink = g.get();
	auto h = registry::get().open(n);
	std::shared_ptr<void> i = std::make_shared<std::string>("t"); //= std::make_shared<std::string>
	sink = i.get();
	std::shared_ptr<header> j(header_new(n), [](header *p) { delete p; }); //= std::shared_ptr<net::header> counts
	sink = j.get();
	delete &registry::get();
}

int
main(int argc, char **)
{
	unique(argc);
	shared(argc);
	client c;
	buffer b((size_t)argc * 64);
	net::list<int> ints;
	ints.add(1);
	net::list<address> addresses;
	addresses.add(address());
	holder h(argc);
	sink = h.h;
	return c.count() - 3;
}
