#include "core/io/image_session.h"

#include "core/figure/another_text.h"
#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

/// The patch of another grid that lies nearest to the same place of the image.
Index moved(Index patch, PatchGrid from, PatchGrid to) {
    patch = std::clamp<Index>(patch, 0, from.count() - 1);
    const auto scaled = [](Index place, Index before, Index after) {
        return (2 * place + 1) * after / (2 * before);
    };
    return scaled(patch / from.columns, from.rows, to.rows) * to.columns +
           scaled(patch % from.columns, from.columns, to.columns);
}

}  // namespace

Session with_image(Session session, PatchedPicture image, std::string name) {
    session = on_its_mechanism(std::move(session));
    SequenceSettings& sequence = session.sequence;
    sequence.file = nullptr;
    sequence.file_name.clear();
    sequence.image = std::move(image);
    sequence.image_name = std::move(name);
    session.drawn_mask = nullptr;
    session.figure = for_another_text(session.figure);
    session.view = in_view(session.view, ViewKind::image);
    // A weight is one of some two hundred: on a scale to 1 the image would stay dark.
    session.figure.range = RangeKind::fitted;
    const PatchGrid grid = sequence.image.grid();
    const Index middle = grid.rows / 2 * grid.columns + grid.columns / 2;
    session.view.selection.query = reads_image_alone(session) ? middle : 0;
    session.view.selection.key = middle;
    session.view.decoding_step.reset();
    return session;
}

Session without_image(Session session) {
    session.sequence.image = {};
    session.sequence.image_name.clear();
    session.drawn_mask = nullptr;
    if (session.view.view == ViewKind::image)
        session.view = in_view(session.view, ViewKind::heatmap);
    session.figure.range = FigureSettings().range;
    session.view.selection.query = session.view.selection.key = 0;
    session.view.decoding_step.reset();
    return session;
}

Session with_patch_columns(Session session, Index columns) {
    PatchedPicture& image = session.sequence.image;
    const PatchGrid before = image.grid();
    image.columns = std::clamp<Index>(columns, 1, most_patch_columns(*image.picture));
    Selection& selection = session.view.selection;
    if (reads_image_alone(session))
        selection.query = moved(selection.query, before, image.grid());
    selection.key = moved(selection.key, before, image.grid());
    if (image.grid() != before)
        session.drawn_mask = nullptr;
    session.view.decoding_step.reset();
    return session;
}

bool reads_image_alone(const Session& session) {
    try {
        return session.sequence.image && session_spec(session).source.type == SourceType::self;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace headlight
