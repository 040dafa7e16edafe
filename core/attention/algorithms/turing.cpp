#include "core/attention/algorithms/written_memory.h"
#include "core/attention/arithmetic_text.h"
#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/explained_cell.h"
#include "core/attention/sigmoid.h"
#include "core/attention/softmax_rows.h"
#include "core/attention/vector_length.h"
#include "core/attention/work.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

constexpr Index shifts = 3;  // one cell back, none, one ahead

enum class Addressing { full, content, location };

bool has_links(const AttentionSpec& spec) { return spec.algorithm.options.word("addressing") == "links"; }
/// Tokens write to cells of a memory of its own, as links between cells need it; otherwise they are the
/// cells.
bool writes_memory(const AttentionSpec& spec) {
    return has_links(spec) || spec.algorithm.options.word("memory") == "written";
}
Index cells_of(const Plan& plan) { return plan.algorithm().count("cells"); }

Addressing addressing_of(const Plan& plan) {
    const std::string& word = plan.algorithm().word("addressing");
    return word == "content"    ? Addressing::content
           : word == "location" ? Addressing::location
                                : Addressing::full;
}

/// What one head says at one step besides its query: key strength, interpolation, sharpening and shifts
/// (Graves, Wayne and Danihelka 2014, section 3.3).
struct Controls {
    double strength = 1, interpolation = 1, sharpening = 1;
    double shift[shifts] = {0, 1, 0};
};

/// The columns of W_control that one head reads.
constexpr Index controls_per_head = 3 + shifts;

template <class Real>
Controls controls_from(const SoftmaxRows<double>& rows, const Real* raw, Addressing addressing) {
    const auto at = [&](Index i) { return static_cast<double>(raw[i]); };
    Controls controls;
    controls.strength = softplus(at(0));
    if (addressing == Addressing::content)
        return controls;
    controls.interpolation = addressing == Addressing::location ? 0 : sigmoid(at(1));
    controls.sharpening = 1 + softplus(at(2));
    for (Index i = 0; i < shifts; ++i)
        controls.shift[i] = at(3 + i);
    rows.softmax(controls.shift, shifts);
    return controls;
}

/// One read head over the cells that its steps see.
class ReadHead {
public:
    ReadHead(const SoftmaxRows<double>& rows, Index cells)
        : content(cells_of(cells)), interpolated(content), shifted(content), weights(content), rows_(rows) {}

    std::vector<double> content, interpolated, shifted, weights;

    /// From the cosines with the first `cells` cells, already in `content`, to the weights.
    void focus(const Controls& controls, Index cells) {
        for (Index cell = 0; cell < cells; ++cell)
            content[index(cell)] *= controls.strength;
        rows_.softmax(content.data(), cells);
        if (is_first_)  // the head starts at the first cell
            weights[0] = 1;
        is_first_ = false;
        for (Index cell = 0; cell < cells; ++cell)
            interpolated[index(cell)] = controls.interpolation * content[index(cell)] +
                                        (1 - controls.interpolation) * weights[index(cell)];
        const auto around = [cells](Index cell) {  // without %, which takes longer than everything else here
            return index(cell < 0 ? cell + cells : cell < cells ? cell : cell - cells);
        };
        for (Index cell = 0; cell < cells; ++cell) {
            shifted[index(cell)] = 0;
            for (Index i = 0; i < shifts; ++i)
                shifted[index(cell)] += controls.shift[i] * interpolated[around(cell - (i - 1))];
        }
        sharpen(controls.sharpening, cells);
    }

private:
    static std::size_t index(Index cell) { return static_cast<std::size_t>(cell); }
    static std::vector<double> cells_of(Index cells) { return std::vector<double>(index(cells)); }

    /// w_i^gamma / sum w^gamma, of the shares of the largest, so that no power is lost: exp(gamma ln w).
    void sharpen(double gamma, Index cells) {
        double largest = 0, sum = 0;
        for (Index cell = 0; cell < cells; ++cell)
            largest = std::max(largest, shifted[index(cell)]);
        const auto& by = rows_.arithmetic();
        for (Index cell = 0; cell < cells; ++cell)
            weights[index(cell)] = shifted[index(cell)] / largest;
        by.logarithm(weights.data(), cells, weights.data());
        for (Index cell = 0; cell < cells; ++cell)
            weights[index(cell)] *= gamma;
        by.exponential(weights.data(), cells, weights.data());
        for (Index cell = 0; cell < cells; ++cell)
            sum += weights[index(cell)];
        for (Index cell = 0; cell < cells; ++cell)
            weights[index(cell)] /= sum;
    }

