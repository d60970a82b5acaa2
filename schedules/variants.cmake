# The table of compiled kernels: one line per schedule, crossed with the rules (gdn, kda, gdn2) and the platform's
# instruction sets. Dispatch, tests and benchmarks read what is listed here and nothing else.
#
# SET             ship: in libsluice. study: in a library of its own, for tests, benchmarks and the program
# PARALLEL        who runs heads in parallel: the runtime (a call takes one state head) or the kernel
# HEAD_DIMS       constant K = V, or any K and V. A constant one is preferred, then the order of the lines
# CHUNK_LENGTH    C; `16 avx512=32` makes it 32 for that instruction set
# MIN_CHUNK_ROWS  a ragged end of at least this many tokens is one chunk, a shorter one goes by steps

# Ship: the fast ones.
sluice_schedule(step  one_pass       SET ship PARALLEL runtime HEAD_DIMS 64 128 256 any)
sluice_schedule(chunk register_tiled SET ship PARALLEL runtime HEAD_DIMS 64  CHUNK_LENGTH 16 MIN_CHUNK_ROWS 12 avx512=14 base=15)
sluice_schedule(chunk register_tiled SET ship PARALLEL runtime HEAD_DIMS 128 CHUNK_LENGTH 16 MIN_CHUNK_ROWS 12 base=15)
sluice_schedule(chunk register_tiled SET ship PARALLEL runtime HEAD_DIMS 256 CHUNK_LENGTH 16 MIN_CHUNK_ROWS 11 base=14)
sluice_schedule(chunk register_tiled SET ship PARALLEL runtime HEAD_DIMS any CHUNK_LENGTH 16 MIN_CHUNK_ROWS 10 base=13)

# Study: the others, in the order of the optimisation history.
sluice_schedule(step  four_pass         SET study PARALLEL runtime HEAD_DIMS 128 any)
sluice_schedule(step  two_pass          SET study PARALLEL runtime HEAD_DIMS 128 any)
sluice_schedule(chunk reference         SET study PARALLEL runtime HEAD_DIMS 128 any CHUNK_LENGTH 16 MIN_CHUNK_ROWS 4)
sluice_schedule(chunk value_outer       SET study PARALLEL runtime HEAD_DIMS 128 any CHUNK_LENGTH 16 MIN_CHUNK_ROWS 4)
sluice_schedule(chunk head_dim          SET study PARALLEL kernel  HEAD_DIMS 128 any CHUNK_LENGTH 16 MIN_CHUNK_ROWS 4)
sluice_schedule(chunk register_tiled_wy SET study PARALLEL runtime HEAD_DIMS 128 any CHUNK_LENGTH 16 MIN_CHUNK_ROWS 4)
