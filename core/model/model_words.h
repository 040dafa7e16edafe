#pragma once

#include "core/model/recurrent_model.h"
#include "core/model/transformer_model.h"
#include "core/nn/optimizer.h"
#include "core/tensor/words.h"

namespace headlight {

template <>
std::span<const Word<nn::CellType>> words();
template <>
std::span<const Word<DecoderStyle>> words();
template <>
std::span<const Word<TransformerKind>> words();
template <>
std::span<const Word<NormPlacement>> words();
template <>
std::span<const Word<PositionEncoding>> words();
template <>
std::span<const Word<Mixer>> words();
template <>
std::span<const Word<Pooling>> words();
template <>
std::span<const Word<LocalWindow::Kind>> words();
template <>
std::span<const Word<Reinforcement::Baseline>> words();
template <>
std::span<const Word<nn::Schedule::Shape>> words();

}  // namespace headlight
