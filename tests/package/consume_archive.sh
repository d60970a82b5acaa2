#!/bin/sh
# A release archive from an empty folder: unpacked, then a project built against it and run.
# usage: consume_archive.sh ARCHIVE [CMAKE_OPTION...]
set -eu
archive=$(realpath "$1")
consumer=$(realpath "$(dirname "$0")/consumer")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar --extract --file "$archive" --directory "$folder"
set -- -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=$(echo "$folder"/sluice-*)" "$@"
cmake -S "$consumer" -B "$folder/build" -G Ninja "$@"
cmake --build "$folder/build"
ctest --test-dir "$folder/build" --output-on-failure --no-tests=error
