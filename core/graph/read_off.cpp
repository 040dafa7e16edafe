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

/// What a matrix takes of each value.
struct Taken {
    Expression of_each;      ///< rows of the matrix, or its columns, [.., m]
    bool is_turned = false;  ///< features stand in its rows, as in the states of papers, v.T @ k
};

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
        known_.emplace(values, Taken{program_.give({"each_" + values,
                                                    GivenTensor::Kind::constant,
                                                    {0, rows_, rows_},
                                                    {rows_ * rows_, is_diagonal},
                                                    "one of " + values + " alone in each row"})});
    }

    Expression of(const Expression& result) {
        const auto read = without(result);
        if (!read)
            throw refusal("a sum of values", "what no value is in");
        if (read->is_turned)
            throw has_features_in_rows();
        return read->of_each;
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

    Error has_features_in_rows() const {
        return refusal("a row of features for each query", "features in the rows (q[t] @ S.T has a row)");
    }

    /// `x` with the identity in the place of the values; nothing where no value is in it.
    std::optional<Taken> without(const Expression& x) {
        if (x->operation == Operation::tensor)
            return of_line(x->tensor);
        Parts parts;
        bool has_values = false;
        std::size_t turned = 0, there = 0;
        for (const Expression& operand : x->operands) {
            const auto taken = without(operand);
            has_values |= taken.has_value();
            there += taken ? 1 : 0;
            turned += taken && taken->is_turned ? 1 : 0;
            parts.push_back(taken ? std::optional(taken->of_each) : std::nullopt);
        }
        if (!has_values)
            return {};
        if (turned != 0 && turned != there)
            throw refusal("values that stand alike", "rows of features beside columns of them");
        if (x->operation == Operation::transposed)
            return Taken{*parts[0], turned == 0};
        if (turned != 0)
            return of_turned(x, parts);
        const auto read = of_operation(x, parts);
        return read ? std::optional(Taken{*read}) : std::nullopt;
    }

    std::optional<Taken> of_line(const std::string& name) {
        if (const auto known = known_.find(name); known != known_.end())
            return known->second;
        if (!holders_.contains(name))
            return {};
        const auto line = lines_.find(name);
        if (!line->second)
            throw refusal("lines that are not repeated", '"' + name + '"');
        const std::string before = std::exchange(line_, name);
        std::optional<Taken> read = without(*line->second);
        line_ = before;
        if (read)
            read->of_each =
                program_.let(name + suffix_, read->of_each, "what " + name + " takes of each value");
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

    /// (P V)ᵀ instead of P V: what is done to its columns is done to rows of P.
    Taken of_turned(const Expression& x, const Parts& parts) {
        const auto& operands = x->operands;
        const auto factor = [&](std::size_t i) {
            if (operands[i].extent().rows != 1)
                throw refusal("the same for all features of a value", "a number for each feature");
            return operands[i].extent().columns == 1 ? operands[i] : transposed(operands[i]);
        };
        switch (x->operation) {
        case Operation::negate:
        case Operation::add:
        case Operation::subtract:
            return {*of_operation(x, parts), true};
        case Operation::multiply:
            if (!parts[0] || !parts[1])
                return {parts[0] ? *parts[0] * factor(1) : factor(0) * *parts[1], true};
            break;
        case Operation::divide:
            if (!parts[1])
                return {*parts[0] / factor(1), true};
            break;
        case Operation::product:  // (P V)ᵀ b
            if (!parts[1])
                return {product(transposed(operands[1]), *parts[0]), true};
            if (!parts[0] && operands[0].extent().rows == 1)  // a row of a query, q (P V)ᵀ
                throw has_features_in_rows();
            break;
        case Operation::product_transposed:
            if (!parts[1])  // (P V)ᵀ bᵀ
                return {product(operands[1], *parts[0]), true};
            if (!parts[0])  // a P V
                return {product(operands[0], *parts[1]), false};
            break;
        default:
            break;
        }
        throw is_no_sum(x);
    }

    Error is_no_sum(const Expression& x) const {
        return refusal("a sum of values, each times a number",
                       "the operation \"" + std::string(description_of(x->operation).name) + "\" on values");
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
        throw is_no_sum(x);
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
    std::map<std::string, std::optional<Taken>> known_;
};

}  // namespace

Expression read_off(Program& program, const Expression& result, const std::string& values,
                    const std::string& suffix) {
    return ReadOff(program, values, suffix).of(result);
}

}  // namespace headlight
