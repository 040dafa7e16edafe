#pragma once

#include "core/attention/declared_stage.h"
#include "core/attention/trace.h"
#include "core/map/pooled_heads.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// A token as it is printed beside a row, so that there is something to see of each: white space at its ends
/// made visible ("␣", "↵", "⇥"), control characters as "�", what has no ink as its escape ("\u202e"), an
/// accent without a letter on a dotted circle, and a token without any character as "∅".
std::string visible_token(const std::string& token);

/// With a capital where they begin with a small letter of ASCII.
std::string capitalized(std::string words);

/// "Multi-head scaled dot-product self-attention, causal"
std::string mechanism_title(const AttentionSpec& spec);
/// What tells the attention of one layer from that of another: "gated delta", "window, rope"; "softmax" where
/// every part is the standard one.
std::string attention_in_few_words(const AttentionSpec& spec);
/// What a picture of the trace is called: the name of its mechanism, or its spec in words where it has none.
std::string trace_title(const Trace& trace);
/// The same of all layers of a kind of place: "Dates, general attention (Luong): decoder".
std::string trace_title_over_layers(const Trace& trace, const std::string& site);
/// The same of one place of it: "Dates, general attention (Luong): decoder, looks at the source". Where a
/// model says its words nothing attends: "What “Dates, ...” says".
std::string trace_title(const Trace& trace, const std::string& site);

/// What is declared of a stage, of attention or of what a model says; null for a name that nobody declares.
const DeclaredStage* any_declaration(std::string_view stage);

/// What the stage is, in the words of the formula: "softmax of each row" for weights; empty when there is
/// nothing to say.
std::string stage_subtitle(const AttentionSpec& spec, std::string_view stage);

/// "head 3 of 8"; empty for a single head. People count from 1.
std::string head_title(Index head, Index heads);
/// "mean of 8 heads", "largest of 8 heads", "rollout through layers 1 to 3"; `layer` is counted from 0.
std::string pooled_title(PooledHeads pooled, Index heads, Index layer);
/// "mean over 12 layers", with heads that are pooled as well "mean over 12 layers and 8 heads" or "mean over
/// 12 layers of the largest of 8 heads".
std::string pooled_layers_title(MapReduction reduction, Index layers, std::optional<PooledHeads> pooled,
                                Index heads);
/// "1, 3 to 5", "2 and 7": heads as people count them.
std::string head_numbers(const std::vector<Index>& heads);

/// "query (who looks)"; short: "query"
std::string axis_title(Axis axis, bool with_hint);
/// The same of a stage: what a model said has steps and words where attention has queries and keys.
std::string axis_title(std::string_view stage, Axis axis, bool with_hint);
/// What lies along one side of a stage's matrix.
enum class MatrixSide { rows, columns };
/// The same of a side: rows and columns that are neither tokens nor features are called what the spec at the
/// site declares, "seed".
std::string axis_title(const Trace& trace, std::string_view stage, std::string_view site, Axis axis,
                       MatrixSide side, bool with_hint);
/// That word alone; empty where nobody declares one.
std::string declared_side(const Trace& trace, std::string_view stage, std::string_view site, MatrixSide side);

/// What the token of a decoding step does there: "“dog” looks", or of what a model said "“dog” is said".
std::string step_subject(std::string_view stage, const std::string& token);

/// What the rows or columns that count `axis` are called; empty strings when they have only numbers.
std::vector<std::string> axis_labels(const TokenLabels& tokens, Axis axis, Index extent);
/// Which of them the word vectors do not know; empty when none.
std::vector<bool> axis_marks(const TokenLabels& tokens, Axis axis, Index extent);

}  // namespace headlight
