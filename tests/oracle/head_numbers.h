#pragma once

#include "tests/oracle/oracle_parts.h"

#include <string>

namespace headlight {

// What oracles of algorithms read for one head: its part of a parameter, and numbers that it makes of its
// tokens.

/// What one head gives.
using HeadAnswer = reference::HeadResult (*)(const OracleParts& parts, const reference::Head& head);

/// Of a parameter in which the heads lie side by side, `width` numbers each.
reference::Row numbers_of_head(const reference::Row& all, std::size_t head, std::size_t width);
/// Of a parameter in which the heads lie below one another, `rows` each.
reference::Matrix rows_of_head(const reference::Matrix& all, std::size_t head, std::size_t rows);

/// An option of the algorithm that counts.
std::size_t count_option(const OracleParts& parts, const std::string& name);
/// 1 / sqrt(d) where the option `scaled` says so, else 1.
Number scale_of_queries(const OracleParts& parts, const reference::Head& head);

/// y W_NAME + b_NAME, [m, width].
reference::Matrix token_numbers(const OracleParts& parts, const reference::Head& head,
                                const std::string& name, std::size_t width = 1);
/// Their sigmoids, times `most`.
reference::Matrix token_sigmoids(const OracleParts& parts, const reference::Head& head,
                                 const std::string& name, std::size_t width = 1, Number most = 1);
/// softplus of them.
reference::Matrix token_softplus(const OracleParts& parts, const reference::Head& head,
                                 const std::string& name, std::size_t width = 1);
/// exp(-exp(RATE) softplus(y W_NAME + b_NAME)), [m, width]; RATE has a number for each head.
reference::Matrix token_gates(const OracleParts& parts, const reference::Head& head, const std::string& name,
                              std::size_t width = 1, const std::string& rate = "A_log");
/// These gates for each feature of a key, [m, d], made of `width` of them, 1 or d; none where the option
/// `forgets` is off.
reference::Matrix feature_gates(const OracleParts& parts, const reference::Head& head,
                                const std::string& name, std::size_t width = 1);

}  // namespace headlight
