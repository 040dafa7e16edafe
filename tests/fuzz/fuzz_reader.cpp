// One target for each reader of readers.h; CMake names it.

#include "tests/fuzz/readers.h"

#include <cstring>

namespace headlight::test {

extern const char* const reader_name;  // fuzz_reader_name.cpp

const Reader& reader() {
    const std::vector<Reader>& all = readers();
    for (const Reader& each : all)
        if (std::strcmp(each.name, reader_name) == 0)
            return each;
    std::abort();
}

}  // namespace headlight::test
