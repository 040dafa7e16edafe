#include "core/io/inputs_check.h"

#include "core/attention/parameters.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <algorithm>

namespace headlight {
namespace {

void require_count(std::size_t count, Index rows, const char* where, const char* of) {
    if (count != 0 && static_cast<Index>(count) != rows)
        throw Error({"read inputs", where, std::to_string(rows) + ", one for each row of " + of,
                     std::to_string(count)});
}

/// Those that many mechanisms have: all of them are more than a message holds.
std::string first_names(const std::vector<std::string>& names) {
    constexpr std::size_t most = 20;
    std::vector<std::string> first(names.begin(),
                                   names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
    return list_of(first) + (names.size() > most ? ", or another that \"headlight list --json\" has" : "");
}

}  // namespace

void require_consistent(const Inputs& inputs, const ParameterNames& own) {
    const Index queries = inputs.query.rows();
    const Index keys = inputs.key_tokens().rows();
    require_count(inputs.tokens.query.size(), queries, "tokens/query", "query");
    require_count(inputs.tokens.key.size(), keys, "tokens/key", "key");
    require_count(inputs.tokens.query_unknown.size(), queries, "tokens/query_unknown", "query");
    require_count(inputs.tokens.key_unknown.size(), keys, "tokens/key_unknown", "key");
    for (const auto& [name, tensor] : inputs.parameters)
        require_known_parameter(name, "parameters", own);
    if (inputs.query.empty() && inputs.parameters.empty())
        throw Error(
            {"read inputs", "query", "rows of numbers", inputs.query.rank() == 2 ? "no token" : "nothing"});
}

bool is_known_parameter(const std::string& name, const ParameterNames& own) {
    return std::ranges::count(known_parameters(), name, &KnownParameter::name) > 0 ||
           std::ranges::count(own, name) > 0;
}

void require_known_parameter(const std::string& name, const std::string& where, const ParameterNames& own) {
    if (is_known_parameter(name, own))
        return;
    std::vector<std::string> names;
    for (const KnownParameter& parameter : known_parameters())
        names.push_back(parameter.name);
    const std::string expected = own.empty() ? first_names(names)
                                             : "a parameter that the formula declares, " + list_of(own) +
                                                   ", or one of what stands around it, such as \"W_q\"";
    names.insert(names.begin(), own.begin(), own.end());
    throw Error({"read inputs", where, expected, quoted_with_hint(name, names)});
}

}  // namespace headlight
