// The equations that the stages view draws, "Query × Key = Scores", hold for the numbers of their panels,
// in every stage of every mechanism. An arrow claims nothing; an equals sign does.

#include "core/attention/component.h"
#include "core/catalog/mechanism.h"
#include "core/figure/build_figure.h"
#include "core/tensor/error.h"
#include "tests/support/attention_runs.h"

#include <regex>

namespace headlight::drawn_equations_test {

using namespace test;

namespace {

struct Matrix {
    Index rows = 0, columns = 0;
    std::vector<double> values;
    double& at(Index row, Index column) { return values[static_cast<std::size_t>(row * columns + column)]; }
    double at(Index row, Index column) const {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
};

Matrix numbers_of(const Panel& panel) { return {panel.rows, panel.columns, panel.values.copy()}; }

Matrix product(const Matrix& left, const Matrix& right) {
    Matrix result{left.rows, right.columns,
                  std::vector<double>(static_cast<std::size_t>(left.rows * right.columns))};
    EXPECT_EQ(left.columns, right.rows);
    for (Index row = 0; row < left.rows; ++row)
        for (Index column = 0; column < right.columns; ++column)
            for (Index i = 0; i < left.columns; ++i)
                result.at(row, column) += left.at(row, i) * right.at(i, column);
    return result;
}

Matrix cell_by_cell(Matrix left, const Matrix& right, auto&& operation) {
    EXPECT_EQ(left.rows, right.rows);
    EXPECT_EQ(left.columns, right.columns);
    for (std::size_t i = 0; i < std::min(left.values.size(), right.values.size()); ++i)
        left.values[i] = operation(left.values[i], right.values[i]);
    return left;
}

/// Reads the operators between panels as a reader does.
class DrawnEquation {
public:
    DrawnEquation(const Plan& plan, Index head) : plan_(plan), head_(head) {}

    /// Checks the panels that are no thumbnails; false when they claim nothing.
    bool check(const std::vector<Panel>& panels) {
        const std::string& last = panels.back().operator_before;
        if (panels.size() < 2 || !last.ends_with("="))
            return false;
        Matrix left = numbers_of(panels.front());
        for (std::size_t i = 1; i + 1 < panels.size(); ++i)
            left = joined(left, panels[i].operator_before, numbers_of(panels[i]));
        std::string operation = last.substr(0, last.size() - 1);
        for (std::smatch line; std::regex_search(operation, line, std::regex("[^\n]+"));
             operation = line.suffix())
            left = applied(left, line.str(), panels.back());
        compare(left, panels.back());
        return true;
    }

private:
    Matrix joined(const Matrix& left, const std::string& operation, const Matrix& right) {
        if (operation == "×")
            return product(left, right);
        if (operation == "× W ×")
            return product(product(left, whole("W")), right);
        if (operation == "+")
            return cell_by_cell(left, right, std::plus());
        if (operation == "−")
            return cell_by_cell(left, right, std::minus());
        if (operation == "∘")
            return cell_by_cell(left, right, std::multiplies());
        ADD_FAILURE() << "an equation is drawn with " << operation;
        return left;
    }

    Matrix applied(Matrix left, const std::string& operation, const Panel& result) {
        std::smatch match;
        if (operation == "÷ Σ") {
            for (Index row = 0; row < left.rows; ++row) {
                double sum = 0;
                for (Index column = 0; column < left.columns; ++column)
                    sum += left.at(row, column);
                for (Index column = 0; column < left.columns; ++column)
                    left.at(row, column) /= sum > 0 ? sum : 1;
            }
            return left;
        }
        if (std::regex_match(operation, match, std::regex("÷ √([0-9]+)")))
            return scaled(left, 1 / std::sqrt(std::stod(match[1])));
        if (operation == "× g")
            return scaled(left, plan_.parameter("g")[0]);
        if (operation == "× γ")
            return scaled(left, plan_.algorithm().number("gamma"));
        if (operation == "· v" || operation == "· v ÷ |v|" || operation == "Σ") {
            // The energies of one query become its row of the scores.
            std::vector<double> v(static_cast<std::size_t>(left.columns), 1.0);
            if (operation != "Σ")
                std::ranges::copy(plan_.parameter("v").values(), v.begin());
            double length = 0;
            for (const double each : v)
                length += each * each;
            const Matrix row = product(left, {left.columns, 1, v});
            return scaled({1, row.rows, row.values}, operation == "· v ÷ |v|" ? 1 / std::sqrt(length) : 1);
        }
        if (operation == "× I" || operation == "sum × I")
            return columns_of(left, result.columns, head_ * result.columns);
        if (std::regex_match(operation, match, std::regex("(sum )?× W(_q|ₖ|ᵥ|ₒ|ᵣ)( \\+ b)?")))
            return projected(left, match[2], match[3].matched, result);
        ADD_FAILURE() << "an equation is drawn with " << operation;
        return left;
    }

