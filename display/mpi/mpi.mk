# SPDX-License-Identifier: GPL-3.0-or-later
#
# mpreduce-mpi is built only if MPI is installed, and not for another machine.
# MPI's wrapper calls our compiler.

MPICC	?= $(if $(CROSS),,$(shell command -v mpicc 2>/dev/null))
ifneq ($(MPICC),)
MPI	:= $(O)/mpreduce-mpi
endif
mpicc	= OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC)
MPI_OBJ	:= $(O)/obj/display/mpi/mpreduce_mpi.o

mpreduce: $(MPI)
$(MPI_OBJ): $(O)/obj/%.o: %.c $(O)/flags | $(O)/probed
	@mkdir -p $(@D)
	$(call say,MPICC,$<)$(mpicc) $(OWN) $(CFLAGS) -c -o $@ $<
$(O)/mpreduce-mpi: $(MPI_OBJ) $(LIB_OBJ)
	$(call say,LD,$@)$(mpicc) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(REDUCE_LIBS)
