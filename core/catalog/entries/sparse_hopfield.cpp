#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sparse_hopfield() {
    Mechanism mechanism;
    mechanism.name = "Sparse Hopfield retrieval";
    mechanism.also_known_as = {"sparse modern Hopfield model", "generalized sparse Hopfield"};
    mechanism.family = "Memory";
    mechanism.order = 5731;
    mechanism.formula =
        R"(\xi_0 = @query{q},\quad )"
        R"(\xi_{t+1} = \alpha\text{-entmax}(\beta\,\xi_t\,@key{K}^\top)\,@key{K},\quad )"
        R"(@output{@weights{\alpha\text{-entmax}\left(@masked_scores{\beta\,\xi_T\,@key{K}^\top}\right)}\,)"
        R"(@value{V}})";
    mechanism.papers = {
        {"Hu et al., On Sparse Modern Hopfield Model (α = 2)", 2023},
        {"Wu et al., STanHop: Sparse Tandem Hopfield Model for Memory-Enhanced Time Series Prediction (α)",
         2024}};
    mechanism.explanation =
        "The modern Hopfield network with entmax in the place of the softmax. A softmax gives every stored "
        "pattern a little, so that what is retrieved is never quite one of them: a fixed point is a pattern "
        "with some of all others in it. Sparsemax and entmax give exactly 0 to patterns that are far off, "
        "and a query that is near enough to one gets that one exactly, after finitely many updates. The "
        "error of what is retrieved then hangs on the few patterns that are left, not on all. α chooses "
        "between: 1 is the softmax, 2 is sparsemax, and 1.5, between the two, is smooth and sparse.";
    mechanism.cost = "T n m · 2 d multiply-adds per head for T updates, less one for reading values, and T n "
                     "sorted rows of m numbers; memory n m.";
    mechanism.correction = "The update is that of another energy, whose convex part is no longer the log of "
                           "a sum of exponentials: what is proved for the softmax’s network, that an update "
                           "never raises the energy, holds for this one with its own energy only.";
    mechanism.equivalences = {equal_when("hopfield", "α = 1 is the softmax: the modern Hopfield network",
                                         {.here = {{"alpha", 1.0}}, .tolerance = 1e-10}),
                              equal_when("entmax", "one update with β = 1/√d is attention by entmax",
                                         {.here = {{"steps", Index(1)}}})};
    mechanism.related = {"hopfield", "entmax", "sparsemax", "hopfield_pooling"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::hopfield;
    spec.normalizer.type = NormalizerType::entmax;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob());

    mechanism.example.query = "king queen man woman apple orange banana";
    mechanism.example.look_for =
        "After three updates king and queen share two patterns, man and woman two others, and each fruit is "
        "itself, exactly: all else is 0. In the network with the softmax every row still has all seven words "
        "in it.";
    mechanism.example.beside = "hopfield";
    mechanism.properties = {.permutation_equivariant = true, .sparse = true};
    mechanism.tolerance = 1e-4;  // between two patterns each update enlarges the rounding of the one before
    return mechanism;
}

}  // namespace headlight
