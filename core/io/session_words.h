#pragma once

#include "core/figure/theme_table.h"
#include "core/io/session.h"
#include "core/tensor/words.h"

namespace headlight {

template <>
std::span<const Word<TokenSplit>> words();
template <>
std::span<const Word<VectorKind>> words();
template <>
std::span<const Word<Reduction>> words();
template <>
std::span<const Word<Counterpart::Kind>> words();
template <>
std::span<const Word<ParameterOrigin>> words();
template <>
std::span<const Word<PlayMode>> words();
template <>
std::span<const Word<Level>> words();
template <>
std::span<const Word<ScaleKind>> words();
template <>
std::span<const Word<DrawnWeights>> words();
template <>
std::span<const Word<Intervention::Kind>> words();
template <>
std::span<const Word<WordChoice::Way>> words();

}  // namespace headlight
