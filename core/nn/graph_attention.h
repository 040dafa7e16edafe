#pragma once

#include "core/attention/spec.h"
#include "core/nn/named_weights.h"
#include "core/nn/tape.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headlight::nn {

/// Where a mechanism attends in a model.
struct GraphSite {
    Index width = 0;                    ///< d of its token vectors
    Index queries = 0, keys = 0;        ///< of the longest sequences
    bool has_separate_queries = false;  ///< a decoder's: what a query gets depends on no query after it
    bool has_lone_queries = false;      ///< asked one at a time: ... nor on those before, nor on its place
    Index key_width = 0;                ///< of the keys, where it is another; else 0
    /// Key tokens beside those of the queries are of the same sequence, as many at the same places, and what
    /// a query must not depend on are those behind it as well.
    bool is_one_sequence = false;

    Index width_of_keys() const { return key_width > 0 ? key_width : width; }
};

/// What it attends with in one call. Sequences lie side by side, as in Pairing.
template <class Real>
struct GraphOperands {
    Index batch = 1;
    Variable<Real> query;                  ///< [n b, d], the token vectors
    Variable<Real> key;                    ///< [m b, d]; none in self attention
    std::span<const Index> query_lengths;  ///< [b]; empty: all n
    std::span<const Index> key_lengths;    ///< [b]; empty: all m
    Index first = 0;                       ///< the first query whose output is wanted
};

/// While it lasts, attentions on its thread look for the first line of a typed formula that makes a number
/// which is not finite of numbers that are. They are the innermost's.
class InfiniteLine {
public:
    InfiniteLine() : before_(asked_) { asked_ = this; }
    ~InfiniteLine() { asked_ = before_; }
    InfiniteLine(const InfiniteLine&) = delete;
    InfiniteLine& operator=(const InfiniteLine&) = delete;

    /// As infinite_first() says it; empty where none was found.
    const std::string& causes() const { return causes_; }

private:
    friend class GraphAttention;
    static inline thread_local InfiniteLine* asked_ = nullptr;
    InfiniteLine* before_;
    std::string causes_;
};

/// Attention of any mechanism, differentiated by its program (core/attention/trace_program.h): whatever the
/// engine can write down as a program with a gradient can learn, without an operation of its own on the tape.
///
/// The graph of a program is made once for each number of queries and keys, and shared by threads. Each
/// sequence of a batch is computed for itself, at its own length. Numbers pass through a graph in double,
/// also where the tape has floats. What is drawn but not learned, noise and hashes, is drawn once, from
/// draws(): a model reads as it has learned.
class GraphAttention {
public:
    /// Throws Error where the mechanism cannot be computed for sequences of 1 to `site` tokens; where its
    /// weights, or without weights its output, change only by leaps with its token vectors, naming the
    /// operation that leaps; and where a query looks at later ones, or at any others, and must not.
    GraphAttention(const AttentionSpec& spec, const GraphSite& site);
    ~GraphAttention();

    const AttentionSpec& spec() const;
    /// Those of the longest sequences.
    const std::vector<ParameterInfo>& parameters() const;
    Index output_width() const;
    /// Parameters that get no gradient and stay as they were drawn, each with the reason.
    const std::vector<std::string>& unlearned() const;
    /// What the trace of a site draws from, SiteCall::stream.
    static std::uint64_t draws();

    /// Adds PREFIX + NAME to the layout for each parameter that the engine has, but those that are among
    /// `tied`: they are these weights, to which gradients of several layers then add up.
    NamedWeights add_parameters(ParameterLayout& layout, const std::string& prefix,
                                const NamedWeights& tied = {}) const;

    /// [(n - first) b, d_out]; zeros behind the end of a sequence. `weights` must live as long as what is on
    /// the tape. Where `maps` is not null it becomes the weights, [b h (n - first), m], without a gradient;
    /// of a mechanism that has none it becomes nothing.
    template <class Real>
    Variable<Real> attend(Tape<Real>& tape, const GraphOperands<Real>& operands, const NamedWeights& weights,
                          Variable<Real>* maps = nullptr) const;

private:
    class Programs;
    std::unique_ptr<Programs> programs_;
};

}  // namespace headlight::nn