    Matrix projected(const Matrix& left, const std::string& index, bool has_bias, const Panel& result) {
        const std::string letter = index == "_q"  ? "q"
                                   : index == "ₖ" ? "k"
                                   : index == "ᵥ" ? "v"
                                   : index == "ₒ" ? "o"
                                                  : "r";
        const Index first = letter == "o" ? 0 : result.head * result.columns;
        Matrix made = product(left, columns_of(whole("W_" + letter), result.columns, first));
        for (Index row = 0; has_bias && row < made.rows; ++row)
            for (Index column = 0; column < made.columns; ++column)
                made.at(row, column) += plan_.parameter("b_" + letter)[first + column];
        return made;
    }

    Matrix whole(const std::string& name) {
        const Tensor& tensor = plan_.parameter(name);
        return {tensor.rows(), tensor.cols(), {tensor.values().begin(), tensor.values().end()}};
    }
    static Matrix columns_of(const Matrix& from, Index count, Index first) {
        Matrix part{from.rows, count, std::vector<double>(static_cast<std::size_t>(from.rows * count))};
        for (Index row = 0; row < from.rows; ++row)
            for (Index column = 0; column < count; ++column)
                part.at(row, column) = from.at(row, first + column);
        return part;
    }
    static Matrix scaled(Matrix matrix, double factor) {
        for (double& value : matrix.values)
            value *= factor;
        return matrix;
    }

    void compare(const Matrix& left, const Panel& result) {
        const Matrix right = numbers_of(result);
        const bool is_one_row = left.rows == 1 && right.rows > 1;  // of the selected query, 0
        ASSERT_TRUE(is_one_row || left.rows == right.rows);
        ASSERT_EQ(left.columns, right.columns);
        for (Index row = 0; row < left.rows; ++row)
            for (Index column = 0; column < left.columns; ++column)
                if (std::isfinite(right.at(row, column))) {
                    ASSERT_NEAR(left.at(row, column), right.at(row, column),
                                1e-9 * (1 + std::abs(right.at(row, column))))
                        << row << ", " << column;
                }
    }

    const Plan& plan_;
    Index head_;
};

class EveryMechanismDrawn : public testing::TestWithParam<std::string> {};

TEST_P(EveryMechanismDrawn, ClaimsWhatHolds) {
    const Mechanism& mechanism = headlight::mechanism(GetParam());
    std::vector<ParameterValues> settings{{}};
    for (const MechanismParameter& parameter : mechanism.parameters) {
        if (parameter.kind == MechanismParameter::Kind::boolean)
            settings.push_back({{parameter.name, !std::get<bool>(parameter.standard)}});
        for (const std::string& choice : parameter.choices)
            settings.push_back({{parameter.name, choice}});
    }
    int claims = 0;
    for (const ParameterValues& values : settings) {
        for (const auto& [name, value] : values)
            SCOPED_TRACE(name + " = " + to_string(value));
        const AttentionSpec spec = build_spec(mechanism, values);
        RandomEngine random(23);
        Inputs inputs{.query = random_tensor({4, 8}, random)};
        if (spec.source.type == SourceType::cross)
            inputs.key = inputs.value = random_tensor({5, 8}, random);
        std::shared_ptr<const Plan> plan;
        try {
            plan = planned(spec, inputs);
        } catch (const Error&) {
            ASSERT_FALSE(values.empty());
            continue;  // an option that needs another beside it
        }
        const Trace trace = record(plan);
        for (const std::string& stage : visible_stages(trace)) {
            for (Index head = 0; head < plan->heads; ++head) {
                std::string place = stage;
                for (const auto& [name, value] : values)
                    place += ", " + name + " = " + to_string(value);
                SCOPED_TRACE(place);
                ViewSettings view;
                view.view = ViewKind::stages;
                view.selection.stage = stage;
                view.selection.head = head;
                std::vector<Panel> panels = build_figure(trace, view).panels;
                std::erase_if(panels, &Panel::thumbnail);
                claims += DrawnEquation(*plan, head).check(panels) ? 1 : 0;
                if (HasFailure())
                    return;
            }
        }
    }
    EXPECT_GT(claims + static_cast<int>(!is_composed(build_spec(mechanism, {}))), 0);
}

std::vector<std::string> ids() {
    std::vector<std::string> list;
    for (const Mechanism& each : mechanisms())
        list.push_back(each.id);
    return list;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMechanismDrawn, testing::ValuesIn(ids()),
                         [](const auto& row) { return row.param; });

}  // namespace

}  // namespace headlight::drawn_equations_test
