#pragma once

#include "core/attention/composer.h"
#include "core/attention/declared_stage.h"
#include "core/attention/options.h"
#include "core/attention/refusals.h"

#include <optional>
#include <string>

namespace headlight {

// What definitions of algorithms share, each of which assigns its weights as `weights` and returns its
// contexts [h, n, d_v].

/// A logarithm whose power is 0 for a double. Sums of larger ones would lose the digits of small ones.
constexpr double log_of_nothing = -746;

// Pairs of tokens of the keys or, with `per_token`, of so many writes of each, all in their order: [m, m].
/// Pairs of a token and itself or one before it.
Expression pairs_not_later(Composer& composer, Index per_token = 1);
/// Pairs of a token and one before it.
Expression pairs_with_earlier(Composer& composer, Index per_token = 1);
/// Pairs of a token and itself.
Expression pairs_with_itself(Composer& composer, Index per_token = 1);

/// Numbers [h, rows, columns] added up over the heads, [rows, columns].
Expression sum_of_heads(Composer& composer, const Expression& x);

/// Assigns `scores`, the products of queries and keys over √d_k.
Expression write_scaled_products(Composer& composer);
/// Their stage.
DeclaredStage declared_scores_stage();
/// The stage of `scores` that are made otherwise.
DeclaredStage declared_scores_stage(StageOrigin origin, StageTraits rest = {});
/// The stage of `weights` that are the softmax of `scores`.
DeclaredStage declared_weights_stage();
/// The stage of `weights`, what all keys get of each query in the end.
DeclaredStage declared_weights_stage(StageOrigin origin, StageTraits rest = {});
/// The stage `name` of what softmax_of() makes of the stage `scores`.
DeclaredStage declared_softmax_stage(const std::string& scores, std::string name, std::string title,
                                     std::string subtitle, StageTraits rest = {});
/// The stage of `attended`, weights times values, where a context is made of these.
DeclaredStage declared_attended_stage();
/// The stage of `context`, in the features of the values, where it is made otherwise than the next.
DeclaredStage declared_own_context_stage(StageOrigin origin, StageTraits rest = {});
/// The stage of a `context` that is made of the weights and the stage `values`.
DeclaredStage declared_context_stage(const std::string& values, const std::string& subtitle = {},
                                     const std::string& operation = "=");

/// 1 on the diagonal and 0 beside it, [size, size].
Expression unit_matrix(Composer& composer, Index size, const std::string& name = "identity");
/// √d_k
Expression root_of_head_width(const Composer& composer);
/// q · k / √d_k of each row of `query` and each of `key`.
Expression scaled_products(const Composer& composer, const Expression& query, const Expression& key);
/// elu(x) + 1, above 0 everywhere (Katharopoulos et al. 2020).
Expression positive_features(const Expression& x);
/// A parameter [rows, h_kv d], or [h_kv], of the heads of keys and values, for each head that reads one.
Expression parameter_of_key_heads(Composer& composer, const std::string& name);
/// y W_NAME + b_NAME of the tokens of the keys, [h, m, numbers of a head].
Expression numbers_of_tokens(Composer& composer, const std::string& name);
/// 1 / √d_k where the algorithm's option "scaled" says so, else 1.
Expression scale_of_queries(const Composer& composer);
/// The last key that the query sees: 0 where it sees none.
Index newest_key(const Plan& plan, Index query);
/// What the values are made of, [m, d]: tokens of their own where these are given apart, else those of the
/// keys.
Expression value_tokens_of(const Composer& composer);
/// Returns, of rows of the keys, for each query that of the newest key that it sees, or of the one so many
/// keys before; the first, where there is none.
Expression rows_of_newest_keys(const Composer& composer, const Expression& rows, Index before = 0);
/// Assigns the weights [h, 1, m] of a query that sees no key, where rows are made one after another.
Expression write_no_weights(Composer& composer);
/// Assigns `least_kept` [h, n, 1], the smallest of the `count` largest numbers of each row.
Expression write_least_kept(Composer& composer, const Expression& numbers, Index count,
                            const std::string& note = "the smallest that is kept");
/// `row` [h, 1, cells] as one of all keys.
Expression with_unseen_keys(Composer& composer, const std::string& suffix, const Expression& row);
/// `x` [.., m, ..] with 0, or another number, in the rows of keys that no query sees: they are padding, which
/// may hold anything.
Expression of_seen_keys(Composer& composer, const Expression& x, double otherwise = 0);
/// Returns in each row the sum of the rows up to it, feature by feature.
Expression summed_so_far(const Expression& rows);
/// What gates leave between two tokens, by their logarithms added up to each; e or less where `reader` is the
/// earlier one.
Expression left_between(const Expression& reader, const Expression& written);
/// `scores` [.., m] with minus infinity in the place of padding. All queries see the same keys.
Expression scores_of_real_keys(Composer& composer, const Expression& scores);
/// Means of neighbouring rows, [count, rows], of the first `size` rows.
Expression means_of_segments(Composer& composer, const std::string& name, Index count, Index size,
                             Index rows);

/// What the spec's selection leaves of final scores [h, n, m], which have a name where it has one.
Expression scores_of_kept_keys(Composer& composer, const Expression& scores);
/// Weights of final scores [h, n, any number] by the spec's normaliser, as the tensor `name`; of an algorithm
/// that takes_normalizer. `suffix` follows what else is assigned, where there are several maps; `leaves_out`
/// says that scores are minus infinity in other places than the mask makes them. Maps of another number
/// `map` have draws of their own.
Expression normalized_of(Composer& composer, const std::string& name, const Expression& scores,
                         const std::string& suffix = {}, bool leaves_out = false, Index map = 0);

/// The name of a line whose numbers the kernel records as `stage`, but of padding, or of exponents that it
/// shifts otherwise: the stage's where the run is that of the definition, so that it is recorded there too,
/// else `line`.
std::string recorded_as(const Composer& composer, const char* stage, const char* line);

/// Returns weights [h, n, m] times values, as `context`.
Expression write_attended_values(Composer& composer, const Expression& weights);
/// Divides the numbers [h, n, m] of pairs that may meet by the sum of their row, and attends by these shares.
/// Assigns both, under these names.
Expression write_shares(Composer& composer, const Expression& kernel,
                        const std::string& name = "kernel_values", const std::string& sum = "kernel_sum");
/// The same of a mixer that keeps a state: as its stages `similarities` and `row_sum`.
Expression write_shares_of_similarities(Composer& composer, const Expression& kernel);
/// Assigns, as the tensor `name`, the logarithms [h, m, 1 or d] of gates, added up over the tokens. A gate of
/// 0 has a logarithm without end, and the difference of two such is no number: none is below `least`.
Expression write_summed_gates(Composer& composer, const std::string& name, const Expression& log_gates,
                              const Expression& least = log_of_nothing);
/// What numbers [h, n, m] of pairs are divided by that are above 0 wherever a query sees a key: the sum of
/// the row, 1 where it sees none. Another sum of 0 has vanished, and shares of it are no numbers.
Expression sum_of_positive_row(Composer& composer, const Expression& numbers);
/// Attends by products of queries and keys, each key faded by the logarithms [h, m, 1 or d] of the gates
/// after it.
Expression write_gated_products(Composer& composer, const std::optional<Expression>& log_gates,
                                const Expression& keys);

// Stages of maps that fade by gates; `lights` is that of the stage.

/// The stage of `cumulative_gates`, the sums of the stage `log_gates`.
DeclaredStage declared_cumulative_gates_stage(const StageOperand& log_gates, const std::string& lights);
/// The stage of `decay_mask`, made from `exponents` by `operation`.
DeclaredStage declared_decay_mask_stage(const std::string& subtitle, const StageOperand& exponents,
                                        const std::string& operation);
// Stages of maps that are products of features.

/// The stage of `query_features`, φ(q).
DeclaredStage declared_query_features_stage();
/// The stage of `key_features`, φ(k).
DeclaredStage declared_key_features_stage();
/// The stage of `similarities`, products of queries and keys.
DeclaredStage declared_similarities_stage(const std::string& subtitle = {},
                                          const std::string& operation = "→");

}  // namespace headlight
