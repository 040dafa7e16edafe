#include "core/workbench/parameter_edits.h"

#include <utility>

namespace headlight {

Edit choose_origin(Session session, ParameterOrigin origin, std::string_view called) {
    session.origin = origin;
    return {"Parameters: " + in_lower_case(called), std::move(session)};
}

Edit seed_parameters(Session session, std::uint64_t seed) {
    session.seed = seed;
    return {"Seed of the parameters", std::move(session), "seed"};
}

Edit draw_parameters_again(Session session) {
    ++session.seed;
    return {"Draw the parameters again", std::move(session)};
}

Edit edit_parameter(Session session, const std::string& name, Tensor parameter, Index row, Index column) {
    session.edited[name] = std::make_shared<const Tensor>(std::move(parameter));
    session.equated.erase(name);
    return {"Edit " + name + "[" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + "]",
            std::move(session)};
}

Edit forget_edits_of(Session session, const std::string& name) {
    session.edited.erase(name);
    session.equated.erase(name);
    return {"Undo edits of " + name, std::move(session)};
}

}  // namespace headlight