    const SoftmaxRows<double>& rows_;
    bool is_first_ = true;
};

template <class Real>
void run_turing(const Plan& plan, MatrixView<const Real> raw, const HeadTask<Real>& task,
                const Recorder& record) {
    const Index m = plan.keys, d = plan.head_key_width();
    const Addressing addressing = addressing_of(plan);
    std::vector<double> query(static_cast<std::size_t>(d)),
        keys(static_cast<std::size_t>(m * d));  // of length 1
    for (Index key = 0; key < m; ++key)
        write_direction(task.key.row(key), d, keys.data() + key * d);
    const SoftmaxRows<double> in_double;
    ReadHead head(in_double, m);
    const auto& by = in_double.arithmetic();
    const SoftmaxRows<Real> rows;
    std::vector<Real> scratch;
    for (Index i = 0; i < plan.queries; ++i) {
        const Index cells = plan.allowed.end(i), at = task.head * plan.queries + i;
        write_direction(task.query.row(i), d, query.data());
        by.inner_products(query.data(), row_major<const double>(keys.data(), cells, d), 1,
                          head.content.data());
        record.write("cosines", at * m, head.content.data(), cells);
        const Controls controls =
            controls_from(in_double, raw.row(i) + task.head * controls_per_head, addressing);
        if (cells > 0)
            head.focus(controls, cells);
        record.write("content_weights", at * m, head.content.data(), cells);
        record.write("interpolated_weights", at * m, head.interpolated.data(), cells);
        record.write("shifted_weights", at * m, head.shifted.data(), cells);
        const double said[] = {controls.strength, controls.interpolation, controls.sharpening,
                               controls.shift[0], controls.shift[1],      controls.shift[2]};
        record.write("controls", at * controls_per_head, said, controls_per_head);
        Real* row = weights_row(task, i, scratch);
        std::fill_n(row, m, Real(0));
        for (Index key = 0; key < cells; ++key)
            row[key] = static_cast<Real>(head.weights[static_cast<std::size_t>(key)]);
        rows.mix(row, task.value, task.context.row(i));
    }
}

template <class Real>
void add_turing_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    const MatrixView<const Real> raw =
        pipeline.operands.projected(pipeline.operands.query_tokens(), "W_control", "b_control");
    pipeline.algorithm = [&plan, raw](const HeadTask<Real>& task, const Recorder& record) {
        run_turing(plan, raw, task, record);
    };
}

Arithmetic explain_control(Index which, const ExplainedCell& cell) {
    switch (which) {
    case 0:
        return "key strength β, the softplus of x W + b";
    case 1:
        return "interpolation g, sigmoid(x W + b): how much of the content’s weights is taken";
    case 2:
        return "sharpening γ, one more than the softplus of x W + b";
    default:
        return std::string("share of the shift by ") +
               (which == 3   ? "one cell back"
                : which == 4 ? "nothing"
                             : "one cell ahead") +
               ", a softmax of three" +
               (addressing_of(cell.plan) == Addressing::content ? "; left alone here" : "");
    }
}

Arithmetic explain_turing(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "controls")
        return explain_control(cell.column, cell);
    const Index cells = cell.plan.allowed.end(cell.row);
    if (cell.column >= cells)
        return "0, for this step does not see the cell";
    const auto control = [&](Index which) { return cell.at("controls", cell.head, cell.row, which); };
    if (stage == "content_weights") {
        std::vector<double> exponentials;
        for (Index key = 0; key < cells; ++key)
            exponentials.push_back(std::exp(control(0) * cell.at("cosines", cell.head, cell.row, key)));
        return "exp(" + written(control(0)) + " × " + cell.shown("cosines") + ") / (" + sum_of(exponentials) +
               ")";
    }
    if (stage == "interpolated_weights") {
        const bool sees_before = cell.row > 0 && cell.plan.allowed.end(cell.row - 1) > 0;
        const double before = sees_before ? cell.at("weights", cell.head, cell.row - 1, cell.column)
                                          : static_cast<double>(cell.column == 0);
        return written(control(1)) + " × " + cell.shown("content_weights") + " + " + written(1 - control(1)) +
               " × " + written(before) +
               (sees_before ? ": the content, and where the head was at the step before"
                            : ": the content, and the first cell, where the head starts");
    }
    if (stage == "shifted_weights") {
        std::vector<Factors> terms;
        for (Index i = 0; i < shifts; ++i)
            terms.push_back({control(3 + i), cell.at("interpolated_weights", cell.head, cell.row,
                                                     (cell.column - (i - 1) + cells) % cells)});
        return "shifts · cells around = " + sum_of_products(terms);
    }
    return {};
}

