#pragma once

#include "core/attention/allowed_pairs.h"
#include "core/attention/given_rows.h"
#include "core/attention/inputs.h"
#include "core/attention/parameters.h"
#include "core/attention/trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace headlight {

/// What stays readable after a run.
enum class Keeps {
    output,   ///< Executor::Weights::discard
    rows,     ///< every stage, maps only as what their rows follow from: record_lazy()
    weights,  ///< Executor::Weights::keep
    trace,    ///< every stage: record()
};

struct PlanOptions {
    std::uint64_t seed = 0;  ///< draws the parameters that are not given, and the keys of hard sampling
    /// The run that the plan is for, which has to fit into memory_limit().
    Keeps keeps = Keeps::trace;
    /// Rows that the run goes on with in place of its own; none when null.
    std::shared_ptr<const GivenRows> given{};
};

/// A spec that is known to run on these inputs: every shape checked, every parameter present, the mask worked
/// out. Making a plan can fail; running one cannot.
struct Plan {
    AttentionSpec spec;  ///< with every option that it left out
    Inputs inputs;       ///< what the source reads of those given (inputs_for); `parameters` completed
    std::uint64_t seed = 0;
    Keeps keeps = Keeps::trace;  ///< what its memory was checked for
    std::vector<ParameterInfo> parameters;

    TokenDimensions tokens;  ///< of the token vectors, before any projection
    Index heads = 1;
    Index kv_heads = 1;         ///< of keys and values; divides heads
    Index queries = 0;          ///< n
    Index keys = 0;             ///< m
    Index query_width = 0;      ///< of q over all heads
    Index key_width = 0;        ///< of k over all kv heads
    Index value_width = 0;      ///< of v over all kv heads
    Index output_width = 0;     ///< d_out
    Index attention_width = 0;  ///< d_a of concat and additive, else 0
    Index head_query_width() const { return query_width / heads; }
    Index head_key_width() const { return key_width / kv_heads; }
    Index head_value_width() const { return value_width / kv_heads; }
    Index context_width() const { return heads * head_value_width(); }
    /// The head of keys and values that a query head reads.
    Index kv_head(Index head) const { return head / (heads / kv_heads); }

    std::shared_ptr<const GivenRows> given;  ///< PlanOptions::given

    /// The number that scaled_scores are scores times of: 1/sqrt(d_k), g, or 1.
    double scale = 1;
    AllowedPairs allowed;  ///< of those that the mask allows, the ones that a cache has not dropped

    const Tensor& parameter(const std::string& name) const { return inputs.parameters.at(name); }

    // What the components of the spec's parts are set to: plan.algorithm().count("block").
    const Options& score() const { return spec.score.options; }
    const Options& position() const { return spec.position.options; }
    const Options& selection() const { return spec.selection.options; }
    const Options& normalizer() const { return spec.normalizer.options; }
    const Options& algorithm() const { return spec.algorithm.options; }
};

/// The mask allows the pair, but a cache keeps newer keys alone.
bool is_dropped(const Plan& plan, Index query, Index key);

/// The extents alone, without tokens, parameters or mask: what parameters are asked for.
Plan plan_extents(const AttentionSpec& spec, const TokenDimensions& tokens,
                  const std::map<std::string, Tensor>& given);

/// What plan() checks of the parts of `spec` against each other and against its mask, for so many tokens of
/// such widths. No parameter is drawn, which takes too long while a person waits. Throws Error as plan()
/// does.
void check_parts(const AttentionSpec& spec, const TokenDimensions& tokens);

/// The extents, the mask and the shapes of the parameters that plan() knows of these inputs, none of them
/// drawn: nothing that can run, but an outline of it can be written (trace_program.h). Parameters that are
/// given are left out, and Plan::scale is not known. Throws Error as check_parts() does.
Plan undrawn_plan(const AttentionSpec& spec, const Inputs& given);

/// Checks `spec` against the inputs and throws Error{operation, where, expected, got} on the first thing that
/// cannot work: no tokens, NaN, unknown parameter, widths that do not fit, heads that do not divide, more
/// memory than memory_limit() (run_memory.h), a mask of another shape. NaN in a key that nobody may look at
/// (padding) is accepted, for padding is never read.
Plan plan(const AttentionSpec& spec, const Inputs& given, const PlanOptions& options = {});

}  // namespace headlight
