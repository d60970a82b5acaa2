# Toolchain file: arm64 Linux with a distribution's cross compiler; what is built runs here under qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triple aarch64-linux-gnu)
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CXX_COMPILER ${triple}-g++)
# Programs are this machine's. Debian keeps libraries apart by triple, and headers of every architecture in /usr.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
find_program(SLUICE_QEMU qemu-aarch64)
if(SLUICE_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${SLUICE_QEMU} -L /usr/${triple})
endif()