/// Content, interpolation, shift and sharpening, a query after another (Graves et al. 2014, equations 5 to
/// 9).
Expression define_turing(Composer& composer) {
    const Plan& plan = composer.plan;
    if (writes_memory(plan.spec))
        return WrittenMemory(composer, cells_of(plan), has_links(plan.spec)).write();
    const Addressing addressing = addressing_of(plan);
    const bool by_location = addressing != Addressing::content,
               by_content = addressing != Addressing::location;
    const Expression said = composer.let(
        "control_numbers", composer.projected_by_heads(composer.query_tokens, "W_control", "b_control"),
        "strength, gate, sharpness and three shifts of each query");
    const Expression cosines = composer.let(
        "cosines", composer.where_open(product_transposed(direction_of(composer, "query", composer.query),
                                                          direction_of(composer, "key", composer.key)),
                                       0));
    Expression focus = composer.constant("first_focus", {composer.heads, 1, plan.keys}, "on the first cell",
                                         [](Index, Index, Index column) { return column == 0 ? 1.0 : 0.0; });
    std::vector<Expression> rows;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Index cells = plan.allowed.end(query);
        if (cells == 0) {
            rows.push_back(write_no_weights(composer));
            continue;
        }
        const auto control = [&](Index number) { return pick(said, {1, 1, {query}}, {1, 1, {number}}); };
        const Expression near = pick(cosines, {1, 1, {query}}, {1, cells, counted(0, cells)});
        Expression row = softmax_of(composer, "content" + suffix, softplus_of(control(0)) * near);
        if (by_location)
            row = write_moved_focus(composer, suffix, row, some_columns(focus, counted(0, cells)),
                                    {by_content ? sigmoid_of(control(1)) : Expression(0),
                                     pick(said, {1, 1, {query}}, {1, 3, counted(3, 3)}),
                                     1 + softplus_of(control(2))});
        focus = composer.let("weights" + suffix, with_unseen_keys(composer, suffix, row));
        rows.push_back(focus);
    }
    return write_attended_values(composer, composer.let("weights", join_rows(rows), "one row below another"));
}

std::vector<DeclaredStage> declared_stages_of_turing() {
    return {{"controls", "Controls of the head"},
            {"cosines", "Cosines"},
            made_stage("content_weights", "Weights by content", {}, {.is_share = true}),
            made_stage("interpolated_weights", "Interpolated weights", {}, {.is_share = true}),
            made_stage("shifted_weights", "Shifted weights", {}, {.is_share = true}),
            made_stage("write_weights", "Writing weights", {"where each token is written"},
                       {.lights = "weights", .has_features = true, .column = "cell", .is_share = true}),
            made_stage("read_weights", "Reading weights", {"where each token reads"},
                       {.lights = "weights", .has_features = true, .column = "cell", .is_share = true})};
}

/// Weights say where what was written stands now; of some features of it writes have taken away.
std::vector<DeclaredStage> declared_stages_of_written_memory() {
    std::vector<DeclaredStage> stages = declared_stages_of_turing();
    stages.push_back(made_stage("context", "Context",
                                {"", {{"weights"}, keys_of("value", "×")}, "less what\nis erased\n→"}));
    return stages;
}

}  // namespace

