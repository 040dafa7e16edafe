#include "core/io/inputs_check.h"

#include "core/attention/parameters.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <cctype>

namespace headlight {
namespace {

void require_count(std::size_t count, Index rows, const char* where, const char* of) {
    if (count != 0 && static_cast<Index>(count) != rows)
        throw Error({"read inputs", where, std::to_string(rows) + ", one for each row of " + of,
                     std::to_string(count)});
}

}  // namespace

void require_consistent(const Inputs& inputs) {
    const Index queries = inputs.query.rows();
    const Index keys = inputs.key_tokens().rows();
    require_count(inputs.tokens.query.size(), queries, "tokens/query", "query");
    require_count(inputs.tokens.key.size(), keys, "tokens/key", "key");
    require_count(inputs.tokens.query_unknown.size(), queries, "tokens/query_unknown", "query");
    require_count(inputs.tokens.key_unknown.size(), keys, "tokens/key_unknown", "key");
    for (const auto& [name, tensor] : inputs.parameters)
        require_known_parameter(name, "parameters");
    if (inputs.query.empty() && inputs.parameters.empty())
        throw Error(
            {"read inputs", "query", "rows of numbers", inputs.query.rank() == 2 ? "no token" : "nothing"});
}

void require_known_parameter(const std::string& name, const std::string& where) {
    std::vector<std::string> names;
    for (const ParameterInfo& parameter : known_parameters())
        names.push_back(parameter.name);
    // A formula that a person types may declare it: whether one does, the plan says.
    const bool may_be_declared =
        !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
        std::ranges::all_of(name, [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); });
    if (std::ranges::count(names, name) == 0 && !may_be_declared)
        throw Error({"read inputs", where, list_of(names), quoted_with_hint(name, names)});
}

}  // namespace headlight
