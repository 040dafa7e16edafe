#include "core/attention/program_run.h"

#include "core/attention/component.h"
#include "core/attention/pipeline_stages.h"
#include "core/attention/stages.h"
#include "core/attention/trace_program.h"
#include "core/graph/tensor_axes.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <map>
#include <set>

namespace headlight {
namespace {

/// Nobody asks such a run for gradients: numbers that no line names leave their room to others.
std::vector<GivenTensor> as_constants(const std::vector<GivenTensor>& given) {
    std::vector<GivenTensor> constants;
    for (const GivenTensor& tensor : given)
        constants.push_back(
            {tensor.name, GivenTensor::Kind::constant, tensor.extent, {}, {}, tensor.is_truth});
    return constants;
}

/// Has a number for each pair, or as many: extents do not always tell.
bool may_be_map(const Plan& plan, const ProgramLine& line, const DeclaredStage* declared) {
    const bool counts_features = declared && (declared->has_features || declared->is_of_features);
    return line.value.extent().rows == plan.queries && line.value.extent().columns == plan.keys &&
           !counts_features;
}

/// Names of the lines that have no number for each pair.
std::vector<std::string> lines_without_maps(const Plan& plan, const Program& program) {
    std::vector<std::string> names;
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            if (!may_be_map(plan, line, declared_by_component(plan.spec, line.name).get()))
                names.push_back(line.name);
    return names;
}

Graph graph_of(const Plan& plan, const Program& program, ProgramNumbers::Kept kept) {
    Graph graph(as_constants(program.given()), program.parts());
    if (kept == ProgramNumbers::Kept::ends)
        graph.keep_only({"context", "output"});
    if (kept == ProgramNumbers::Kept::weights)
        graph.keep_only({"weights", "context", "output"});
    if (kept == ProgramNumbers::Kept::rows)
        graph.keep_only(lines_without_maps(plan, program));
    return graph;
}

AfterRun after_run(ProgramNumbers::Kept kept) {
    return kept == ProgramNumbers::Kept::rows ? AfterRun::any_rows : AfterRun::kept_steps;
}

/// Stages of scores in the order of the formula. A program leaves one out where no step stands between it and
/// the one before.
std::array<std::string_view, 4> scores_in_order(const AttentionSpec& spec) {
    if (spec.mask_order == MaskOrder::before_scale)
        return {"scores", "masked_scores", "scaled_scores", "biased_scores"};
    return {"scores", "scaled_scores", "biased_scores", "masked_scores"};
}

bool has_line(const Program& program, const std::string& name) {
    return program.has(name) && std::ranges::count(program.given(), name, &GivenTensor::name) == 0;
}

/// The line of the program that has the numbers of a stage; empty where none has.
std::string line_of_stage(const Program& program, const AttentionSpec& spec, const std::string& stage) {
    if (has_line(program, stage))
        return stage;
    const auto scores = scores_in_order(spec);
    auto at = std::ranges::find(scores, stage);
    if (at == scores.end())
        return {};
    while (at != scores.begin())
        if (const std::string before(*--at); has_line(program, before))
            return before;
    return {};
}

/// Calls use(offset, row, columns) for each row of a stage of `heads` heads; one tensor of all heads meets
/// each.
template <class Use>
void for_each_row(const OperandNumbers& from, Index heads, const Use& use) {
    for (Index head = 0; head < heads; ++head)
        for (Index row = 0; row < from.extent.rows; ++row) {
            Interruption::check();
            use((head * from.extent.rows + row) * from.extent.columns, from.numbers + from.at({head, row, 0}),
                from.extent.columns);
        }
}

/// As a run in this precision has it.
template <class Real>
void write_stage(const Recorder& record, const Stage& stage, const OperandNumbers& from) {
    const Index heads = stage.axes.front() == Axis::head ? stage.shape.front() : 1;
    assert(heads * from.extent.rows * from.extent.columns == stage.size());
    std::vector<Real> rounded(static_cast<std::size_t>(from.extent.columns));
    for_each_row(from, heads, [&](Index offset, const double* row, Index columns) {
        std::copy_n(row, columns, rounded.begin());
        record.write(stage.name, offset, rounded.data(), columns);
    });
}

/// A stage of what a line of the program assigns; nothing where its heads are others. Of one matrix for all
/// heads each has the same, but where it is declared to be of all. Rows that are no tokens are features. What
/// a column counts follows from the line, or from what the stage is declared to be.
std::optional<Stage> stage_of(const Plan& plan, const ProgramLine& line, CountedAxis columns,
                              const DeclaredStage& declared) {
    const Extent extent = line.value.extent();
    const bool is_of_heads = extent.heads == plan.heads || extent.matrices() == 1;
    if (!is_of_heads)
        return {};
    Stage stage;
    stage.name = line.name;
    const bool has_tokens = extent.rows == plan.queries || extent.rows == plan.keys;
    if (declared.is_of_features || !has_tokens) {
        const bool has_keys = columns == CountedAxis::tokens && extent.columns == plan.keys;
        stage.axes = {Axis::head, Axis::feature, has_keys ? Axis::key : Axis::feature};
        stage.shape = {plan.heads, extent.rows, extent.columns};
        return stage;
    }
    const bool is_of_queries = extent.rows == plan.queries && !declared.is_of_keys;
    const bool is_of_pairs = declared.role == StageRole::scores || declared.role == StageRole::weights ||
                             columns == CountedAxis::tokens;
    const bool is_map = is_of_queries && !declared.has_features && extent.columns == plan.keys && is_of_pairs;
    stage.axes = {Axis::head, is_of_queries ? Axis::query : Axis::key};
    stage.shape = {plan.heads, extent.rows};
    const bool has_features = declared.has_features || columns == CountedAxis::features;
    const bool is_of_all_heads = declared.is_of_all_heads && extent.heads == 0;
    if (is_of_queries && extent.columns == 1 && !is_map && !has_features && !is_of_all_heads)
        return stage;
    stage.axes.push_back(is_map ? Axis::key : Axis::feature);
    stage.shape.push_back(extent.columns);
    if (is_of_all_heads) {
        stage.axes.erase(stage.axes.begin());
        stage.shape.erase(stage.shape.begin());
    }
    return stage;
}

/// Numbers of a given tensor are made for some rows alone, where its readers ask for no more.
bool may_be_made_by_rows(const GivenTensor& tensor) { return !tensor.numbers.are_there(); }

}  // namespace

ProgramNumbers::ProgramNumbers(const Plan& plan, Kept kept)
    : program_(program_of(plan)), graph_(graph_of(plan, program_, kept)),
      values_(graph_, std::numeric_limits<double>::infinity(), after_run(kept)) {
    for (const GivenTensor& tensor : program_.given())
        values_.set_places(tensor.name, tensor.numbers);
}

std::optional<OperandNumbers> ProgramNumbers::find(std::string_view name) const {
    const std::string word(name);
    if (!program_.has(word))
        return {};
    return OperandNumbers{values_.of(word).data(), program_.tensor(word).extent()};
}

template <class Real>
ProgramRun<Real>::ProgramRun(std::shared_ptr<const Plan> plan, bool keeps_weights, int threads)
    : plan_(std::move(plan)), threads_(threads),
      weights_(keeps_weights ? plan_->heads * plan_->queries * plan_->keys : 0),
      context_(plan_->queries * plan_->context_width()), output_(plan_->queries * plan_->output_width) {}

template <class Real>
ProgramNumbers& ProgramRun<Real>::numbers(ProgramNumbers::Kept kept) {
    if (!numbers_ || kept != kept_) {
        numbers_.reset();
        numbers_ = std::make_unique<ProgramNumbers>(*plan_, kept);
        kept_ = kept;
    }
    return *numbers_;
}

template <class Real>
void ProgramRun<Real>::run(Trace* trace) {
    using Kept = ProgramNumbers::Kept;
    const auto is_map = [](const Stage& stage) {
        return stage.has_axis(Axis::query) && stage.has_axis(Axis::key);
    };
    Kept kept = weights_.empty() ? Kept::ends : Kept::weights;
    if (trace)
        kept = weights_.empty() && std::ranges::none_of(trace->stages(), is_map) ? Kept::rows : Kept::lines;
    ProgramNumbers& numbers = this->numbers(kept);
    numbers.run(threads_, progress_);
    if (!weights_.empty())
        for_each_row(*numbers.find("weights"), plan_->heads,
                     [&](Index offset, const double* row, Index columns) {
                         std::copy_n(row, columns, weights_.data() + offset);
                     });
    // [h, n, d] to [n, h d].
    const Index width = plan_->head_value_width();
    const OperandNumbers context = *numbers.find("context");
    for (Index head = 0; head < plan_->heads; ++head)
        for (Index query = 0; query < plan_->queries; ++query)
            std::copy_n(context.numbers + context.at({head, query, 0}), width,
                        context_.data() + query * plan_->context_width() + head * width);
    const std::span<const double> output(numbers.find("output")->numbers, output_.size());
    std::ranges::copy(output, output_.begin());
    if (!trace)
        return;
    const Recorder record(*trace);
    for (const Stage& stage : trace->stages())
        if (const std::string line = line_of_stage(numbers.program(), plan_->spec, stage.name); !line.empty())
            write_stage<Real>(record, stage, *numbers.find(line));
}

template <class Real>
std::string ProgramRun<Real>::line_of(std::string_view stage) const {
    return line_of_stage(numbers_->program(), plan_->spec, std::string(stage));
}

template <class Real>
bool ProgramRun<Real>::has_rows_of(std::string_view stage) const {
    const std::string line = line_of(stage);
    return !line.empty() && numbers_->has_rows(line);
}

template <class Real>
void ProgramRun<Real>::read_rows(std::string_view stage, Index head, Index first, Index count,
                                 std::span<double> to) const {
    numbers_->read_rows(line_of(stage), head, first, count, to);
}

template <class Real>
std::string ProgramRun<Real>::repeated_by(std::string_view stage) const {
    const std::string line = line_of(stage);
    return line == stage ? std::string() : line;
}

template class ProgramRun<float>;
template class ProgramRun<double>;

std::vector<Stage> stages_of_program(const Plan& plan, const Program& program, std::vector<Stage> listed,
                                     bool has_maps) {
    const auto find = [&](std::string_view name) { return std::ranges::find(listed, name, &Stage::name); };
    std::erase_if(listed, [&](const Stage& stage) {
        const bool is_of_tokens = stage.name.ends_with("tokens") || stage.name.ends_with("position");
        return !is_of_tokens && line_of_stage(program, plan.spec, stage.name).empty();
    });
    std::map<std::string, TensorAxes> known;
    for (const GivenTensor& tensor : program.given())
        known[tensor.name] = axes_of(tensor);
    std::vector<Stage> pending;  // until the next line that is listed
    std::set<std::string> passed;
    // A listed stage may come about later than those behind it: weights that are read off a context.
    const auto first_to_come = [&] {
        return std::ranges::find_if(listed, [&](const Stage& stage) {
            return has_line(program, stage.name) && !passed.contains(stage.name);
        });
    };
    const auto insert_pending = [&] {
        listed.insert(first_to_come(), pending.begin(), pending.end());
        for (const Stage& stage : pending)
            passed.insert(stage.name);
        pending.clear();
    };
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments) {
            const TensorAxes axes = known[line.name] = axes_of(line.value, known);
            if (part.times > 1)
                continue;
            if (find(line.name) != listed.end()) {
                insert_pending();
                passed.insert(line.name);
            } else if (const auto declared = declared_by_component(plan.spec, line.name)) {
                auto stage = stage_of(plan, line, axes.columns, *declared);
                if (stage && (has_maps || !may_be_map(plan, line, declared.get())))
                    pending.push_back(std::move(*stage));
            }
        }
    insert_pending();  // lines of a formula behind its output, or before one that is repeated
    return listed;
}

