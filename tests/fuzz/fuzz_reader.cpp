// One target for each reader of readers.h; CMake names it.

#include "tests/fuzz/fuzz_entry.h"

#include <cstring>

const headlight::test::Reader& headlight::test::reader() {
    static const std::vector<Reader> all = readers();
    for (const Reader& each : all)
        if (std::strcmp(each.name, HEADLIGHT_READER) == 0)
            return each;
    std::abort();
}
