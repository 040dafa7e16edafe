#include "core/catalog/knob.h"
#include "core/catalog/publication_years.h"

#include <vector>

namespace headlight {

Mechanism declare_hybrid_heads() {
    Mechanism mechanism;
    mechanism.name = "Attention and states side by side (Hymba)";
    mechanism.also_known_as = {"Hymba", "hybrid heads", "parallel attention and SSM heads"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3424;
    mechanism.formula =
        R"(@output{o_i} = @context{\tfrac{1}{2} \left(@normed_attended{g_1 \odot \operatorname{norm}()"
        R"(@attended{\sum_j @weights{A_{ij}}\,@value{v_j}})} + @normed_state{g_2 \odot \operatorname{norm}()"
        R"(@state_found{@state_gate{\operatorname{silu}(x_i W_g)} \odot y_i})}\right)},\quad )"
        R"(@state_found{y_{ic}} = \sum_{j \le i} @state_weights{S^c_{ij}}\,(x_j W_u)_c,\quad )"
        R"(@state_weights{S^c_{ij}} = \sum_s C_{is} \left(\prod_{l=j+1}^{i} e^{-@channel_steps{\Delta_{lc}})"
        R"(\,a_{cs}}\right) \Delta_{jc}\,B_{js},\quad )"
        R"(\operatorname{norm}(z) = \frac{z}{\sqrt{\operatorname{mean} z^2}})";
    mechanism.papers = {paper_of(
        "Dong et al.",
        {.title = "Hymba: A Hybrid-head Architecture for Small Language Models",
         .authors = "Dong, Xin and Fu, Yonggan and Diao, Shizhe and Byeon, Wonmin and Chen, Zijia and "
                    "Mahabaleshwarkar, Ameya Sunil and Liu, Shih-Yang and Van Keirsbilck, Matthijs and Chen, "
                    "Min-Hung and Suhara, Yoshi and Lin, Yingyan Celine and Kautz, Jan and Molchanov, Pavlo",
         .kind = Publication::Kind::proceedings,
         .venue = venues::iclr,
         .year = 2025,
         .first_year = 2024,
         .first_month = 11},
        "section 2.1 and its code")};
    mechanism.explanation =
        "Attention finds a word again exactly, and has to keep every word for that. A state space model "
        "such as Mamba keeps a few numbers, into which all that came before has faded. Hybrid models have "
        "layers of both kinds in turn, and what one layer has lost the next one cannot find. Hymba lets "
        "both read the same input in the same layer: some heads attend, others hold states, and what they "
        "give is added. The two are of different size, as the authors saw, for states add up what attention "
        "takes the mean of: so each is divided by the root of its mean square and scaled by learned "
        "numbers, channel by channel, before one half of each makes the context. Since the states tell the "
        "gist of the whole text, most layers can let the attention look at a window alone. Here it sees "
        "three words, and the states all that came before.";
    mechanism.cost =
        "n w (d + d_v) multiply-adds per head for a window of w keys, and 3 n N h d_v for N states of each "
        "channel; state N h d_v and the last w keys and values. As computed here, with all maps, n² N h d_v.";
    mechanism.correction =
        "The map of the weights is that of the attention alone; what the states read has maps of its own, "
        "one for each channel, of which the mean is shown. A mask holds for both, a selection, such as the "
        "window here, for the attention alone. Nothing says how much each half counts but the "
        "scales behind the norms, the β of the paper, which in the code are the gains of two RMS norms over "
        "all heads together. x-transformers norms each head by itself and can let each token mix the halves "
        "by a sigmoid, as the options do. The short convolution, the norms and the low rank in which Mamba "
        "makes its steps, the skip connection, and the learned tokens in front of every text are left out; "
        "queries and keys turn there by rotary positions, which can be set here.";
    mechanism.related = {"mamba", "native_hybrid", "head_windows", "infini"};

    AttentionSpec spec;
    spec.mask.rule = CausalMask{};
    spec.score.type = ScoreType::scaled_dot;
    spec.selection = {.type = SelectionType::head_windows, .options = {{"reaches", std::vector<Index>{2}}}};
    spec.algorithm.type = AlgorithmType::hybrid_heads;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.stage = "state_weights";
    mechanism.example.look_for =
        "The weights of the attention are a band of three words. Those of the states, shown here, reach back "
        "to the first word: no row sums to 1, and both signs may stand in it. Step on to see both divided by "
        "their size before they are added.";
    mechanism.properties = {.causal = true, .streaming = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
