#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"

namespace headlight {

Mechanism declare_dimension_scale() {
    Mechanism mechanism;
    mechanism.name = "A learned scale for each feature";
    mechanism.also_known_as = {"per-dimension scale", "PerDimScale"};
    mechanism.family = "Scores";
    mechanism.order = 515;
    mechanism.formula =
        R"(@output{o_i = \sum_j @weights{A_{ij}}\,@value{v_j}},\quad )"
        R"(@weights{A_i = \operatorname{softmax}(@scaled_scores{s_i})},\quad )"
        R"(@scaled_scores{s_{ij} = \frac{1}{\sqrt{d_k}} @scores{@rescaled_query{\left(\frac{\ln(1 + )"
        R"(e^{w})}{\ln 2} \odot @query{q_i}\right)} \cdot @key{k_j}}})";
    mechanism.papers = {
        paper_of("Das, Kong, Sen and Zhou",
                 {.title = "A decoder-only foundation model for time-series forecasting",
                  .authors = "Das, Abhimanyu and Kong, Weihao and Sen, Rajat and Zhou, Yichen",
                  .kind = Publication::Kind::proceedings,
                  .venue = venues::icml,
                  .year = 2024,
                  .first_year = 2023},
                 "its code")};
    mechanism.explanation =
        "The dot product adds up the agreement of all features alike, and one number, 1/√d_k, makes the sum "
        "smaller. Here each feature has a weight of its own, learned with everything else: one that says "
        "little of what belongs together can be turned down, one that says much turned up. Softplus keeps "
        "the weights above 0, so that no feature turns into its opposite, and over ln 2 it is 1 where "
        "training begins, at w = 0: the model starts as scaled dot products. TimesFM, which forecasts "
        "series of numbers, scales its queries so in every layer.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head and n d for the scales; memory n m; d_k parameters.";
    mechanism.correction =
        "Nothing can be said with it that W_q could not say, whose columns might have the same factors: it "
        "changes how the model learns, and is one vector for all heads of a layer. It stands beside 1/√d_k "
        "and does not replace it. Code writes 1/ln 2 as 1.442695041, which is its first ten digits.";
    mechanism.equivalences = {equal_when("scaled_dot_product",
                                         "with w = 0, where training starts, every feature counts 1",
                                         {.parameters = {{"w_dimension", "zeros"}}})};
    mechanism.related = {"learned_scale", "scaled_dot_product", "qk_norm"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dimension_scale;
    compose(mechanism, spec, {temperature_knob(), source_knob(), projections_knob(), key_lengths_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for =
        "As long as w is 0 the rescaled queries are the queries, and the map that of scaled dot products. "
        "Give a w_dimension in an inputs file, −50 for some of the 64 features: these no longer count.";
    mechanism.example.beside = "scaled_dot_product";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
