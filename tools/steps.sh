# Sourced by the scripts in tools/: where the project is, and steps that say what they do and how long they took.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
export PATH="$root/build/venv/bin:$PATH"
jobs=$(nproc)
step_names=()
step_seconds=()

# step NAME COMMAND...: runs the command; the script ends with its status if it fails.
step() {
  local name=$1 status=0 begin=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" || status=$?
  step_names+=("$name")
  step_seconds+=("$((SECONDS - begin))")
  if [ "$status" -ne 0 ]; then
    printf '== %s: FAILED with status %d after %d s\n' "$name" "$status" "$((SECONDS - begin))" >&2
    exit "$status"
  fi
  printf '== %s: done in %d s\n' "$name" "$((SECONDS - begin))"
}

# Where the time of all steps so far went.
step_table() {
  local i
  printf '\n%8s  %s\n' seconds step
  for i in "${!step_names[@]}"; do
    printf '%8d  %s\n' "${step_seconds[$i]}" "${step_names[$i]}"
  done
  printf '%8d  all\n' "$SECONDS"
}
