#pragma once

#include "core/model/attend.h"
#include "core/model/cache.h"
#include "core/model/common_settings.h"
#include "core/model/host.h"
#include "core/model/layer_spec.h"
#include "core/model/sequences.h"
#include "core/model/shared_keys.h"
#include "core/model/source_vectors.h"
#include "core/model/text_order.h"
#include "core/nn/graph_attention.h"
#include "core/nn/tape.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

enum class TransformerKind {
    encoder_decoder,  ///< reads a source and says a target                            (Vaswani et al. 2017)
    decoder,          ///< goes on with what it has read                               (Radford et al. 2018)
    encoder,          ///< reads a source and says one label                           (Devlin et al. 2019)
};
enum class NormPlacement {
    before,  ///< x + f(norm(x)), and a norm at the end                                (Xiong et al. 2020)
    after,   ///< norm(x + f(x))                                                       (Vaswani et al. 2017)
};
enum class PositionEncoding {
    sinusoidal,
    learned,
    rotary,
    alibi,
    distances,  ///< learned numbers for what a query has of a distance             (Dai et al. 2019, eq. 5)
    none,
};
/// By what a token learns of the others of its own sequence.
enum class Mixer {
    attention,
    convolution,  ///< of its neighbours, gated; a decoder then attends to its source alone
                  ///<                                                                (Gehring et al. 2017)
};

/// What an encoder makes of its tokens to say a label.
enum class Pooling {
    mean,
    attention,  ///< what a learned query is given when it asks them                     (Lee et al. 2019)
};

/// The first tokens of a source are a question about those behind it, the text.
struct AskedText {
    Index question = 0;  ///< tokens of the question
    /// By which each token of the text looks at those of the question, as its spec says and alone: what comes
    /// out stands for that token.
    AttentionSpec mechanism{};
    bool operator==(const AskedText&) const = default;
};

inline constexpr Index most_transformer_layers = 64;  ///< of a model that is read or trained
inline constexpr Index most_turns = 32, most_turned_layers = 128, widest_convolution = 64;
inline constexpr Index longest_segment = 4096;
inline constexpr Index most_heads = 64;  ///< that are offered
inline constexpr Index most_seeds = 64;

/// Layers that attend, or convolve, each over all tokens at once. `width` is d. The score is any but those
/// that remember the weights of the query before, in a decoder nor those that couple queries; the normaliser
/// any but those that couple queries. Cross attention that cannot have its layer's mechanism keeps score and
/// normaliser, and so does self attention where LayerSpec::where_possible says it.
struct TransformerConfiguration : CommonSettings {
    TransformerKind kind = TransformerKind::encoder_decoder;
    Index heads = 4;
    Index feed_forward = 512;                                    ///< 0: no layer has one
    std::vector<LayerSpec> encoder = std::vector<LayerSpec>(2);  ///< none are made of a decoder alone
    std::vector<LayerSpec> decoder = std::vector<LayerSpec>(2);  ///< nor here of an encoder alone
    /// How often a stack is gone through, with the same weights. Before each turn the waves of its number are
    /// added, and with sinusoidal places those of the places (Universal Transformer; Dehghani et al. 2019,
    /// section 2.1).
    Index turns = 1;
    Mixer mixer = Mixer::attention;
    Index reach =
        3;  ///< of a convolution: how many tokens, itself among them; a decoder's are those before it
    /// How many tokens of its own text a decoder reads at a time: each sees those of its segment and, as they
    /// were, without a gradient, those of the segment before (Transformer-XL; Dai et al. 2019, section 3.2).
    /// 0: the whole text is one.
    Index segment = 0;
    /// A decoder alone may have it: it learns its texts in orders that are drawn, and guesses a word at any
    /// place. Each layer has two streams with the same weights: the contents, which know their own words, and
    /// the queries, which begin as one learned vector at the place that is asked for, look at the contents of
    /// earlier turns alone, and are what a word is said by. It writes in the order of the text (XLNet; Yang
    /// et al. 2019, section 2.3).
    bool two_streams = false;
    Pooling pooling = Pooling::mean;
    /// Learned queries of Pooling::attention; more than one only with a mechanism, in which they meet.
    Index seeds = 1;
    /// What pools by its program, as its spec says and alone: the mean over the tokens is that of its output,
    /// which knows all of them; with Pooling::attention the seeds ask by it, and the mean is theirs.
    std::optional<AttentionSpec> pooling_mechanism{};
    /// Behind the layers of an encoder that is asked for a label: its text is pooled without the question.
    std::optional<AskedText> asked_text{};
    NormPlacement norm = NormPlacement::before;
    PositionEncoding places = PositionEncoding::sinusoidal;
    double dropout = 0;

