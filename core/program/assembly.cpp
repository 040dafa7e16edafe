#include "core/program/assembly.h"

#include "core/attention/defined_rows.h"

namespace headlight {

Expression write_weights(Composer& composer, const Expression& scores, const std::string& name,
                         const std::string& suffix) {
    DefinedRows rows(composer, scores, suffix);
    return composer.let(name, define_weights(rows), "what each query gives to each key");
}

}  // namespace headlight
