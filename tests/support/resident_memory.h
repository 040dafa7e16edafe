#pragma once

#include "core/tensor/sanitizers.h"

#include <QFile>

#include <cstddef>

#include <malloc.h>
#include <unistd.h>

#if defined(HEADLIGHT_ADDRESS_SANITIZER) || defined(HEADLIGHT_THREAD_SANITIZER)
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();  // its header does not come with GCC
#endif

namespace headlight {

/// Megabytes of this process that are in memory, after what is free has gone back to the system. A sanitizer
/// keeps what is free: under one it is what is allocated.
inline double resident_megabytes() {
#if defined(HEADLIGHT_ADDRESS_SANITIZER) || defined(HEADLIGHT_THREAD_SANITIZER)
    return static_cast<double>(__sanitizer_get_current_allocated_bytes()) / (1 << 20);
#else
    malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) /
           (1 << 20);
#endif
}

/// Megabytes that are allocated at the moment.
inline double allocated_megabytes() {
#if defined(HEADLIGHT_ADDRESS_SANITIZER) || defined(HEADLIGHT_THREAD_SANITIZER)
    return resident_megabytes();
#else
    const struct mallinfo2 heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd) / (1 << 20);
#endif
}

}  // namespace headlight
