#pragma once

#include "core/io/session.h"
#include "core/workbench/view_history.h"

#include <QObject>

#include <functional>
#include <optional>

namespace headlight {

/// Where a session is being looked at, and in which light: selection, view, zoom, step, theme. The views of a
/// document share it, Back and Forward lead through its places, and a session file remembers it; none of it
/// is ever undone, or anything to save.
class Looking : public QObject {
    Q_OBJECT
public:
    using Move = ViewHistory::Move;

    /// What keeps the session that is looked at.
    struct Keeper {
        std::function<const Session&()> session;
        /// Puts a session in place, looked at where it can be. With a move, its own place is left for that by
        /// leave_for().
        std::function<void(Session next, std::optional<Move> move)> lead;
        /// Puts one in place in silence, which has the same pictures.
        std::function<void(Session next)> replace;
    };
    explicit Looking(Keeper keeper, QObject* parent = nullptr);

    const ViewState& view() const { return keeper_.session().view; }
    /// Returns the places that go_back() and go_forward() lead to.
    const ViewHistory& places() const { return places_; }

    /// Looks elsewhere, or in another light. Never a step of the history.
    void look_at(const ViewState& view, Move move = Move::jump);
    /// look_at() another selection in the same view.
    void select(const Selection& selection, Move move = Move::jump);
    /// Looks at another part of the matrices, at the same place: told by zoom_changed() alone.
    void zoom_to(const std::optional<ZoomedPart>& part);
    /// Selects a rectangle of cells, or none, at the same place: told by block_changed() alone.
    void select_block(const std::optional<CellBlock>& block);

    /// For the keeper: view() is about to be left for `next`, by an edit as well.
    void leave_for(const ViewState& next, Move move);
    /// For the keeper: something else was opened, and no place is one of it.
    void forget_places() { places_.clear(); }

public slots:
    /// To the last place where one stayed, and forward again. Edits stay as they are.
    void go_back();
    void go_forward();

signals:
    /// view() changed. Where an edit led elsewhere, Document::session_changed() comes first, both when all is
    /// in place.
    void view_changed(const headlight::ViewState& before);
    /// view().zoom changed and nothing else. Dragging a picture tells it with every move of the pointer.
    void zoom_changed();
    /// view().block changed and nothing else, also with every move of the pointer.
    void block_changed();

private:
    /// The session, looked at from there.
    Session seen_from(const ViewState& view) const;

    Keeper keeper_;
    ViewHistory places_;
};

}  // namespace headlight