    bool has_encoder() const { return kind != TransformerKind::decoder; }
    bool has_decoder() const { return kind != TransformerKind::encoder; }
    /// Each layer that there is has this mechanism, at every site that can have it.
    void set_mechanism(const AttentionSpec& mechanism);
    /// That; null where there is none, or layers list their own.
    const AttentionSpec* mechanism() const;
    /// What a site without a mechanism does, as one, without its mask and its places.
    AttentionSpec plain_attention() const;
};

class TransformerModel {
public:
    explicit TransformerModel(const TransformerConfiguration& configuration);

    const TransformerConfiguration& configuration() const { return configuration_; }
    const nn::ParameterLayout& layout() const { return layout_; }
    std::vector<SiteDescription> sites() const;
    MostTokens most_tokens() const;

    /// Keys and values of one site, of tokens that it is given: [m b, d] each.
    template <class Real>
    struct KeysAndValues {
        nn::Variable<Real> key;
        nn::Variable<Real> value;
    };
    /// Those of a source, which does not grow: what the score makes of its keys is worked out once.
    template <class Real>
    struct Source {
        nn::ScoreKeys<Real> keys;
        nn::Variable<Real> value;
    };
    /// What decoding starts from and goes on with: a cache for each layer, which grows, what its cross
    /// attention looks at, which does not, and what their attention carries from query to query.
    template <class Real>
    struct Memory {
        std::shared_ptr<std::vector<LayerCache<Real>>> own;  ///< which a copy shares
        std::vector<Source<Real>> source;
        std::vector<nn::Variable<Real>> own_stopped, source_stopped;  ///< NormalizerState::stopped
        /// What each layer was given of the segment so far, where the tape differentiates: the next segment
        /// makes keys and values of it again.
        std::vector<nn::Variable<Real>> given;
        std::span<const Index> source_lengths;
        Index places = 0;  ///< tokens read so far
    };
    /// Reads the source: [m b, d]. `stream` decides what dropout drops.
    template <class Real>
    nn::Variable<Real> encode(nn::Tape<Real>& tape, const Sequences& source, std::uint64_t stream = 0,
                              Hook<Real>* hook = nullptr) const;
    template <class Real>
    Memory<Real> remember(nn::Tape<Real>& tape, nn::Variable<Real> encoded, const Sequences& source) const;
    /// Reads `tokens`, n of each sequence, after those that `memory` holds, and adds them to it: [n b, d].
    template <class Real>
    nn::Variable<Real> decode(nn::Tape<Real>& tape, Memory<Real>& memory, const Sequences& tokens,
                              std::uint64_t stream = 0, Hook<Real>* hook = nullptr) const;
    /// The same of two streams in another order than that of the text: what says the word behind each token.
    /// `places` are those of the tokens, and from the second step on of what is guessed: [(n + 1) b].
    template <class Real>
    nn::Variable<Real> decode_in_order(nn::Tape<Real>& tape, Memory<Real>& memory, const Sequences& tokens,
                                       std::span<const Index> places, std::uint64_t stream = 0,
                                       Hook<Real>* hook = nullptr) const;
    /// [n b, d] -> [n b, target vocabulary]; encoder: of what pooling makes of each sequence, [b, labels].
    template <class Real>
    nn::Variable<Real> logits(nn::Tape<Real>& tape, nn::Variable<Real> decoded) const;
    template <class Real>
    nn::Variable<Real> label_logits(nn::Tape<Real>& tape, nn::Variable<Real> encoded, const Sequences& source,
                                    std::uint64_t stream = 0, Hook<Real>* hook = nullptr) const;

