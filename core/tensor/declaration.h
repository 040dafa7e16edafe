#pragma once

#include <string_view>

namespace headlight {

/// What a file in entries/ of a room declares. CMake writes the room's table of these from the names of the
/// files.
template <class Entry>
struct Declaration {
    std::string_view id;  ///< the name of the file, without its ending
    Entry (*declare)();
};

}  // namespace headlight
