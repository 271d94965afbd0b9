#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# mpreduce-mpi: the processes of an MPI job make the same sum as mpreduce -s,
# and print each problem once; so do ranks that memmon recorded in that same
# job.
. "${MEMMON_SRC:-.}/tests/tap.sh"
mpreduce="$MEMMON_BUILD/mpreduce" mpi="$MEMMON_BUILD/mpreduce-mpi"
[ -x "$mpi" ] || skip_all 'no mpreduce-mpi, which needs mpicc'
command -v mpirun >/dev/null || skip_all 'no mpirun'

# As root, more processes than there are processors, and on this machine alone.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,vader
export OMPI_MCA_plm_rsh_agent=false OMPI_MCA_mpi_yield_when_idle=1
run()
{
	timeout "$HANG" mpirun -n "$@"
}
run 2 true >/dev/null 2>&1 || skip_all 'mpirun starts no processes here'

mkdir job
"$MEMMON_BUILD/tests/jobmake" job 41 100 300 || echo "Bail out! jobmake"
"$mpreduce" -s -o want job
ranks='1 3'
! exhaustive || ranks='1 2 3 4 7'
for n in $ranks; do
	rm -f got
	run $n "$mpi" -s -o got job
	is "$?" 0 "$n ranks"
	cmp -s got want
	ok $? "... the same bytes"
done
if exhaustive; then
	run 64 "$mpi" -s -o got job
	cmp -s got want
	ok $? "more ranks than files"
fi
run 3 "$mpi" -s job && cmp -s mon.sum want
ok $? "mon.sum"

echo nothing >job/00005.mon
cut=$(($(stat -c %s job/00009.mon) / 2))
head -c $cut job/00009.mon >cut && mv cut job/00009.mon
"$mpreduce" -s -o want job 2>alone
status=$?
run 4 "$mpi" -s -o got job 2>err
is "$?" "$status" "the exit status with one that is none and one that is cut"
cmp -s got want
ok $? "... the same bytes"
is "$(sed -n 's/^mpreduce-mpi: //p' err | sort)" \
	"$(sed -n 's/^mpreduce: //p' alone | sort)" "... each is named once"
mkdir none
echo nothing >none/a.mon
run 3 "$mpi" -s -o got none 2>err
is "$?" 1 "nothing can be read"
is "$(grep -c 'can be read' err)" 1 "... said once"
run 2 "$mpi" -L job 2>err
is "$?" 2 "other things aren't done"
is "$(grep -c 'only writes the sum' err)" 1 "... said once"

# A job that is recorded, and reduced at its end.
mkdir own
run 3 "$MEMMON_BUILD/memmon" -o 'own/%r.mon' \
	"$MEMMON_BUILD/tests/prog/widgets" >/dev/null 2>&1
is "$(ls own | tr '\n' ' ')" "0.mon 1.mon 2.mon " "each rank leaves its file"
run 3 "$mpi" -s -o own.sum own
"$mpreduce" -s -o want own && cmp -s own.sum want
ok $? "the sum of these"
"$mpreduce" --threads=ranks own >out 2>/dev/null
like "$(cat out)" "3 ranks" "... and their ranks"
done_testing
