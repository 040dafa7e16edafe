#include "core/program/own_formula.h"

#include "core/attention/component.h"
#include "core/attention/trace_program.h"
#include "core/attention/typed_formula.h"
#include "core/attention/widths.h"
#include "core/graph/formula_syntax.h"
#include "core/program/line_text.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

constexpr Index most_written =
    3600;  // numbers of constants: the lines around them have parts of the 5000, too
constexpr char parameter_mark = 1;

[[noreturn]] void refuse(const std::string& expected, const std::string& got) {
    throw Error({"write a formula", "", expected, got});
}

bool is_of_tokens(PositionType type) {
    const PositionComponent* component = component_of(type);
    return !component || component->token_term || component->define_term_of_tokens;
}

/// The lines of a program that lead to its context, and on to an output that is more than that projected, as
/// text.
class OwnFormulaWriter {
public:
    OwnFormulaWriter(const Plan& plan, Program program)
        : plan_(plan), program_(std::move(program)), base_(formula_in_place_of(plan.spec)) {
        const AlgorithmComponent* algorithm = component_of(plan.spec.algorithm.type);
        says_output_ = (algorithm && algorithm->define_output) || formula_says_output(plan.spec);
        collect_lines();
        name_vectors();
        name_vectors_of_heads();
    }

    OwnFormula write() {
        std::string lines, indent;
        for (const ProgramPart& part : program_.parts()) {
            const auto has = [&](const ProgramLine& line) { return lines_.contains(line.name); };
            const bool is_repeated = part.times > 1 || assigns_again(part);
            if (is_repeated && std::ranges::any_of(part.assignments, has))
                lines += "repeat " + std::to_string(part.times) + ":\n";
            indent = is_repeated ? "    " : "";
            for (const ProgramLine& line : part.assignments) {
                if (!has(line))
                    continue;
                const std::string value = text_of(line.value);
                lines += indent + name_of_line(line.name) + " = " + value + '\n';
                assigned_.insert(line.name);
            }
        }
        OwnFormula own{base_, constants_ + lines, std::move(parameters_)};
        own.spec.mask = asks_for_mask_ ? plan_.spec.mask : Mask{};
        own.spec.algorithm.options["text"] = own.text;
        require_readable(own.text);
        return own;
    }

private:
    /// A line that is too long to be read again is none that a person would change.
    static void require_readable(const std::string& text) {
        try {
            parse_formula(text);
        } catch (const Error& error) {
            refuse("lines that a formula can have: " + error.detail().expected,
                   error.detail().got + " in " + error.detail().where);
        }
    }

    void collect_lines() {
        constexpr std::array of_vectors = {"query",
                                           "key",
                                           "value",
                                           "position",
                                           "key_position",
                                           "value_position",
                                           "placed_tokens",
                                           "placed_key_tokens",
                                           "placed_value_tokens"};
        constexpr std::array between = {"gate", "gated_context", "concatenation"};
        const bool makes_own = makes_keys_and_values(plan_.spec);
        bool has_context = false;
        for (const ProgramPart& part : program_.parts())
            for (const ProgramLine& line : part.assignments) {
                const bool is_own = makes_own && (line.name == "key" || line.name == "value");
                const bool is_before = !is_own && std::ranges::count(of_vectors, line.name) > 0;
                const bool is_behind = says_output_ && std::ranges::count(between, line.name) == 0;
                if (!is_before && (!has_context || is_behind))
                    lines_.insert(line.name);
                has_context |= line.name == "context";
            }
        if (!has_context)
            refuse("an attention with a line \"context\"", "one without");
        // The lines of positions that are added to tokens stand before the formula.
        if (base_.position.type != PositionType::none)
            drop_what_tokens_need();
    }

    void drop_what_tokens_need() {
        for (const ProgramPart& part : program_.parts())
            for (const ProgramLine& line : part.assignments) {
                if (line.name == "query")
                    return;
                lines_.erase(line.name);
            }
    }

    void name_vectors() {
        const auto name = [&](const char* tensor, const char* word) {
            if (program_.has(tensor) && !lines_.contains(tensor))
                names_[tensor] = word;
        };
        name("tokens", "x");
        name("key_tokens", "y");
        name("placed_tokens", "x");
        name("placed_key_tokens", "y");
        if (program_.has("placed_tokens"))
            names_.erase("tokens");
        for (const char* vectors : {"query", "key", "value"})
            name(vectors, vectors);
        if (says_output_)
            for (const char* joined : {"gated_context", "concatenation"})
                name(joined, "concatenation");
        if (knows_allowed_pairs())
            name("allowed", "allowed");
        name("query_places", "(i - 1)");
        name("key_places", "(j - 1)");
    }

    /// Otherwise there are fewer than the formula's mask allows.
    bool knows_allowed_pairs() const { return newest_keys(plan_.spec) == 0; }

