#pragma once

#include "core/kernels/level.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace headlight::kernels {

/// What an x86-64 processor says of itself (CPUID), and which registers the operating system keeps for every
/// program (XCR0).
struct Processor {
    std::uint32_t leaf_1_ecx = 0;
    std::uint32_t leaf_7_ebx = 0;
    std::uint32_t extended_1_ecx = 0;  ///< leaf 0x80000001
    std::uint32_t kept_registers = 0;  ///< lower half of XCR0
};

/// A bit that must be set for a level, because the compiler may use what it stands for.
struct Feature {
    std::string_view name;
    Level level;
    std::uint32_t Processor::*word;
    int bit;
};

/// Everything that x86-64-v3 and v4 have beyond v2, which the whole program asks for (x86-64 psABI 1.0, table
/// 3.1). A level needs those of the levels below it as well.
std::span<const Feature> required_features();

bool runs(Level level, const Processor& processor);

/// The processor of this machine; nothing of it is set where it is no x86-64.
Processor this_processor();

}  // namespace headlight::kernels
