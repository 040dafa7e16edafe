#include "app/cli/formula_notes.h"

#include "app/cli/output.h"
#include "app/cli/standard_streams.h"
#include "core/attention/formula_remarks.h"

namespace headlight {

void note_formula(const AttentionSpec& spec, const std::string& file) {
    for (const FormulaRemark& each : remarks_on(*typed_formula(spec)))
        remark(shown_file(file).string() + ": " + to_string(each.place) + ": " + each.text);
}

}  // namespace headlight
