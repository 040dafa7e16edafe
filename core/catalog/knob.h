#pragma once

#include "core/catalog/mechanism.h"

namespace headlight {

/// A parameter together with what it does to the spec: an entry lists its knobs and gets both its
/// declarations and its builder from the list.
struct Knob {
    MechanismParameter parameter;
    std::function<void(AttentionSpec&, const ParameterValue&)> apply;
};

/// Sets `parameters` and `build`: a build starts from `base` and applies the knobs in this order.
void compose(Mechanism& mechanism, const AttentionSpec& base, std::vector<Knob> knobs);

/// A knob for each option of the components that `base` uses, as they declare it: score, position, selection,
/// normaliser, algorithm, and every pattern that is the mask or that an `all` or `any` is made of. Defaults
/// are those of `base`. Options that are lists get none. Knobs that change the mask come after these.
std::vector<Knob> component_knobs(const AttentionSpec& base);

/// The knobs but for those with these names: settings that an entry fixes.
std::vector<Knob> without(std::vector<Knob> knobs, const std::vector<std::string>& names);

/// The knobs with other help for one of them: the component's own speaks of settings that the entry lacks.
std::vector<Knob> with_help(std::vector<Knob> knobs, const std::string& name, const std::string& help);

/// Both lists, one after the other.
std::vector<Knob> operator+(std::vector<Knob> first, std::vector<Knob> second);
std::vector<Knob> operator+(std::vector<Knob> knobs, Knob last);

// The knobs that several mechanisms have. Each says here, once, what it means.
Knob source_knob();
Knob projections_knob(ProjectionType standard = ProjectionType::none);
Knob projection_bias_knob();
std::vector<Knob> projection_knobs();  ///< both of these
std::vector<Knob> token_knobs();       ///< source and projections
Knob temperature_knob();
Knob hard_mode_knob();
Knob draws_knob();
Knob scale_knob();  ///< for a base spec whose score is scaled_dot
Knob heads_knob(Index standard = 8);
Knob kv_heads_knob();  ///< for a base spec of grouped queries, after heads_knob()
Knob causal_knob();
Knob causal_alignment_knob();  ///< for a base spec whose mask is causal
Knob key_lengths_knob();
Knob activation_knob();
Knob score_bias_knob();
Knob attention_dimension_knob();
Knob vector_norm_knob(VectorNorm standard);
Knob softcap_knob(double standard);

}  // namespace headlight
