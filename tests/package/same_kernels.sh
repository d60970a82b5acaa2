#!/bin/sh
# Kernels that two builds have in common are the same, bit for bit. usage: same_kernels.sh FOLDER FOLDER
set -eu
compared=0
for object in "$2"/*.o; do
  cmp "$1/$(basename "$object")" "$object"
  compared=$((compared + 1))
done
echo "$compared objects are the same"
[ "$compared" -gt 1 ]
