#include "core/graph/program.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {
namespace {

/// Where among `names` this one is, or would be.
template <class Names>
auto place_of(Names& names, const std::string& name) {
    return std::lower_bound(
        names.begin(), names.end(), name,
        [](const Expression& each, const std::string& other) { return each->tensor < other; });
}

const Expression* named(const std::vector<Expression>& names, const std::string& name) {
    const auto found = place_of(names, name);
    return found == names.end() || (*found)->tensor != name ? nullptr : &*found;
}

}  // namespace

Expression Program::give(GivenTensor tensor) {
    const auto known = std::ranges::find(given_, tensor.name, &GivenTensor::name);
    if (known != given_.end() && known->extent == tensor.extent && known->numbers == tensor.numbers)
        return *named(names_, tensor.name);
    if (has(tensor.name))
        throw Error({"write a program", tensor.name, "a new name", "one that is taken"});
    const Expression made = named_tensor(tensor.name, tensor.extent, tensor.is_truth);
    names_.insert(place_of(names_, tensor.name), made);
    given_.push_back(std::move(tensor));
    return made;
}

bool Program::has(const std::string& name) const { return named(names_, name) != nullptr; }

Expression Program::tensor(const std::string& name) const {
    if (const Expression* found = named(names_, name))
        return *found;
    throw Error({"write a program", name, "a tensor of the program", "none of this name"});
}

Expression Program::let(const std::string& name, const Expression& value, const std::string& note) {
    Interruption::check();
    if (names_.size() >= most_lines)
        throw TooMuch();
    const Expression* known = named(names_, name);
    if (known && (!is_repeated_ || known->extent() != value.extent()))
        throw Error({"write a program", name, "a new name", "one that is taken"});
    const Expression made = known ? *known : named_tensor(name, value.extent(), value->is_truth);
    if (!known)
        names_.insert(place_of(names_, name), made);
    if (parts_.empty() || (parts_.back().times > 1 && !is_repeated_))
        parts_.emplace_back();
    parts_.back().assignments.push_back({name, value, note});
    return made;
}

void Program::repeat(Index times, const std::function<void()>& body) {
    if (times < 1)
        return;
    parts_.push_back({times, {}});
    is_repeated_ = true;
    body();
    is_repeated_ = false;
    if (times == 1)  // goes on as if nothing was repeated
        parts_.emplace_back();
}

}  // namespace headlight
