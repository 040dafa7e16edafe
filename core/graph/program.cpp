#include "core/graph/program.h"

#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {

const Expression* Program::named(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? nullptr : &found->second;
}

Expression Program::give(GivenTensor tensor) {
    if (const Expression* taken = named(tensor.name)) {
        const auto known = std::ranges::find(given_, tensor.name, &GivenTensor::name);
        if (known != given_.end() && known->extent == tensor.extent && known->numbers == tensor.numbers)
            return *taken;
        throw Error({"write a program", tensor.name, "a new name", "one that is taken"});
    }
    const Expression made = named_tensor(tensor.name, tensor.extent, tensor.is_truth);
    names_.emplace(tensor.name, made);
    given_.push_back(std::move(tensor));
    return made;
}

bool Program::has(const std::string& name) const { return named(name) != nullptr; }

Expression Program::tensor(const std::string& name) const {
    if (const Expression* found = named(name))
        return *found;
    throw Error({"write a program", name, "a tensor of the program", "none of this name"});
}

Expression Program::let(const std::string& name, const Expression& value, const std::string& note) {
    Interruption::check();
    if (names_.size() >= most_lines)
        throw TooMuch();
    const Expression* known = named(name);
    if (known && (!is_repeated_ || known->extent() != value.extent()))
        throw Error({"write a program", name, "a new name", "one that is taken"});
    const Expression made = known ? *known : named_tensor(name, value.extent(), value->is_truth);
    if (!known)
        names_.emplace(name, made);
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
