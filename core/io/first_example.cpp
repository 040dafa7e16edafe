#include "core/io/first_example.h"

namespace headlight {

Session first_example() {
    Session session = example_session();
    // In three dimensions already two of the words are near each other and the third is far from both.
    session.sequence.query_text = "king queen bread";
    session.sequence.vectors.dimension = 3;
    session.view.view = ViewKind::stages;
    session.view.selection.stage = "tokens";
    session.view.selection.query = 1;  // “queen” looks at “king”
    session.view.selection.key = 0;
    return session;
}

}  // namespace headlight
