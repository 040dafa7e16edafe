#include "core/workbench/capture_edits.h"

#include <utility>

namespace headlight {

Edit look_at_captured_head(Session session, std::string file, std::string_view called) {
    if (session.capture)
        session.capture->file = std::move(file);
    return {"Look at " + std::string(called), std::move(session)};
}

Edit choose_unit(Session session, TokenUnit unit, std::string_view called) {
    if (session.capture)
        session.capture->unit = unit;
    return {"Units: " + in_lower_case(called), std::move(session)};
}

Edit choose_spelling(Session session, TokenSpelling spelling, std::string_view called) {
    if (session.capture)
        session.capture->spelling = spelling;
    return {"Tokens: " + in_lower_case(called), std::move(session)};
}

}  // namespace headlight
