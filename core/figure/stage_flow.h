#pragma once

#include "core/figure/flow.h"
#include "core/figure/panel_maker.h"

namespace headlight {

/// The stages of one site and what each is computed from, as the picture of the stages has it, and where that
/// says nothing the lines of the run's program: token vectors at the left, output at the right. The stage in
/// view is lit, what it follows from is firm. Where nobody knows what a stage is computed from, a dashed
/// arrow leads to it from the one before, and a note says so.
Flow stage_flow(const PanelMaker& maker);

/// "8 × 6 × 6", and in words "8 heads × 6 queries × 6 keys". What is neither a token nor a feature is called
/// as `row` and `column` say, one of it: "landmark".
std::string shape_of_stage(const Stage& stage);
std::string shape_in_words(const Stage& stage, const std::string& row = {}, const std::string& column = {});

}  // namespace headlight
