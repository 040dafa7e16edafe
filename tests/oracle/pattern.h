#pragma once

#include "core/attention/options.h"

#include <string>
#include <vector>

namespace headlight {

/// A pattern's options in the reference's types.
struct Pattern {
    const Options options;
    std::size_t count(const std::string& name) const { return static_cast<std::size_t>(options.count(name)); }
    const std::string& word(const std::string& name) const { return options.word(name); }
    template <class Count>
    std::vector<Count> list(const std::string& name) const {
        const auto& given = options.list(name);
        return {given.begin(), given.end()};
    }
};

}  // namespace headlight
