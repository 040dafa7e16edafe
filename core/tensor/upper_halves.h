#pragma once

namespace headlight {

/// Drops what other libraries (Qt's, where they draw) have left in the upper halves of the vector registers.
/// While those are in use, some processors run code that is compiled for every x86 ten times slower where it
/// calls the mathematical library, and a thread begins with the registers of the one that makes it.
inline void clear_upper_halves() {
#if defined(__x86_64__) && !defined(__AVX__)  // code that is compiled for AVX clears them itself
    static const bool has_them = __builtin_cpu_supports("avx");
    if (has_them)
        asm volatile("vzeroupper");
#endif
}

}  // namespace headlight
