#!/bin/sh
# Libraries made from the same sources in different folders hold the same objects, bit for bit.
# usage: same_library.sh AR LIBRARY LIBRARY
set -eu
ar=$1 first=$(realpath "$2") second=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/first" "$folder/second"
(cd "$folder/first" && "$ar" x "$first")
(cd "$folder/second" && "$ar" x "$second")
diff -r "$folder/first" "$folder/second"
compared=$(find "$folder/first" -type f | wc -l)
echo "$compared objects are the same"
[ "$compared" -gt 20 ]
