#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --debuginfod: debug information from a server, only when the option is given,
# and with no longer wait than it allows.  The servers are this machine's own.
# (F19-debuginfod.t: without the option mpreduce asks no server.)
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce=$MEMMON_BUILD/mpreduce
make=$MEMMON_BUILD/tests/monmake

cat >prog.c <<'EOF1'
__attribute__((noinline)) int inner(int i) { return i * 3; }
__attribute__((noinline)) int outer(int i) { return inner(i) + 1; }
int main(int argc, char **argv) { (void)argv; return outer(argc); }
EOF1
id=00112233445566778899aabbccddeeff00112233
$CC -g -O1 -fno-optimize-sibling-calls -Wl,--build-id=0x$id -o whole prog.c ||
	echo "Bail out! compiler"
address()
{
	printf '0x%x' $((0x$(nm whole | awk -v n="$1" '$3 == n { print $1 }') + 1))
}
lib=ff112233445566778899aabbccddeeff00112233
printf '%s\n' "module exe $PWD/prog exe id $id" \
	"module lib /nonexistent/lib.so id $lib" \
	"chain c exe:$(address main) exe:$(address outer) exe:$(address inner)" \
	"chain d exe:$(address main) lib:$(address outer)" \
	"alloc c 10 3" "alloc d 10 3" | "$make" >mon.out
strip -o prog whole
mkdir -p www/buildid/$id www/buildid/$lib
objcopy --only-keep-debug whole www/buildid/$id/debuginfo
$CC -g -O1 -fno-optimize-sibling-calls -Wl,--build-id=0x$lib -o lib prog.c
objcopy --only-keep-debug lib www/buildid/$lib/debuginfo

# Without the server's URL, and without the library: a message, and mpreduce
# goes on.
(unset DEBUGINFOD_URLS; "$mpreduce" -L --debuginfod mon.out >out 2>err)
is $? 0 "no URL: status"
like "$(cat err)" "--debuginfod: DEBUGINFOD_URLS isn't set" "no URL: said"
(DEBUGINFOD_URLS=" " "$mpreduce" -L --debuginfod mon.out >out 2>err)
is "$(grep -c -- --debuginfod err)" 1 "an empty URL: said once"
mkdir none
echo 'garbage' >none/libdebuginfod.so.1
LD_LIBRARY_PATH=$PWD/none DEBUGINFOD_URLS=http://127.0.0.1:1/ \
	"$mpreduce" -L --debuginfod mon.out >out 2>err
is $? 0 "no library: status"
like "$(cat err)" "--debuginfod: libdebuginfod.so.1 is missing" \
	"no library: said"

if ! command -v python3 >/dev/null; then
	skip 14 "no python3"
	done_testing
	exit
fi
cat >asks.c <<'EOF1'
#include <dlfcn.h>
int main(void) { return !dlopen("libdebuginfod.so.1", RTLD_NOW); }
EOF1
$CC -o asks asks.c -ldl
if ! ./asks; then
	skip 14 "no libdebuginfod.so.1"
	done_testing
	exit
fi

# Each server prints its port, then its requests.  The second takes connections
# and answers none; the third answers a byte a second.
cat >server.py <<'EOF1'
import http.server, socket, sys, time
kind = sys.argv[1]
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):
        print(self.path, file=sys.stderr, flush=True)
    def do_GET(self):
        if kind == "drip":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x")
                    self.wfile.flush()
                    time.sleep(0.2)
            except OSError:
                return
        super().do_GET()
if kind == "mute":
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    s.listen(8)
    print(s.getsockname()[1], flush=True)
    time.sleep(600)
else:
    s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(s.server_address[1], flush=True)
    s.serve_forever()
EOF1
servers=
# serve KIND: sets $url, and logs its requests in KIND.log.
serve()
{
	(cd www && exec python3 ../server.py "$1" >"../$1.port" 2>"../$1.log") &
	servers="$servers $!"
	for _ in $(seq 1000); do
		[ -s "$1.port" ] && break
		sleep 0.1
	done
	url=http://127.0.0.1:$(cat "$1.port")/
}
# ask OPTION...: with an empty cache.
ask()
{
	rm -rf cache
	HOME=$PWD DEBUGINFOD_URLS=$url DEBUGINFOD_CACHE_PATH=$PWD/cache \
		DEBUGINFOD_VERBOSE=1 DEBUGINFOD_PROGRESS=1 no_proxy='*' \
		timeout "$HANG" "$mpreduce" -L "$@" mon.out >out 2>err
	status=$?
}

serve files
ask
[ ! -s files.log ]
ok $? "not asked for: no server is asked"
ask --debuginfod="$HANG"
is $status 0 "a server: status"
like "$(cat out)" 'main > outer \(prog.c, prog\+0x[0-9a-f]*\) > inner' \
	"a server: names"
grep -q 'main > outer (prog.c, lib.so+0x[0-9a-f]*)$' out
ok $? "a server: names of a file that is gone"
is "$(grep -v prog err)" "" "a server: not a word"
is "$(sort files.log | uniq -c | sed 's/^ *//')" \
	"$(printf '1 /buildid/%s/debuginfo\n' $id $lib)" \
	"a server: each file is asked for once"
rm -r www/buildid/$id
ask --debuginfod="$HANG"
like "$(cat err)" "prog: (stripped|has no symbols)" "a server that lacks it"
mkdir www/buildid/$id
cp www/buildid/$lib/debuginfo www/buildid/$id
ask --debuginfod="$HANG"
like "$(cat err)" "prog: (stripped|has no symbols)" \
	"a server that gives another's isn't believed"

for kind in mute drip; do
	serve $kind
	ask --debuginfod=2
	is $status 0 "$kind: status"
	like "$(cat err)" "--debuginfod: 2 seconds are over" "$kind: said"
done
# shellcheck disable=SC2086
kill $servers
done_testing
