#include "core/attention/formula_maps.h"

#include "core/attention/formula_refusals.h"
#include "core/graph/graph_values.h"
#include "core/graph/operation.h"
#include "core/graph/read_off.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <span>
#include <vector>

namespace headlight {
namespace {

/// What the only line of this name assigns, once; nothing of other names.
std::optional<Expression> assigned_once(const Program& program, const std::string& name) {
    std::optional<Expression> value;
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            if (line.name == name) {
                if (value || part.times != 1)
                    return {};
                value = line.value;
            }
    return value;
}

/// What a name stands for that is only another one for it.
std::string first_name(const Program& program, std::string name) {
    for (auto line = assigned_once(program, name); line && (*line)->operation == Operation::tensor;
         line = assigned_once(program, name))
        name = (*line)->tensor;
    return name;
}

bool names_one_of(const Expression& x, const std::set<std::string>& names) {
    return x->operation == Operation::tensor ? names.contains(x->tensor)
                                             : std::ranges::any_of(x->operands, [&](const Expression& each) {
                                                   return names_one_of(each, names);
                                               });
}

/// This name, and those of all lines that follow from it, of which a scan has thousands.
std::set<std::string> names_from(const Program& program, const std::string& name) {
    std::set<std::string> names{name};
    for (std::size_t before = 0; before != names.size();) {
        before = names.size();
        for (const ProgramPart& part : program.parts())
            for (const ProgramLine& line : part.assignments)
                if (!names.contains(line.name) && names_one_of(line.value, names))
                    names.insert(line.name);
    }
    return names;
}

/// Looks for the map by which a line takes the values.
class MapReader {
public:
    MapReader(Program& program, const std::string& values)
        : program_(program), values_(values), with_values_(names_from(program, values)) {}

    std::optional<MapOfValues> of_line(const std::string& name) {
        return read_line(name) ? found_ : std::nullopt;
    }

private:
    /// False where values are there by another map too, or where what was taken goes on to other rows.
    bool read(const Expression& x) {
        if (!names_one_of(x, with_values_))
            return true;
        const auto& operands = x->operands;
        const auto reads = [this](const Expression& each) { return read(each); };
        const OperationDescription& description = description_of(x->operation);
        if (x->operation == Operation::tensor)
            return read_line(x->tensor);
        if (description.family == OperationFamily::elements)
            return std::ranges::all_of(operands, reads);
        if (description.along == AlongAxis::columns && operands.size() == 1)
            return read(operands[0]);
        if (x->operation == Operation::join_rows)
            return read_scan(x);
        if (x->operation != Operation::product && x->operation != Operation::product_transposed)
            return false;
        if (!names_one_of(operands[1], with_values_))
            return read(operands[0]);
        return x->operation == Operation::product && is_of_values(operands[1]) &&
               !names_one_of(operands[0], with_values_) && find({operands[0]});
    }

    bool read_line(const std::string& name) {
        if (lines_read_.contains(name))
            return true;
        const auto line = name == values_ ? std::nullopt : assigned_once(program_, name);
        if (!line || !read(*line))
            return false;
        lines_read_.insert(name);
        return true;
    }

    /// A row of each token, as a scan has.
    bool read_scan(const Expression& rows) {
        if (std::ssize(rows->operands) != rows.extent().rows)
            return false;
        try {
            return find({read_off(program_, rows, values_, " of each"), true});
        } catch (const Error&) {  // values are in it in another way than by a map
            return false;
        }
    }

    bool is_of_values(const Expression& x) const {
        return x->operation == Operation::tensor && first_name(program_, x->tensor) == values_;
    }

    bool find(const MapOfValues& map) {
        const auto is_found = [&](const Expression& x) {
            return &*x == &*found_->map ||
                   (x->operation == Operation::tensor && found_->map->operation == Operation::tensor &&
                    x->tensor == found_->map->tensor);
        };
        if (found_)
            return is_found(map.map);
        found_ = map;
        return true;
    }

    Program& program_;
    const std::string values_;
    const std::set<std::string> with_values_;
    std::set<std::string> lines_read_;
    std::optional<MapOfValues> found_;
};

/// Whether the numbers of two rows are the same but for a factor.
bool are_alike(std::span<const double> a, std::span<const double> b) {
    constexpr double near = 1e-6;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        if (std::abs(b[i]) > std::abs(b[largest]))
            largest = i;
    const double factor = b.empty() || b[largest] == 0 ? 1 : a[largest] / b[largest];
    double most = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        most = std::max({most, std::abs(a[i]), std::abs(factor * b[i])});
    for (std::size_t i = 0; i < b.size(); ++i)
        if (std::abs(a[i] - factor * b[i]) > near * most)
            return false;
    return true;
}

bool have_rows_alike(const OperandNumbers& a, const OperandNumbers& b, bool without_own_column) {
    const Index heads = std::max(a.extent.matrices(), b.extent.matrices()),
                rows = std::max(a.extent.rows, b.extent.rows),
                columns = std::max(a.extent.columns, b.extent.columns);
    for (Index head = 0; head < heads; ++head)
        for (Index row = 0; row < rows; ++row) {
            std::vector<double> of_a, of_b;
            for (Index column = 0; column < columns; ++column) {
                const double x = a.numbers[a.at({head, row, column})],
                             y = b.numbers[b.at({head, row, column})];
                if ((without_own_column && column == row) || !std::isfinite(x) || !std::isfinite(y))
                    continue;  // a run says itself what is not finite
                of_a.push_back(x);
                of_b.push_back(y);
            }
            if (!are_alike(of_a, of_b))
                return false;
        }
    return true;
}

}  // namespace

std::optional<MapOfValues> map_beside_weights(Program& program, const std::string& values) {
    if (!assigned_once(program, "weights"))
        return {};
    const std::string shown = first_name(program, "weights");
    if (names_from(program, shown).contains("context") || names_from(program, "context").contains("weights"))
        return {};
    const auto found = MapReader(program, values).of_line("context");
    const bool is_view = found && found->map->operation == Operation::tensor &&
                         names_from(program, found->map->tensor).contains("weights");
    return is_view ? std::nullopt : found;
}

void require_map_of_weights(const TypedFormula& formula, Program program, const MapOfValues& of_context) {
    const std::string taken = "weights of the context";
    program.let(taken, of_context.map);
    Graph graph(program.given(), program.parts());
    graph.keep_only({"weights", taken});
    GraphValues values(graph);
    for (const GivenTensor& tensor : program.given())
        values.set(tensor.name, tensor.numbers.all());
    values.run();
    const auto numbers_of_line = [&](const std::string& name) {
        return OperandNumbers{values.of(name).data(), program.tensor(name).extent()};
    };
    if (have_rows_alike(numbers_of_line("weights"), numbers_of_line(taken), of_context.is_of_scan))
        return;
    const FormulaLine *context = line_giving(formula.lines, "context"),
                      *weights = line_giving(formula.lines, "weights");
    refuse_formula(context->place,
                   "\"context = weights @ v\", for the map that is shown is \"weights\"; or another name for "
                   "line " +
                       std::to_string(weights->place.line) +
                       ": without it the weights are read off the context",
                   '"' + excerpt(context->text) +
                       "\", which takes the values by other numbers than those of "
                       "\"weights\"");
}

}  // namespace headlight
