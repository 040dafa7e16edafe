#pragma once

#include <span>
#include <string_view>

namespace headlight {

/// How wide a figure is where it is printed or shown, by a name: `--width acl`.
struct NamedWidth {
    std::string_view name;  ///< "ieee-double"
    double mm;
    std::string_view place;  ///< "IEEE journals and conferences, two columns"
};

/// In the order in which menus have them.
std::span<const NamedWidth> named_widths();
/// In any case of letters; null where none has that name.
const NamedWidth* find_named_width(std::string_view name);

}  // namespace headlight
