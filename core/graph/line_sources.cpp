#include "core/graph/line_sources.h"

#include <algorithm>
#include <unordered_set>

namespace headlight {
namespace {

/// Adds the names that an expression reads. Expressions share parts: each is looked at once.
void add_names(const Expression& x, std::set<std::string>& names,
               std::unordered_set<const ExpressionNode*>& seen) {
    std::vector<Expression> pending{x};
    while (!pending.empty()) {
        const Expression next = pending.back();
        pending.pop_back();
        if (!seen.insert(&*next).second)
            continue;
        if (next->operation == Operation::tensor)
            names.insert(next->tensor);
        pending.insert(pending.end(), next->operands.begin(), next->operands.end());
    }
}

}  // namespace

LineSources::LineSources(const Program& program) {
    for (const GivenTensor& tensor : program.given())
        given_.insert(tensor.name);
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments) {
            std::unordered_set<const ExpressionNode*> seen;
            add_names(line.value, reads_[line.name], seen);
        }
}

std::string LineSources::without_row(const std::string& line) const {
    const std::size_t end = line.rfind('_');
    const bool is_numbered = end != std::string::npos && end + 1 < line.size() &&
                             std::all_of(line.begin() + static_cast<std::ptrdiff_t>(end) + 1, line.end(),
                                         [](char character) { return character >= '0' && character <= '9'; });
    std::string whole = is_numbered ? line.substr(0, end) : line;
    return reads_.contains(whole) || given_.contains(whole) ? line : whole;
}

std::optional<std::vector<std::string>>
LineSources::sources_of(const std::string& stage,
                        const std::function<std::string(const std::string&)>& stage_of) const {
    std::vector<std::string> pending;
    for (const auto& [line, names] : reads_)
        if (line == stage || without_row(line) == stage)
            pending.push_back(line);
    if (pending.empty())
        return given_.contains(stage) ? std::optional(std::vector<std::string>()) : std::nullopt;
    std::set<std::string> passed(pending.begin(), pending.end());
    std::vector<std::string> sources;
    while (!pending.empty()) {
        const auto read = reads_.find(pending.back());
        pending.pop_back();
        if (read == reads_.end())
            continue;  // given
        for (const std::string& name : read->second) {
            if (!passed.insert(name).second)
                continue;
            std::string found = stage_of(name);
            if (found.empty())
                found = stage_of(without_row(name));
            if (found.empty() || found == stage)
                pending.push_back(name);
            else if (std::ranges::count(sources, found) == 0)
                sources.push_back(found);
        }
    }
    return sources;
}

}  // namespace headlight
