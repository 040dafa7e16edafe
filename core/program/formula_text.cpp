#include "core/program/formula_text.h"

#include "core/program/line_text.h"

#include <algorithm>
#include <set>

namespace headlight {

std::string formula_text(const Program& program) {
    std::string text;
    std::set<std::string> assigned;
    for (const ProgramPart& part : program.parts()) {
        // A loop of one turn is told by names that it assigns again.
        const bool is_repeated =
            part.times > 1 || std::ranges::any_of(part.assignments, [&](const ProgramLine& line) {
                return assigned.contains(line.name);
            });
        if (is_repeated)
            text += "repeat " + std::to_string(part.times) + ":\n";
        for (const ProgramLine& line : part.assignments) {
            assigned.insert(line.name);
            text += (is_repeated ? "    " : "") + line.name + " = " +
                    line_text(line.value, LineWords::formula) + '\n';
        }
    }
    return text;
}

}  // namespace headlight