    /// Shared keys and values, as each head reads them, are known as k and v, unless a position has turned
    /// them before.
    void name_vectors_of_heads() {
        static const std::map<std::string, std::string> words{{"key", "k"}, {"value", "v"}};
        for (const ProgramPart& part : program_.parts())
            for (const ProgramLine& line : part.assignments) {
                if (line.value->operation != Operation::take_heads)
                    continue;
                const std::string& shared = line.value->operands[0]->tensor;
                const auto word = words.find(shared);
                if (word == words.end() || line.name != shared + "_of_heads" || lines_.contains(shared))
                    continue;
                lines_.erase(line.name);
                names_[line.name] = word->second;
            }
    }

    bool assigns_again(const ProgramPart& part) const {
        return std::ranges::any_of(part.assignments,
                                   [&](const ProgramLine& line) { return assigned_.contains(line.name); });
    }

    /// Names that formulas know, or that come after them or before, belong to nothing else.
    static std::string free_name(const std::string& name, const char* behind) {
        static const std::set<std::string> taken = [] {
            std::set<std::string> all = {"output",
                                         "gate",
                                         "gated_context",
                                         "concatenation",
                                         "energy",
                                         "key_of_heads",
                                         "value_of_heads",
                                         "t",
                                         "and",
                                         "or",
                                         "not",
                                         "repeat"};
            for (const FormulaWord& word : formula_words())
                all.insert(word.name);
            return all;
        }();
        return taken.contains(name) ? name + behind : name;
    }
    static std::string name_of_line(const std::string& name) {
        return name == "output" ? name : free_name(name, "_of_line");
    }

    std::string text_of(const Expression& value) {
        return with_width_of_head(without_needless_parentheses(declared(line_text(
            value, LineWords::formula, [this](const std::string& name) { return name_of(name); }))));
    }

    /// The scale of scores follows the width of a head, which may be another where the formula is run.
    std::string with_width_of_head(std::string line) const {
        const std::string number =
            "/ sqrt(" + number_text(static_cast<double>(plan_.head_query_width())) + ')';
        constexpr std::string_view width = "/ sqrt(d)";
        for (std::size_t at = line.find(number); at != line.npos; at = line.find(number, at + width.size()))
            line.replace(at, number.size(), width);
        return line;
    }

    /// `line`, in which parameters stand between marks, each with its extents where it comes first.
    std::string declared(const std::string& line) {
        std::string text;
        std::size_t at = 0;
        for (std::size_t mark = line.find(parameter_mark); mark != line.npos;
             mark = line.find(parameter_mark, at)) {
            const std::size_t end = line.find(parameter_mark, mark + 1);
            text += line.substr(at, mark - at) + parameter(line.substr(mark + 1, end - mark - 1));
            at = end + 1;
        }
        return text + line.substr(at);
    }

    std::string name_of(const std::string& name) {
        if (lines_.contains(name))
            return name_of_line(name);
        if (const auto known = names_.find(name); known != names_.end()) {
            asks_for_mask_ |= name == "allowed";
            return known->second;
        }
        const auto given = std::ranges::find(program_.given(), name, &GivenTensor::name);
        if (given == program_.given().end() || given->kind == GivenTensor::Kind::input)
            refuse("lines of queries, keys and values", '"' + name + '"');
        if (given->kind == GivenTensor::Kind::constant)
            return says_rule_of(*given) ? in_parentheses(given->rule) : constant(*given);
        return std::string(1, parameter_mark) + name + parameter_mark;
    }

    /// The places of queries and keys say what the numbers are.
    bool says_rule_of(const GivenTensor& tensor) {
        const bool is_of_pairs = tensor.extent == Extent{0, plan_.queries, plan_.keys} &&
                                 plan_.spec.source.type == SourceType::self;
        if (tensor.rule.empty() || !is_of_pairs)
            return false;
        const bool asks = tensor.rule.find("allowed") != std::string::npos;
        if (asks && !knows_allowed_pairs())
            return false;
        asks_for_mask_ |= asks;
        rules_.insert(tensor.rule);
        return true;
    }

    static std::string in_parentheses(const std::string& words) { return '(' + words + ')'; }

    /// "where(j <= i, ..." in the place of "where((j <= i), ...".
    std::string without_needless_parentheses(std::string line) const {
        constexpr std::string_view where = "where(";
        for (const std::string& rule : rules_) {
            const std::string needless = std::string(where) + in_parentheses(rule) + ',';
            for (std::size_t at = line.find(needless); at != line.npos; at = line.find(needless, at))
                line.replace(at, needless.size(), std::string(where) + rule + ',');
        }
        return line;
    }

    /// With its extents where it is first named.
    std::string parameter(const std::string& name) {
        const std::string own = free_name(name, "_parameter");
        const Tensor& tensor = plan_.parameter(name);
        if (!parameters_.emplace(own, tensor).second)
            return own;
        std::string extents;
        for (const Index extent : tensor.shape())
            extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
        return own + '[' + extents + ']';
    }

