#pragma once

#include "core/graph/program_part.h"
#include "core/tensor/token_labels.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace headlight {

/// More lines, or numbers for one row, than somebody would wait for who asked for few.
struct TooMuch {};

/// A run in arithmetic that any language has: numbers that are given, then tensors that follow from them. A
/// tensor that is a stage of the trace has its name; the last one is the output.
class Program {
public:
    std::string title;
    TokenLabels tokens;
    std::size_t most_lines = std::numeric_limits<std::size_t>::max();  ///< let() throws TooMuch beyond
    /// Nobody asks for the numbers that follow from places: what has a cost, a shape or a name is known
    /// without.
    bool is_outline = false;
    /// What functions of places read, for a program that outlives whoever wrote it.
    std::shared_ptr<const void> kept = nullptr;

    /// The same numbers under the same name are given once; others under it are refused.
    Expression give(GivenTensor tensor);
    bool has(const std::string& name) const;
    Expression tensor(const std::string& name) const;
    /// Appends an assignment. The name is new, unless it stands in a part that is repeated.
    Expression let(const std::string& name, const Expression& value, const std::string& note = {});
    /// The assignments that `body` makes, `times` times.
    void repeat(Index times, const std::function<void()>& body);

    const std::vector<GivenTensor>& given() const { return given_; }
    const std::vector<ProgramPart>& parts() const { return parts_; }

private:
    std::vector<GivenTensor> given_;
    std::vector<ProgramPart> parts_;
    std::vector<Expression> names_;  ///< tensor nodes by name: a recurrence has thousands
    bool is_repeated_ = false;
};

}  // namespace headlight
