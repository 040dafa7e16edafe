#include "core/model/architecture.h"

#include <algorithm>
#include <array>

namespace headlight {

namespace {

using Recurrent = RecurrentConfiguration;
using Transformer = TransformerConfiguration;

/// A capture-free function that a row's `apply` holds.
template <class Configuration>
using Apply = void (*)(Configuration&);

const Architecture architectures[] = {
    {HostType::gru, "gru", "encoder and decoder of gated recurrent units",
     Apply<Recurrent>([](Recurrent& c) { c.cell = nn::CellType::gru; })},
    {HostType::lstm, "lstm", "encoder and decoder of long short-term memories",
     Apply<Recurrent>([](Recurrent& c) { c.cell = nn::CellType::lstm; })},
    {HostType::rnn, "rnn", "encoder and decoder of plain recurrent cells",
     Apply<Recurrent>([](Recurrent& c) { c.cell = nn::CellType::rnn; })},
    {.type = HostType::gnmt,
     .word = "gnmt",
     .meaning = "long short-term memories in layers: the decoder’s first one asks, all are given the answer",
     .apply = Apply<Recurrent>([](Recurrent& c) {
         c.cell = nn::CellType::lstm;
         c.style = DecoderStyle::bahdanau;
     }),
     .layers = 3},
    {.type = HostType::pointer,
     .word = "pointer",
     .meaning = "a pointer network: its weights are its answer, which is made of words of its source",
     .apply = Apply<Recurrent>([](Recurrent& c) {
         c.cell = nn::CellType::lstm;
         c.style = DecoderStyle::luong;
         c.input_feeding = false;
         c.points = true;
     }),
     .points = true},
    {HostType::transformer, "transformer", "a Transformer encoder and decoder",
     Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::encoder_decoder; })},
    {HostType::gpt, "gpt", "a Transformer decoder alone, which reads source and target as one text",
     Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::decoder; })},
    {HostType::encoder, "encoder", "a Transformer encoder that says one label",
     Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::encoder; })},
    {.type = HostType::universal,
     .word = "universal",
     .meaning =
         "a Universal Transformer: one layer of an encoder and of a decoder, gone through several times",
     .apply = Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::encoder_decoder; }),
     .layers = 1,
     .turns = 4},
    {HostType::convolutional, "convolutional",
     "gated convolutions in place of self attention: each layer of the decoder looks at the source",
     Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::encoder_decoder;
         c.mixer = Mixer::convolution;
         c.feed_forward = 0;
     })},
};

}  // namespace

template <>
std::span<const Word<HostType>> words() {
    static const auto list = [] {
        std::array<Word<HostType>, std::size(architectures)> made{};
        for (std::size_t i = 0; i < made.size(); ++i)
            made[i] = {architectures[i].type, architectures[i].word, architectures[i].meaning};
        return made;
    }();
    return list;
}

const Architecture& architecture(HostType host) {
    return *std::ranges::find(architectures, host, &Architecture::type);
}

bool is_recurrent(HostType host) {
    return std::holds_alternative<Apply<Recurrent>>(architecture(host).apply);
}

}  // namespace headlight
