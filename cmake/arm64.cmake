# Compiles for 64-bit ARM on another machine; what is built runs by an emulator. Libraries are Debian's of that
# architecture, beside those of the machine itself.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# No -L: the loader, the C library and the rest are then of one version, those of that architecture. A loader of the
# cross compiler’s with their C library made threads wait without end.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
