# Lines that a user adds to the table: a schedule with other tuning, under a name of its own.
sluice_schedule(step one_pass AS two_rows SET ship PARALLEL runtime HEAD_DIMS any RULES kda TUNING rows:2)
