#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sums on engines that map and reduce: each example of memmon(7) is run exactly
# as in the page, where its engine is installed, and makes the same bytes as
# mpreduce -s does on all files.
. "${MEMMON_SRC:-.}/tests/tap.sh"
. "$MEMMON_SRC/tests/monitor.sh"
PATH=$MEMMON_BUILD:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export OMPI_MCA_plm_rsh_agent=false OMPI_MCA_mpi_yield_when_idle=1

cp "$MEMMON_BUILD/tests/prog/widgets" prog
mkdir heap
jobmake()
{
	rm -rf heap job.mon part.*
	mkdir heap
	"$MEMMON_BUILD/tests/jobmake" heap 57 100 300
	mpreduce -s -o want.sum heap
}
same()
{
	cmp -s job.mon want.sum
	ok $? "$1"
}

jobmake
example Slurm 2 >task.sh
example Slurm 3 >end.sh
grep -q SLURM_ARRAY_TASK_ID task.sh
ok $? "the manual has it"
export SLURM_ARRAY_TASK_COUNT=10
for n in 0 1 2 3 4 5 6 7 8 9; do
	SLURM_ARRAY_TASK_ID=$n sh task.sh || echo "# task $n"
done
unset SLURM_ARRAY_TASK_COUNT
sh end.sh
same "Slurm: an array, task by task"
# srun, which sets these.
rm -rf heap && mkdir heap
cat >srun <<'EOF'
#!/bin/sh
for n in 0 1 2; do SLURM_JOB_ID=8 SLURM_PROCID=$n "$@" >/dev/null; done
EOF
chmod +x srun
example Slurm 1 >job.sh
PATH=$PWD:$PATH sh job.sh 2>/dev/null
is "$(ls heap | tr '\n' ' ')" "8.0.mon 8.1.mon 8.2.mon " "Slurm: names"

if command -v parallel >/dev/null && parallel --version 2>/dev/null |
	grep -q GNU; then
	jobmake
	example 'GNU parallel' 1 >run.sh
	sh run.sh 2>err </dev/null
	same "GNU parallel" || diag "$(cat err)"
else
	skip 1 "no GNU parallel"
fi

if python3 -c 'import distributed' 2>/dev/null; then
	jobmake
	example Dask 1 >run.py
	timeout "$HANG" python3 run.py >err 2>&1
	same "Dask" || diag "$(tail -n 20 err)"
else
	skip 1 "no python3-distributed"
fi

if command -v mpirun >/dev/null && [ -x "$MEMMON_BUILD/mpreduce-mpi" ]; then
	rm -rf heap job.mon && mkdir heap
	example MPI 1 >run.sh
	timeout "$HANG" sh -e run.sh >out 2>err
	ok $? "MPI" || diag "$(cat err)"
	mpreduce -s -o want.sum heap
	same "... the same sum"
	is "$(ls heap | wc -l)" 4 "... of four ranks"
	example MPI 2 >run.sh
	sh -e run.sh >out 2>err
	ok $? "... and how they differ" || diag "$(cat err)"
	like "$(cat out)" "4 ranks" "... all four"
else
	skip 5 "no MPI"
fi

# A file at each interval; the difference of two files is sent as the manual
# shows, to a server that keeps what it gets.
example Production 1 >run.sh
grep -q -- '--every=10m --keep=144' run.sh
ok $? "in production: the manual has it"
command -v curl >/dev/null && python3 -c 'import http.server' 2>/dev/null || {
	skip 7 "no curl, or no Python"
	done_testing
	exit
}
cat >server.c <<'C'
#include <stdlib.h>
#include <unistd.h>
static void *volatile keep;
int
main(void)
{
	for (;;) {
		keep = malloc(3000);
		usleep(100);
	}
}
C
"$CC" -g -o server server.c
sed -n '/^memmon/s/--sample=512K --every=10m/--sample=64 --every=20ms/p' run.sh >record.sh
sh -c "exec $(cat record.sh)" >/dev/null 2>&1 &
for ((i = 0; i < HANG * 20; i++)); do
	[ ! -e "$(echo mon.out.*.4)" ] || break
	sleep .05
done
kill $!
wait $! 2>/dev/null
pid=$(ls mon.out.*.2)
pid=${pid#mon.out.} pid=${pid%.2}
cat >listen.py <<'P'
import http.server
class Keep(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        n = self.path.strip('/').split('?')[0].replace('/', '.')
        open(n, 'wb').write(self.rfile.read(int(self.headers['Content-Length'])))
        open(n + '.head', 'w').write(self.path + '\n' + str(self.headers))
        self.send_response(200)
        self.end_headers()
    def log_message(self, *a):
        pass
s = http.server.HTTPServer(('127.0.0.1', 0), Keep)
open('port.new', 'w').write(str(s.server_port))
import os; os.rename('port.new', 'port')
s.serve_forever()
P
python3 listen.py &
listener=$!
for ((i = 0; i < HANG * 20; i++)); do
	[ ! -e port ] || break
	sleep .05
done
# sent N NAME: the Nth block, without the commands that can't run here.
sent()
{
	example Production "$1" | sed "s/4711[.]7/$pid.1/; s/4711[.]8/$pid.3/
		s,http://[a-z]*:[0-9]*,http://127.0.0.1:$(cat port),
		/^memmon/d; /^parca-push/,/heap/d" >run.sh
	sh -e run.sh >/dev/null 2>err
	ok $? "$2" || diag "$(cat run.sh err)"
}
sent 1 "what came between two files"
sent 2 "... to Pyroscope"
sent 3 "... to a collector"
kill $listener
like "$(cat ingest.head)" '^/ingest[?]name=server&format=pprof' "... under that name"
like "$(cat v1development.profiles.head)" 'Content-Encoding: gzip' \
	"... and with its encoding"
if go tool -n pprof >/dev/null 2>&1; then
	export HOME=$T PPROF_TMPDIR=$T GOFLAGS= GOPATH=$T/go GOCACHE=$T/cache
	like "$(go tool pprof -raw ingest 2>/dev/null)" 'alloc_space/bytes.*main' \
		"Pyroscope and Parca get what pprof reads"
else
	skip 1 "no go tool pprof"
fi
if command -v protoc >/dev/null; then
	like "$(gzip -dc v1development.profiles | protoc --decode_raw)" \
		'"inuse_space"' "the collector gets what protoc reads"
else
	skip 1 "no protoc"
fi
done_testing
