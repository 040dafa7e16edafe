#pragma once

#include "core/figure/figure.h"
#include "core/workbench/run_session.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>

namespace headlight {

/// The pictures of one run under one way to look at it, built when they are first asked for.
class Figures {
public:
    /// The picture that `settings` ask for; null where there is none, which problem() explains, and of a view
    /// that takes longer than a frame (View::reads_every_head). `asked` is the view that an open question of
    /// a lesson is about, if any: the picture of any other, and a map, is an unanswered_figure().
    std::shared_ptr<const Figure> at(const Run& run, const ViewSettings& settings,
                                     std::optional<ViewKind> asked);
    /// Why that view has no picture, as at() found; empty where it has one.
    QString problem(ViewKind view) const;
    /// Another run, or another way to look at it.
    void clear() { known_.clear(); }

private:
    struct Pictured {
        std::shared_ptr<const Figure> figure;
        QString problem;  ///< why there is none
    };
    std::map<ViewKind, Pictured> known_;
};

}  // namespace headlight
