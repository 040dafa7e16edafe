#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headlight::test {

struct Reader {
    const char* name;
    bool (*read)(std::string_view);  ///< true when the bytes were accepted
    std::vector<std::string> seeds;  ///< right files, small ones
};

/// The one that this target tries.
const Reader& reader();

}  // namespace headlight::test