std::optional<MadeWhole> made_whole(const Plan& plan) {
    const Program program = outline_of(plan);
    const Index pairs = plan.queries * plan.keys;
    const auto constant = std::ranges::find_if(program.given(), [&](const GivenTensor& tensor) {
        return tensor.extent.size() >= pairs && !may_be_made_by_rows(tensor);
    });
    if (constant != program.given().end())
        return MadeWhole{constant->name, constant->extent};
    const Graph graph = graph_of(plan, program, ProgramNumbers::Kept::rows);
    std::vector<std::size_t> steps = steps_at_once(graph, pairs);
    if (steps.empty())
        return {};
    // Constants, such as one of each value alone, are whole because of what reads them as a whole.
    std::set<std::size_t> constants;
    for (const GivenTensor& tensor : program.given())
        if (tensor.kind == GivenTensor::Kind::constant)
            constants.insert(graph.step_of(tensor.name));
    const auto is_constant = [&](std::size_t at) { return constants.contains(at); };
    if (!std::ranges::all_of(steps, is_constant))
        std::erase_if(steps, is_constant);
    // One map for all of several heads parts what is computed row by row: what it meets is whole after it.
    const auto is_of_all_heads = [&](std::size_t at) { return graph.steps()[at].extent.matrices() == 1; };
    const auto cause = plan.heads > 1 ? std::ranges::find_if(steps, is_of_all_heads) : steps.end();
    const std::size_t step = cause != steps.end() ? *cause : steps.front();
    MadeWhole whole{{}, graph.steps()[step].extent};
    // Steps are in the order of the lines that they were added for.
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            if (whole.line.empty() && graph.step_of(line.name) >= step)
                whole.line = line.name;
    return whole;
}

double program_bytes(const Plan& plan, const Program& program, ProgramNumbers::Kept kept, int threads) {
    const Graph graph = graph_of(plan, program, kept);
    std::vector<bool> is_made_by_rows;
    if (kept == ProgramNumbers::Kept::rows)
        is_made_by_rows = steps_given_by_rows(graph, row_groups(graph));
    double numbers = 0;
    for (const GivenTensor& tensor : program.given())
        if (is_made_by_rows.empty() || !may_be_made_by_rows(tensor) ||
            !is_made_by_rows[graph.step_of(tensor.name)])
            numbers += static_cast<double>(tensor.numbers.size());
    constexpr double beside_a_run = 5 << 16, share = 1.0005;
    return numbers * sizeof(double) + bytes_of_steps(graph) + beside_a_run +
           share * bytes_of_numbers(graph, threads, after_run(kept));
}

}  // namespace headlight
