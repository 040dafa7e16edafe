#pragma once

#include "core/attention/plan.h"
#include "core/attention/trace.h"
#include "core/io/compared_run.h"
#include "core/io/headvis_tree.h"
#include "core/io/session.h"
#include "core/model/generator.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headlight {

/// The other order of mask and scale, compared with the one that ran (catalogue 0.3).
struct OrderDifference {
    double largest = 0;  ///< largest change of one weight
    Index head = 0, query = 0, key = 0;
};

/// A finished run: immutable, shared by every view.
struct Run {
    std::shared_ptr<const Session> session;
    std::shared_ptr<const Plan> plan;  ///< null where the numbers were captured: nothing ran here
    /// The trace of the plan, and the weights of the compared mechanisms, each at the site of its name.
    std::shared_ptr<const Trace> trace;
    /// What a model said, where one runs in place of a mechanism: the trace then has its sites alone, and
    /// the plan is that of the leading one. Null for a mechanism.
    std::shared_ptr<const Transcript> transcript;
    /// What this is compared with, map by map: the session's counterpart, or what the model would do in the
    /// same steps without what a person changed inside. Null without either.
    std::shared_ptr<const Trace> untouched;
    std::shared_ptr<const Trace> before{};  ///< SessionRun::before
    std::optional<HeadVisTree> tree;        ///< around the captured head: the others can be chosen
    std::string reading{};                  ///< of a capture: what was made of its file (Capture::reading)
    /// Where a capture opens: opening_query() of its first site.
    Index opening_query = 0;
    Comparison comparison;  ///< the session's own mechanism first; empty when nothing is compared
    /// Only for a finite mask value: with minus infinity both orders give the same weights.
    std::optional<OrderDifference> order_difference;
    double milliseconds = 0;
    std::string random_weights{};  ///< what a picture has to say of them (drawn_weights.h)

    /// What the numbers at a site are explained by: the plan that ran, and its trace, in which they stand at
    /// no site.
    struct Explained {
        std::shared_ptr<const Plan> plan;
        std::shared_ptr<const Trace> trace;
    };
    /// A mechanism's own, of a model those of the site. Null where nothing attends at the site, and for
    /// numbers that were captured.
    Explained explained_at(std::string_view site) const;

    /// The session's mechanism ran: other sites than its own are those of compared mechanisms. Else they are
    /// places of one model.
    bool is_of_mechanism() const { return plan && !transcript; }
};

/// Sequences longer than this are refused here.
inline constexpr Index longest_sequence = 32'768;
/// Pairs of query and key of which every stage is kept for every head, and still fluid to look at. Of more
/// the rows are, and mechanisms that cannot do with these are refused.
inline constexpr Index most_pairs = Index(1024) * 1024;
/// Bytes of a text that is split into tokens to be counted; a book is refused before.
inline constexpr std::size_t longest_text = 1 << 20;

/// Throws Error naming the sequence when it is longer than `most` tokens.
void require_length(const std::string& sequence, Index tokens, Index most = longest_sequence);

/// A session that is known to run.
struct PreparedRun {
    std::shared_ptr<const Plan> plan;
    Comparison comparison;
    std::shared_ptr<const Plan> counterpart;  ///< null without one
};

/// Splitting, looking up and checking `session`. Throws Error for what cannot run.
PreparedRun prepare_run(const Session& session);

/// What a prepared run will take, counted from its plans before anything of it is computed.
struct RunEstimate {
    double seconds = 0;  ///< on an ordinary machine of two cores: the right order of magnitude
    double bytes = 0;
};
RunEstimate estimate_of(const PreparedRun& prepared);

/// Runs what was prepared of `session` with every stage recorded; `progress` is told of long runs what share
/// is done, on any thread. Throws Interrupted under an Interruption.
std::shared_ptr<const Run> finish_run(std::shared_ptr<const Session> session, PreparedRun prepared,
                                      const std::function<void(double share)>& progress = {});

/// A model that stays loaded between runs, with what it has said. Used on one thread at a time.
struct OpenModel {
    std::string name;
    std::unique_ptr<Generator> generator;
};

/// The session's model, and the one of its counterpart.
struct OpenModels {
    OpenModel own, other;
};

/// What the session's model takes to generate, and its counterpart, at most: counted before the first step.
/// `open` are those of the last run, or become others. Throws Error.
RunEstimate estimate_of(const Session& session, OpenModels& open);

/// Lets the session's model generate, and its counterpart, as estimate_of() has them open; `progress` is told
/// before each step what share of as many as there can be is done. Throws Error, and returns null when
/// `cancelled`.
std::shared_ptr<const Run> generate_run(const std::shared_ptr<const Session>& session, OpenModels& open,
                                        const std::function<bool()>& cancelled = {},
                                        const std::function<void(double share)>& progress = {});

/// What the session's capture holds. Throws Error, and Interrupted under an Interruption.
std::shared_ptr<const Run> captured_run(std::shared_ptr<const Session> session);

/// Whether the two differ at most in how their run is drawn and looked at.
bool same_run(const Session& a, const Session& b);

}  // namespace headlight
