#include "core/graph/read_off.h"

#include "core/graph/operation.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace headlight {
namespace {

class ReadOff {
public:
    ReadOff(Program& program, const std::string& values, std::string suffix)
        : program_(program), suffix_(std::move(suffix)), rows_(program.tensor(values).extent().rows),
          columns_(program.tensor(values).extent().columns) {
        for (const ProgramPart& part : program.parts())
            for (const ProgramLine& line : part.assignments) {
                const bool is_once = part.times == 1 && !lines_.contains(line.name);
                lines_.insert_or_assign(line.name, is_once ? std::optional(line.value) : std::nullopt);
            }
        find_holders(values);
        const auto is_diagonal = [rows = rows_](Index i) { return i / rows == i % rows ? 1.0 : 0.0; };
        known_.emplace(values, program_.give({"each_" + values,
                                              GivenTensor::Kind::constant,
                                              {0, rows_, rows_},
                                              {rows_ * rows_, is_diagonal},
                                              "one of " + values + " alone in each row"}));
    }

    Expression of(const Expression& result) {
        if (const auto read = without(result))
            return *read;
        throw refusal("a sum of values", "what no value is in");
    }

private:
    /// Names of lines that values are in, however often they are assigned.
    void find_holders(const std::string& values) {
        holders_.insert(values);
        const std::function<bool(const Expression&)> holds = [&](const Expression& x) {
            return x->operation == Operation::tensor ? holders_.contains(x->tensor)
                                                     : std::ranges::any_of(x->operands, holds);
        };
        for (std::size_t before = 0; before != holders_.size();) {
            before = holders_.size();
            for (const ProgramPart& part : program_.parts())
                for (const ProgramLine& line : part.assignments)
                    if (!holders_.contains(line.name) && holds(line.value))
                        holders_.insert(line.name);
        }
    }

    Error refusal(const std::string& expected, const std::string& got) const {
        return Error({"read off weights", line_, expected, got});
    }

    /// `x` with the identity in the place of the values; nothing where no value is in it.
    std::optional<Expression> without(const Expression& x) {
        if (x->operation == Operation::tensor)
            return of_line(x->tensor);
        std::vector<std::optional<Expression>> parts;
        bool has_values = false;
        for (const Expression& operand : x->operands) {
            parts.push_back(without(operand));
            has_values |= parts.back().has_value();
        }
        if (!has_values)
            return {};
        return of_operation(x, parts);
    }

    std::optional<Expression> of_line(const std::string& name) {
        if (const auto known = known_.find(name); known != known_.end())
            return known->second;
        if (!holders_.contains(name))
            return {};
        const auto line = lines_.find(name);
        if (!line->second)
            throw refusal("lines that are not repeated", '"' + name + '"');
        const std::string before = std::exchange(line_, name);
        std::optional<Expression> read = without(*line->second);
        line_ = before;
        if (read)
            read = program_.let(name + suffix_, *read, "what " + name + " takes of each value");
        known_.emplace(name, read);
        return read;
    }

    using Parts = std::vector<std::optional<Expression>>;

    /// A factor that is alike for all features.
    Expression alike(const Expression& x) const {
        if (x.extent().columns != 1)
            throw refusal("the same for all features of a value", "a number for each feature");
        return x;
    }

    std::optional<Expression> of_operation(const Expression& x, const Parts& parts) {
        const auto& operands = x->operands;
        switch (x->operation) {
        case Operation::negate:
            return -*parts[0];
        case Operation::add:
            return parts[0] && parts[1] ? *parts[0] + *parts[1] : parts[0] ? parts[0] : parts[1];
        case Operation::subtract:
            return parts[0] && parts[1] ? *parts[0] - *parts[1] : parts[0] ? *parts[0] : -*parts[1];
        case Operation::multiply:
            if (!parts[0])
                return alike(operands[0]) * *parts[1];
            if (!parts[1])
                return *parts[0] * alike(operands[1]);
            break;
        case Operation::divide:
            if (!parts[1])
                return *parts[0] / alike(operands[1]);
            break;
        case Operation::product:
            if (!parts[0])
                return product(operands[0], *parts[1]);
            break;
        case Operation::sum_of_rows:
            return sum_of_rows(*parts[0]);
        case Operation::choose: {
            if (parts[0])
                break;
            const auto chosen = [&](std::size_t i) {
                const bool is_zero = operands[i]->operation == Operation::number && operands[i]->number == 0;
                if (!parts[i] && !is_zero)
                    throw refusal("values, or 0, in both cases", "something else");
                return parts[i] ? *parts[i] : Expression(0);
            };
            return choose(alike(operands[0]), chosen(1), chosen(2));
        }
        case Operation::take_heads:
            return parts[0]->extent().heads == 0 ? parts[0] : take_heads(*parts[0], x->heads);
        case Operation::pick:
            if (x->row_places.columns == 1 && is_of_all_columns(x))
                return pick(*parts[0], x->row_places, {1, rows_, counted(0, rows_)});
            throw refusal("all features of the values together", "some of them");
        case Operation::join_rows:
            return joined(operands, parts);
        default:
            break;
        }
        throw refusal("a sum of values, each times a number",
                      "the operation \"" + std::string(description_of(x->operation).name) + "\" on values");
    }

    bool is_of_all_columns(const Expression& x) const {
        const std::vector<Index>& columns = x->column_places.numbers;
        return x->column_places.rows == 1 && columns == counted(0, columns_);
    }

    /// Rows that no value is in are zeros.
    Expression joined(const std::vector<Expression>& operands, const Parts& parts) {
        Index heads = 0;
        for (const auto& part : parts)
            heads = std::max(heads, part ? part->extent().heads : 0);
        std::vector<Expression> rows;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const Extent extent{heads, operands[i].extent().rows, rows_};
            if (!parts[i])
                rows.push_back(zeros(extent));
            else
                rows.push_back(parts[i]->extent().heads == heads ? *parts[i] : *parts[i] + zeros(extent));
        }
        return join_rows(std::move(rows));
    }

    Expression zeros(const Extent& extent) {
        return program_.give(
            {"no_value_" + std::to_string(extent.rows) + (extent.heads > 0 ? "_of_heads" : ""),
             GivenTensor::Kind::constant,
             extent,
             {extent.size(), [](Index) { return 0.0; }},
             "nothing of any value"});
    }

    Program& program_;
    std::string suffix_;
    Index rows_ = 0, columns_ = 0;  ///< of the values
    std::string line_;
    std::map<std::string, std::optional<Expression>> lines_;  ///< nothing for what is assigned again
    std::set<std::string> holders_;
    std::map<std::string, std::optional<Expression>> known_;
};

}  // namespace

Expression read_off(Program& program, const Expression& result, const std::string& values,
                    const std::string& suffix) {
    return ReadOff(program, values, suffix).of(result);
}

}  // namespace headlight