AlgorithmComponent declare_algorithms_turing() {
    AlgorithmComponent component;
    component.meaning =
        "a read head over memory cells: weights by content, interpolated with where it was, shifted "
        "along the cells and sharpened (Graves, Wayne and Danihelka 2014, equations 5 to 9); or two heads of "
        "a memory, M ← M (1 − wᵀ e) + wᵀ v, o = w′ M, or with links and free cells as the differentiable "
        "neural computer has them (Graves et al. 2016), causal whatever the mask";
    component.options = {
        word_option(
            "addressing", "Addressing", {"full", "content", "location", "links"},
            "All four steps; by content alone; from where the head was, by shifts alone; or, of a memory "
            "that is written, by content, free cells and the order in which cells were written."),
        word_option("memory", "Memory", {"tokens", "written"},
                    "Whether the tokens are the cells; or a memory of its own is written to, each token by a "
                    "head that takes out and adds, and then read."),
        count_option("cells", "Cells", 4, {1, 64}, "How many cells a written memory has.")};
    component.known_parameters = {
        {"W_control", "[d_q, 6 h]",
         "projects the queries’ token vectors to each head’s strength, interpolation, sharpening and three "
         "shifts"},
        {"b_control", "[6 h]", "is added to them"},
        {"W_memory", "[d_q, 12 h], with links [d_q, 8 h]",
         "projects the queries’ token vectors to what each head’s reading and writing need besides vectors"},
        {"b_memory", "[12 h], with links [8 h]", "is added to it"},
        {"W_erase", "[d_q, h d_v]", "projects to what a write takes out of each feature"},
        {"b_erase", "[h d_v]", "is added to it before its sigmoid"},
    };
    component.parameters = [](const Plan& plan, ParameterList& list) {
        if (writes_memory(plan.spec)) {
            const Index width = plan.tokens.query_width,
                        controls = plan.heads * WrittenMemory::controls(has_links(plan.spec));
            list.add_with_bias("W_memory", {width, controls});
            list.add_with_bias("W_erase", {width, plan.context_width()});
            return;
        }
        list.add_with_bias("W_control", {plan.tokens.query_width, plan.heads * controls_per_head});
    };
    component.stages = [](const Plan&, StageList& list) {
        list.add_vectors("controls", Axis::query, controls_per_head);
        for (const char* name : {"cosines", "content_weights", "interpolated_weights", "shifted_weights"})
            list.add_map(name);
    };
    component.memory = [](const Plan& plan, const RunNeeds& needs) {
        return StepMemory{.kept = elements(plan.queries, plan.heads, controls_per_head) * needs.real,
                          .working = elements(6 + plan.head_key_width(), plan.keys, sizeof(double))};
    };
    component.declared_stages = declared_stages_of_turing();
    component.stages_of = [](const AttentionSpec& spec) {
        static const auto of_cells = shared_stages(declared_stages_of_turing());
        static const auto of_memory = shared_stages(declared_stages_of_written_memory());
        return writes_memory(spec) ? of_memory : of_cells;
    };
    component.passes_to_definition = writes_memory;
    component.changes_context = writes_memory;
    component.needs_own_token = writes_memory;
    component.check = [](const Plan& plan) {
        const AttentionSpec& spec = plan.spec;
        if (!writes_memory(spec))
            return;
        require_one_sequence(plan, "turing", "each token writes before it reads");
        const auto& addressing = spec.algorithm.options.word("addressing");
        if (addressing == "content" || addressing == "location")
            throw Error({"turing algorithm", "algorithm/addressing", "full or links, where memory is written",
                         addressing});
        if (plan.head_key_width() != plan.head_value_width())
            throw Error({"turing algorithm", "value",
                         "as many features as the keys that are sought among them, " +
                             std::to_string(plan.head_key_width()),
                         std::to_string(plan.head_value_width())});
    };
    component.steps = [](const Plan& plan, auto& pipeline) { add_turing_steps(plan, pipeline); };
    component.cost = [](const Plan& plan) -> AlgorithmCost {
        if (writes_memory(plan.spec)) {
            const double cells = work({plan.heads, plan.queries, cells_of(plan)});
            const Index links = has_links(plan.spec) ? cells_of(plan) : 0;  // of each cell
            return {.multiply_adds = cells * static_cast<double>(2 * plan.head_key_width() +
                                                                 3 * plan.head_value_width() + 2 * links),
                    .state_numbers = work({plan.heads, cells_of(plan), plan.head_value_width() + links})};
        }
        const double pairs = static_cast<double>(plan.allowed.count() * plan.heads);
        return {.multiply_adds =
                    pairs * static_cast<double>(plan.head_key_width() + plan.head_value_width() + shifts + 1),
                .map_numbers = static_cast<double>(plan.heads * plan.queries * plan.keys),
                .cache_numbers = static_cast<double>(plan.key_width + plan.value_width)};
    };
    component.define = define_turing;
    component.explain = explain_turing;
    return component;
}

}  // namespace headlight
