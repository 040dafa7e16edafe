#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_fope() {
    Mechanism mechanism;
    mechanism.name = "Fourier position embedding";
    mechanism.also_known_as = {"FoPE", "Fourier series in place of rotations"};
    mechanism.family = "Positions";
    mechanism.order = 2527;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@rotated_query{F()"
        R"(@query{Q})}\,@rotated_key{F(@key{K})}^\top}}{\sqrt{d_k}}}\right)}\,@value{V}},\quad )"
        R"(F(x)_p = x_p \odot @query_cosines{\sum_w a_w \cos(\omega_w p)} + x'_p \odot @query_sines{\sum_w )"
        R"(b_w \sin(\omega_w p)},\quad \omega_w = 10000^{-2w/d} \ge \frac{2 \pi}{L})";
    mechanism.papers = {{"Hua et al., Fourier Position Embedding: Enhancing Attention’s Periodic Extension "
                         "for Length Generalization",
                         2025}};
    mechanism.explanation =
        "RoPE gives each pair of features one frequency, as if a pair held one tone. But the layers between "
        "mix the pairs, and a bent line through a tone has overtones: what arrives in a pair is a sum of "
        "many frequencies, while it is turned by one, and beyond the length of the training texts that goes "
        "wrong. FoPE gives each pair a series: its cosine and its sine become sums over all frequencies, by "
        "numbers that each head has of its own, near those of RoPE: 1 for one frequency, and small ones for "
        "all are added. The slowest frequencies, which never turn once within the training length L, have "
        "been seen only in a part of their circle; they are left out, and pairs without a series know no "
        "place, so that meaning can travel in them over any distance.";
    mechanism.correction =
        "Scores no longer follow from the distance alone: a series is no rotation, and R_i and R_j do not "
        "come to R_(i−j). In the authors’ code pairs without a series have 1 for their cosine and for their "
        "sine too, so that they are turned by 45° and stretched by √2, queries and keys alike: their "
        "products count twice. It is the same here; with the slow frequencies still, every pair has a "
        "series. The small numbers are parameters here, and learned; the authors’ code has a switch for "
        "that, without which they stay as they were drawn, and a version that divides each series by the sum "
        "of its numbers.";
    mechanism.cost = "2 (n + m) w s for series of w frequencies for s pairs of a head, once for all texts "
                     "of one length, and 3 (n + m) d_k for the turns beside n m (d_k + d_v)";
    mechanism.related = {"rope", "p_rope", "partial_rope", "pope"};

    AttentionSpec spec;
    spec.position.type = PositionType::fope;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.stage = "scaled_scores";
    mechanism.example.look_for =
        "One word ten times over. With RoPE each diagonal has one number, for the distance is all that "
        "counts; here numbers differ along a diagonal, since each pair adds up tones. In the stage of "
        "cosines the right half of each half of the columns is 1: pairs without a series.";
    return mechanism;
}

}  // namespace headlight
