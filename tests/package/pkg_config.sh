#!/bin/sh
# A program by hand: the compiler and pkg-config. usage: pkg_config.sh PREFIX LIBDIR FOLDER COMPILER [EMULATOR...]
set -eu
prefix=$1 libdir=$2 folder=$3 compiler=$4
shift 4
export PKG_CONFIG_LIBDIR="$prefix/$libdir/pkgconfig"
sources=$(cd "$(dirname "$0")/consumer" && pwd)
# shellcheck disable=SC2046  # flags are words
"$compiler" "$sources/main.c" "$sources/decode.c" $(pkg-config --static --cflags --libs sluice) -o "$folder/by_hand"
"$@" "$folder/by_hand"
