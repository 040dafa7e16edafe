#include "core/workbench/session_edits.h"

#include "core/io/first_example.h"
#include "core/io/mechanism_example.h"
#include "core/workbench/fitting_knobs.h"

#include <utility>

namespace headlight {

Edit start_over(const Session& session) {
    Session fresh = example_session();
    fresh.view.theme = session.view.theme;
    return {"New session", std::move(fresh)};
}

Edit show_three_words(const Session& session) {
    Session first = first_example();
    first.view.theme = session.view.theme;
    return {"Three words", std::move(first)};
}

Edit show_tour_stop(const Session& session, const Mechanism& mechanism) {
    Session stop = mechanism_example(mechanism);
    stop.exported.reset();
    stop.view.theme = session.view.theme;
    stop.figure.range = session.figure.range;
    stop.figure.values_in_cells = true;
    return {"A stop of the tour", std::move(stop)};
}

Edit write_own_sentence(Session session) {
    session = on_its_mechanism(std::move(session));
    session.sequence.file = nullptr;
    session.sequence.image = {};
    session.sequence.vectors.dimension = example_session().sequence.vectors.dimension;
    session.view.selection.stage = "weights";
    return {"A sentence of your own", with_fitting_knobs(std::move(session))};
}

}  // namespace headlight