    /// The cross-entropy of the labels, summed and divided. Two streams draw an order for each text.
    template <class Real>
    nn::Variable<Real> loss(nn::Tape<Real>& tape, const Batch& batch, Real divisor,
                            std::uint64_t stream = 0) const;
    /// That of two streams, in these orders.
    template <class Real>
    nn::Variable<Real> loss_in_order(nn::Tape<Real>& tape, const OrderedTexts& texts, Real divisor,
                                     std::uint64_t stream = 0) const;

private:
    struct Norm {
        nn::Weight gain, bias;
    };
    struct Site {
        std::string name;
        Norm norm;
        nn::Weight query, query_bias, key, key_bias, value, value_bias, output, output_bias;
        Attention attention;
        std::shared_ptr<const nn::GraphAttention> graph;  ///< in place of all that; null without a mechanism
        nn::NamedWeights graph_weights;
        std::string keys_of;  ///< SiteDescription::keys_of
        /// With PositionEncoding::distances: W_r, u and v.
        nn::Weight distances, of_contents, of_distances;
    };
    struct FeedForward {
        Norm norm;
        nn::Weight first, first_bias, second, second_bias;
    };
    struct Convolution {
        Norm norm;
        nn::Weight matrix, bias;  ///< [reach d, 2 d]: what is said, and its gates
    };
    struct Layer {
        Site self;
        Site query;               ///< of two streams: `self` under another name, asked by the queries
        Convolution convolution;  ///< in place of `self`
        Site cross;               ///< of a decoder with a source
        FeedForward feed_forward;
        std::optional<std::size_t> shares;  ///< the layer whose keys and values `self` attends to
    };
    /// The mechanisms of a layer; null where it has none, or where its own cannot be.
    struct LayerGraphs {
        std::shared_ptr<const nn::GraphAttention> self, cross;
        std::optional<std::size_t> shares;
    };
    struct ModelGraphs {
        std::vector<LayerGraphs> encoder, decoder;
    };
    template <class Real>
    struct Call;

    bool convolves() const { return configuration_.mixer == Mixer::convolution; }
    bool asks_for_label() const { return configuration_.pooling == Pooling::attention; }
    Norm add_norm(const std::string& name);
    /// `maker` is the site whose keys and values it attends to; null where it has its own.
    Site add_site(const std::string& name, std::shared_ptr<const nn::GraphAttention> graph,
                  const Site* maker = nullptr);
    ModelGraphs make_graphs() const;
    Layer add_layer(const std::string& side, const std::vector<Layer>& before, const LayerGraphs& graphs,
                    bool has_cross);
    FeedForward add_feed_forward(const std::string& name);
    void add_pooling();
    void add_pooling_mechanism();
    /// What stands alone behind an encoder: no norm before it, nothing that it is added to, no layer behind
    /// it. `field` is the configuration's.
    Site add_lone_site(const std::string& name, const AttentionSpec& spec, const nn::GraphSite& place,
                       const char* field);
    void add_turns(std::vector<Layer>& layers) const;
    SiteDescription describe(const Site& site) const;
    /// The mask of a decoder's own text, all segments at once.
    Mask within_segments(const Mask& mask) const;
    /// Reads tokens of one segment, the first of them at Call::first.
    template <class Real>
    nn::Variable<Real> decode_segment(Call<Real>& call, Memory<Real>& memory, const Sequences& tokens) const;
    template <class Real>
    void forget_gradients(Call<Real>& call, Memory<Real>& memory) const;
    template <class Real>
    nn::Variable<Real> embed(nn::Tape<Real>& tape, nn::Weight embedding, const Sequences& tokens,
                             Index first) const;
    /// The vectors of words, [r, d], at a place for each, which a table has learned or waves tell.
    template <class Real>
    nn::Variable<Real> at_places(nn::Tape<Real>& tape, nn::Variable<Real> words, nn::Weight table,
                                 std::span<const Index> places) const;
    /// What a label is made of: the text without its question, where it has one. Throws Error where nothing
    /// is left.
    Sequences pooled(const Sequences& source) const;
    template <class Real>
    nn::Variable<Real> text_with_question(Call<Real>& call, nn::Variable<Real> encoded,
                                          const Sequences& source) const;
    template <class Real>
    nn::Variable<Real> mean_of_tokens(nn::Tape<Real>& tape, nn::Variable<Real> encoded,
                                      const Sequences& source) const;
    template <class Real>
    nn::Variable<Real> asked_of_tokens(Call<Real>& call, nn::Variable<Real> encoded,
                                       const Sequences& source) const;

    TransformerConfiguration configuration_;
    nn::ParameterLayout layout_;
    std::vector<double> turn_waves_;  ///< [turn, width], what each token is given before a turn
    nn::Weight source_embedding_, target_embedding_, source_places_, target_places_;
    nn::Weight guess_;  ///< what the query stream begins as, whatever its place
    std::vector<Layer> encoder_, decoder_;
    Norm encoder_norm_, decoder_norm_;
    nn::Weight seed_;  ///< the learned queries of Pooling::attention
    /// `cross` is what they ask by; `self` a mechanism that pools the tokens themselves, or by which a text
    /// looks at its question.
    Layer pooling_;
    nn::Weight output_, output_bias_;
};

}  // namespace headlight
