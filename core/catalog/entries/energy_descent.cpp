#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_energy_descent() {
    Mechanism mechanism;
    mechanism.name = "Energy Transformer";
    mechanism.also_known_as = {"energy attention", "ET block"};
    mechanism.family = "Memory";
    mechanism.order = 5735;
    mechanism.formula =
        R"(@context{x \leftarrow x - \eta\,\frac{\partial E}{\partial g}},\quad )"
        R"(@energies{E = -\frac{1}{\beta} \sum_h \sum_i \ln \sum_{j \ne i} \exp\left(@scores{\beta\,k_j^h )"
        R"(\cdot q_i^h}\right) - \frac{1}{2} \sum_{i, \mu} \operatorname{relu}\left(\xi_\mu \cdot g_i)"
        R"(\right)^2},\quad )"
        R"(-\frac{\partial E}{\partial g_i} = \sum_h \left(\sum_j @weights{A_{ij}^h}\,k_j^h\,W_{)"
        R"(\text{ask}}^{h\top} + \sum_l A_{li}^h\,q_l^h\,W_{\text{tell}}^{h\top}\right) + \ldots,\quad )"
        R"(q = g\,W_{\text{ask}},\quad k = g\,W_{\text{tell}},\quad g = \operatorname{norm}(x))";
    mechanism.papers = {{"Hoover et al., Energy Transformer (equations 1 to 6)", 2023}};
    mechanism.explanation =
        "A Hopfield network pulls one query down an energy while its patterns stay. Here all tokens of a "
        "text are both: each one’s energy is low where some other token’s key lies along its query, and "
        "every token moves down the energy of all, a small step at a time, as one layer that is applied "
        "again and again. The derivative has two parts. One is attention as known: a token is drawn towards "
        "what it looks at. The other is its counterpart: a token is drawn as well towards those that look at "
        "it, so that both sides of a pair come to agree. There are no values: what is taken is the key "
        "again, back through the matrix of the queries. A second energy, of each token by itself, is a "
        "memory of learned patterns in the place of the feed-forward layer. The energies of every step are "
        "recorded, and with a small step their sum never grows.";
    mechanism.cost =
        "T (2 n² · 2 d + 4 n D² ) multiply-adds over heads of d features, D of all, for T steps, and 2 n D "
        "for each pattern and step; memory n² per head.";
    mechanism.correction =
        "It is not attention with its weights tied: without the second part of the derivative the energy can "
        "rise. No token looks at itself, for it would find itself always. The step goes along ∂E/∂g and not "
        "∂E/∂x, which goes down as well, since the norm is itself the derivative of a convex function. That "
        "norm has a learned scale and shifts in the paper; here it has none.";
    mechanism.related = {"hopfield", "sparse_hopfield", "external_memory", "slot_attention"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::energy_descent;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "king queen man woman apple orange banana";
    mechanism.example.stage = "energies";
    mechanism.example.look_for = "Each column is a step, and the sum of each is below that of the one before "
                                 "it: down the energy. Step on to the weights: no word looks at itself.";
    // One word alone looks at nothing.
    mechanism.properties = {
        .row_stochastic = false, .permutation_equivariant = true, .sparse = true, .needs_whole_text = true};
    mechanism.tolerance = 1e-4;  // each step enlarges the rounding of the one before
    return mechanism;
}

}  // namespace headlight
