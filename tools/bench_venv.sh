# Sourced: bench_venv makes build/bench_venv, a Python environment with what comparisons and figures need.
bench_venv() {
  cmp -s bench/requirements.txt build/bench_venv/requirements.txt && return
  [ -x build/bench_venv/bin/pip ] || python3 -m venv build/bench_venv
  build/bench_venv/bin/pip install --disable-pip-version-check --quiet -r bench/requirements.txt
  cp bench/requirements.txt build/bench_venv/requirements.txt
}