    std::string constant(const GivenTensor& tensor) {
        const std::string name = free_name(tensor.name, "_numbers");
        if (!written_.insert(tensor.name).second)
            return name;
        if (const std::string call = call_for(tensor); !call.empty()) {
            constants_ += name + " = " + call + '\n';
            return name;
        }
        count_ += tensor.extent.size();
        if (count_ > most_written)
            refuse("at most " + std::to_string(most_written) +
                       " numbers that follow from places, as a shorter text has",
                   std::to_string(count_) + " with \"" + tensor.name + '"');
        constants_ += name + " = " + numbers_of(tensor) + '\n';
        return name;
    }

    /// "eye(64)" and the like, where a function of formulas gives these numbers.
    static std::string call_for(const GivenTensor& tensor) {
        const Extent& extent = tensor.extent;
        if (extent.heads > 0 || tensor.is_truth || extent.size() == 1)
            return {};
        const std::vector<double>& numbers = tensor.numbers;
        const auto are_all = [&](double number) {
            return std::ranges::all_of(numbers, [=](double each) { return each == number; });
        };
        for (const auto& [word, number] : {std::pair("zeros", 0.0), {"ones", 1.0}})
            if (are_all(number))
                return std::string(word) + '(' + std::to_string(extent.rows) + ", " +
                       std::to_string(extent.columns) + ')';
        Index at = 0;
        const auto is_of_identity = [&](double each) {
            const bool is_on_diagonal = at / extent.columns == at % extent.columns;
            ++at;
            return each == (is_on_diagonal ? 1 : 0);
        };
        if (extent.rows == extent.columns && std::ranges::all_of(numbers, is_of_identity))
            return "eye(" + std::to_string(extent.rows) + ')';
        return {};
    }

    static std::string numbers_of(const GivenTensor& tensor) {
        const auto word = [&](double number) -> std::string {
            if (tensor.is_truth)
                return number != 0 ? "True" : "False";
            return std::isinf(number) ? (number < 0 ? "-inf" : "inf") : number_text(number);
        };
        const Extent& extent = tensor.extent;
        std::string all;
        Index at = 0;
        for (Index head = 0; head < extent.matrices(); ++head) {
            std::string matrix;
            for (Index row = 0; row < extent.rows; ++row) {
                std::string numbers;
                for (Index column = 0; column < extent.columns; ++column, ++at)
                    numbers += (column > 0 ? ", " : "") + word(tensor.numbers[at]);
                matrix += (row > 0 ? ", [" : "[") + numbers + ']';
            }
            all += (head > 0 ? ", [" : "[") + matrix + ']';
        }
        return extent.heads > 0 ? '[' + all + ']' : all;
    }

    const Plan& plan_;
    Program program_;
    AttentionSpec base_;
    std::set<std::string> lines_;     ///< that the formula has
    std::set<std::string> assigned_;  ///< those that are written
    std::set<std::string> written_;   ///< constants that are written
    std::set<std::string> rules_;     ///< in their place
    std::map<std::string, std::string> names_;
    std::map<std::string, Tensor> parameters_;
    std::string constants_;
    Index count_ = 0;
    bool asks_for_mask_ = false;
    bool says_output_ = false;  ///< lines behind the context do
};

bool is_typed(const Plan& plan) { return plan.spec.algorithm.type == AlgorithmType::formula; }

std::string typed_text(const Plan& plan) {
    return std::get<std::string>(plan.spec.algorithm.options.at("text"));
}

OwnFormula as_typed(const Plan& plan) {
    OwnFormula own{plan.spec, typed_text(plan), {}};
    for (const DeclaredParameter& declared : formula_parameters(plan))
        own.parameters.emplace(declared.name, plan.parameter(declared.name));
    return own;
}

}  // namespace

AttentionSpec formula_in_place_of(const AttentionSpec& spec) {
    AttentionSpec base;
    base.source = spec.source;
    base.projections = spec.projections;
    base.mask = spec.mask;
    base.heads = spec.heads;
    if (base.heads.type == HeadsType::talking)
        base.heads.type = HeadsType::multi;
    // A position that acts later is in the lines of the formula.
    const Position both = complete_spec(spec).position;
    for (const PositionType position : {both.type, both.second})
        if (position != PositionType::none && is_of_tokens(position)) {
            base.position.type = position;
            for (const Option& option : position_options(position, PositionType::none))
                base.position.options[option.name] = both.options.at(option.name);
        }
    base.algorithm.type = AlgorithmType::formula;
    return complete_spec(base);
}

OwnFormula own_formula(const Plan& plan) {
    OwnFormula own = is_typed(plan) ? as_typed(plan) : OwnFormulaWriter(plan, program_of(plan)).write();
    std::vector<ParameterInfo> required;
    for (const auto& [name, tensor] : own.parameters)
        required.push_back({name, tensor.shape(), {}});
    const auto drawn = resolve_parameters(required, {}, plan.seed);
    std::erase_if(own.parameters,
                  [&](const auto& parameter) { return drawn.at(parameter.first) == parameter.second; });
    return own;
}

std::string formula_lines(const Plan& plan) {
    if (is_typed(plan))
        return typed_text(plan);
    constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();
    return OwnFormulaWriter(plan, program_without_given_rows(plan, any_number)).write().text;
}

}  // namespace headlight
