#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_autoformer() {
    Mechanism mechanism;
    mechanism.name = "Autocorrelation (Autoformer)";
    mechanism.also_known_as = {"Auto-Correlation", "time delay aggregation"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3565;
    mechanism.formula =
        R"(@output{o_t} = \sum_{\tau} @lag_shares{\operatorname{softmax}(R)_\tau}\,@value{v_{t + \tau}},)"
        R"(\quad @lag_scores{R_\tau = \tfrac{1}{n} \sum_t @query{q_t} \cdot @key{k_{t - \tau}}},\quad )"
        R"(\tau \text{: the } \lfloor c \ln n \rfloor \text{ lags of the largest } R,\quad )"
        R"(@weights{A_{t, t + \tau}} = \operatorname{softmax}(R)_\tau)";
    mechanism.papers = {
        {"Wu, Xu, Wang and Long, Autoformer: Decomposition Transformers with Auto-Correlation for "
         "Long-Term Series Forecasting",
         2021}};
    mechanism.explanation =
        "A series of measurements repeats itself: each day is like the day before, each week like the last. "
        "Which hour is like which says less than by how much the whole series has to be shifted to lie on "
        "itself again. Autoformer asks that: for each lag it adds up the products of every query with the "
        "key so many steps before, which is the autocorrelation, and keeps the few lags in which it is "
        "largest, about ln n of n. Their softmax says what each shifted copy of the values counts, and the "
        "copies are added. So the map has one number for each distance, the same for all tokens, and it "
        "goes around: what is shifted beyond one end comes in at the other. Fourier transforms give all "
        "lags at once, in n log n steps. Here words stand for hours.";
    mechanism.cost =
        "n log n d by Fourier transforms and n d ln n for the copies; here by the n² d products of all "
        "pairs, and the n² d_v of a map.";
    mechanism.correction =
        "No token chooses: all have the same distances, and a token that is like no other changes nothing. "
        "The text is taken for a circle. The paper divides by the length; its code takes the mean over "
        "features and heads, and with it one choice of lags for all heads and, while learning, for all of a "
        "batch, where here each head chooses. That series are parted into trend and season stands around "
        "the mechanism.";
    mechanism.related = {"fourier", "informer", "hyena", "cosformer"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::autocorrelation, {{"factor", 2.0}}};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + heads_knob());

    mechanism.example.query = "red green blue red green blue red green blue";
    mechanism.example.look_for =
        "The text repeats itself every three words: three and six are the lags that fit, and 0, at which "
        "any text is like itself. Four lags are kept, and those three have the most. Every diagonal has one "
        "number.";
    mechanism.properties = {.sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
