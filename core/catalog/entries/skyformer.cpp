#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_skyformer() {
    Mechanism mechanism;
    mechanism.name = "Gaussian kernel by landmarks (Skyformer, SOFT)";
    mechanism.also_known_as = {"kernelized attention", "softmax-free attention", "SOFT"};
    mechanism.family = "Low rank";
    mechanism.order = 3612;
    mechanism.formula =
        R"(@weights{A = @kernel_to_points{\kappa(@query{Q}, Z)}\,@kernel_inverse{\left(@kernel_of_points{)"
        R"(\kappa(Z, Z)} + \lambda I\right)^{-1}}\,@kernel_from_points{\kappa(Z, @key{K})}},\quad )"
        R"(\kappa(a, b) = e^{-\frac{\lVert a - b \rVert^2}{2 \sqrt{d}}},\quad )"
        R"(@kernel_points{Z = \text{means of segments of } Q \text{ and of } K},\quad )"
        R"(@output{O = A\,@value{V}})";
    mechanism.papers = {
        {"Chen et al., Skyformer: Remodel Self-Attention with Gaussian Kernel and Nyström Method", 2021},
        {"Lu et al., SOFT: Softmax-free Transformer with Linear Complexity", 2021}};
    mechanism.explanation =
        "The exponential of a product of query and key grows without bound with their lengths, and the sum "
        "of the row brings it back. The exponential of minus half their squared distance needs no sum: it "
        "is 1 where they are one and less everywhere else. It is the same number divided by one of the "
        "query and one of the key, which grow with their lengths, so that long keys no longer win by being "
        "long. A matrix of such numbers among points has no negative eigenvalue, and Nyström’s method, "
        "which softmax attention only borrows, is at home: a few landmarks stand for all points, and what a "
        "query is to a key follows from what both are to the landmarks. Landmarks are means of neighbouring "
        "queries and of neighbouring keys here. Where queries are the keys, as in SOFT, they are the same "
        "twice, and the ridge λ keeps the inverse in bounds.";
    mechanism.cost =
        "2 n l (2 d + d_v) multiply-adds per head for l means of queries and l of keys, and 8 l³ "
        "for the inverse; memory 4 n l.";
    mechanism.correction =
        "Rows do not sum to 1: a query that is far from all keys gets little. Skyformer takes landmarks at "
        "random from queries and keys and comes near the inverse by steps, after it has added a tenth to the "
        "diagonal and divided by roots of the rows’ sums; SOFT makes landmarks by a strided convolution and "
        "takes twenty steps of Newton’s. Here they are means, and the inverse is exact. Neither the authors’ "
        "convolution of the values nor later normalisations are part of it.";
    mechanism.related = {"nystrom", "gaussian_kernel", "performer", "shared_query_key"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::kernel_landmarks;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.values = {{"landmarks", Index(11)}, {"lambda", 1e-4}};
    mechanism.example.look_for =
        "With as many landmarks as words and hardly any ridge it is the Gaussian kernel itself: each word is "
        "1 to itself and to its copies, “king” and “queen” are 0.39 to one another. Set the landmarks to 2: "
        "the peaks are gone, and no weight is above 0.31.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
