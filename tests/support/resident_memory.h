#pragma once

#include <QFile>

#include <malloc.h>
#include <unistd.h>

namespace headlight {

/// Megabytes of this process that are in memory, after what is free has gone back to the system.
inline double resident_megabytes() {
    malloc_trim(0);
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) /
           (1 << 20);
}

}  // namespace headlight
