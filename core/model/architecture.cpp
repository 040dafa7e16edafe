#include "core/model/architecture.h"

#include "core/catalog/mechanism.h"
#include "core/model/sentence_layers.h"
#include "core/model/tasks/task.h"
#include "core/model/triangle_layers.h"

#include <algorithm>
#include <array>

namespace headlight {

namespace {

using Recurrent = RecurrentConfiguration;
using Transformer = TransformerConfiguration;

/// A capture-free function that a row's `apply` holds.
template <class Configuration>
using Apply = void (*)(Configuration&);

constexpr Index usual_slots = 8;

/// Triangle attention as in the paper, with heads and a gate (Jumper et al. 2021, algorithms 13 and 14).
AttentionSpec triangles_around(const char* node, Index heads) {
    AttentionSpec spec = build_spec(mechanism("triangle"), {});
    spec.algorithm.options["node"] = std::string(node);
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = heads, .gate = Gate::elementwise};
    return spec;
}

const TaskNeed no_order{[](const Task& task) { return task.reads_set; },
                        "its answers change with the order of the source"};

const Architecture architectures[] = {
    {.type = HostType::gru,
     .word = "gru",
     .meaning = "encoder and decoder of gated recurrent units",
     .apply = Apply<Recurrent>([](Recurrent& c) { c.cell = nn::CellType::gru; })},
    {.type = HostType::lstm,
     .word = "lstm",
     .meaning = "encoder and decoder of long short-term memories",
     .apply = Apply<Recurrent>([](Recurrent& c) { c.cell = nn::CellType::lstm; })},
    {.type = HostType::rnn,
     .word = "rnn",
     .meaning = "encoder and decoder of plain recurrent cells",
     .apply = Apply<Recurrent>([](Recurrent& c) { c.cell = nn::CellType::rnn; })},
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
     .need = TaskNeed{[](const Task& task) { return task.quotes_source; },
                      "its answers are not made of words of the source"}},
    {.type = HostType::transformer,
     .word = "transformer",
     .meaning = "a Transformer encoder and decoder",
     .apply = Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::encoder_decoder; })},
    {.type = HostType::gpt,
     .word = "gpt",
     .meaning = "a Transformer decoder alone, which reads source and target as one text",
     .apply = Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::decoder; })},
    {.type = HostType::xl,
     .word = "xl",
     .meaning = "a Transformer-XL: a decoder alone that reads in segments, and remembers the one before",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::decoder;
         c.places = PositionEncoding::distances;
     }),
     .segment = 16},
    {.type = HostType::two_stream,
     .word = "two_stream",
     .meaning =
         "an XLNet: a decoder alone that learns words in orders that are drawn, and guesses each from a "
         "second stream that knows its place and not the word",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::decoder;
         c.places = PositionEncoding::sinusoidal;
         c.two_streams = true;
     })},
    {.type = HostType::encoder,
     .word = "encoder",
     .meaning = "a Transformer encoder that says one label",
     .apply = Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::encoder; })},
    {.type = HostType::set,
     .word = "set",
     .meaning = "a Set Transformer: an encoder without places, of which a learned query asks one label",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::encoder;
         c.places = PositionEncoding::none;
         c.norm = NormPlacement::after;
         c.pooling = Pooling::attention;
     }),
     .need = no_order},
    {.type = HostType::slot_attention,
     .word = "slots",
     .meaning = "slot attention: an encoder without places, for whose tokens learned slots compete, round by "
                "round, before they say one label",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::encoder;
         c.places = PositionEncoding::none;
         c.pooling = Pooling::attention;
         c.seeds = usual_slots;
         c.pooling_mechanism = build_spec(mechanism("slot_attention"), {});
         c.pooling_mechanism->projections.type = ProjectionType::learned;
     }),
     .layers = 1,
     .need = no_order},
    {.type = HostType::hierarchical,
     .word = "hierarchical",
     .meaning = "a hierarchical attention network: words look about in their sentence alone, are weighed in "
                "it, and sentences in the text, for one label",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::encoder;
         c.pooling_mechanism = build_spec(mechanism("hierarchical_pooling"), {});
     }),
     .layers = 1,
     .need = TaskNeed{[](const Task& task) { return task.sentence > 0 && task.question == 0; },
                      "its source is not made of sentences of one length"},
     .read_task = [](Transformer& c,
                     const Task& task) { keep_to_sentences(c, task.sentence, task.longest_source); }},
    {.type = HostType::coattention,
     .word = "coattention",
     .meaning = "a question and a text, each read for itself, then together by co-attention; a learned query "
                "asks the text for one label",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::encoder;
         c.pooling = Pooling::attention;
         c.asked_text = AskedText{1, build_spec(mechanism("co_attention"), {})};
     }),
     .need =
         TaskNeed{[](const Task& task) { return task.question > 0; }, "its source begins with no question"},
     .read_task =
         [](Transformer& c, const Task& task) {
             keep_question_apart(c, task.question, task.sentence, task.longest_source);
         }},
    {.type = HostType::triangles,
     .word = "triangles",
     .meaning = "an encoder of pairs without places, in whose layers the third side of each triangle has a "
                "say, around one node and around the other; a learned query asks them for one label",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::encoder;
         c.places = PositionEncoding::none;
         c.pooling = Pooling::attention;
         for (std::size_t i = 0; i < c.encoder.size(); ++i)
             c.encoder[i] = {.mechanism = triangles_around(i % 2 == 0 ? "starting" : "ending", c.heads)};
     }),
     .layers = 4,
     .need = TaskNeed{[](const Task& task) { return task.points > 0; },
                      "its source is not made of pairs of points"},
     .read_task = [](Transformer& c, const Task& task) { read_pairs_of(c, task.points); }},
    {.type = HostType::vision,
     .word = "vit",
     .meaning = "a Vision Transformer: an encoder of the patches of a picture, each with a learned place; a "
                "class token looks at them for one label",
     .apply = Apply<Transformer>([](Transformer& c) {
         c.kind = TransformerKind::encoder;
         c.places = PositionEncoding::learned;
         c.pooling = Pooling::attention;
     }),
     .layers = 2,
     .need = TaskNeed{[](const Task& task) { return bool(task.sight); }, "its source is no picture"},
     .read_task = [](Transformer& c, const Task& task) { c.longest = task.sight.grid.count(); }},
    {.type = HostType::universal,
     .word = "universal",
     .meaning =
         "a Universal Transformer: one layer of an encoder and of a decoder, gone through several times",
     .apply = Apply<Transformer>([](Transformer& c) { c.kind = TransformerKind::encoder_decoder; }),
     .layers = 1,
     .turns = 4},
    {.type = HostType::convolutional,
     .word = "convolutional",
     .meaning =
         "gated convolutions in place of self attention: each layer of the decoder looks at the source",
     .apply = Apply<Transformer>([](Transformer& c) {
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

ModelSpec Architecture::spec() const {
    return std::visit(
        []<class Configuration>(Apply<Configuration> configures) -> ModelSpec {
            Configuration made;
            configures(made);
            return made;
        },
        apply);
}

bool is_recurrent(HostType host) { return architecture(host).spec().is_recurrent(); }

bool is_transformer(HostType host) { return !is_recurrent(host); }

bool can_copy(HostType host) { return is_recurrent(host) && !architecture(host).spec().points(); }

bool lists_layers(HostType host) {
    const ModelSpec spec = architecture(host).spec();
    return spec.attends_to_itself() && !spec.reads_in_any_order();
}

bool can_have_segments(HostType host) {
    return lists_layers(host) && !architecture(host).spec().says_label();
}

std::string hosts_in_words(bool (*are_so)(HostType)) {
    std::vector<std::string> hosts;
    for (const Word<HostType>& word : words<HostType>())
        if (are_so(word.value))
            hosts.emplace_back(word.word);
    return list_in_words(hosts, "or");
}

}  // namespace headlight
