#include "ui/panels/beam_panel.h"

#include "core/workbench/model_edits.h"
#include "ui/models/document.h"
#include "ui/views/beam_tree_view.h"
#include "ui/views/describe.h"
#include "ui/views/wrapped_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {

BeamPanel::BeamPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), fold_(new QToolButton), heading_(new WrappedLabel),
      pruned_(new QCheckBox(tr("Pruned"))), best_(new QPushButton(tr("The best"))), tree_(new BeamTreeView) {
    setObjectName(QStringLiteral("beam_panel"));
    describe(fold_, QStringLiteral("beam_fold"), tr("Fold the tree"),
             tr("Leaves the room of the tree to the picture, and brings it back"));
    fold_->setCheckable(true);
    fold_->setArrowType(Qt::DownArrow);
    heading_->setObjectName(QStringLiteral("beam_heading"));
    heading_->setAccessibleName(tr("The text in focus"));
    describe(pruned_, QStringLiteral("beam_pruned"), tr("Pruned texts"),
             tr("Shows what was looked at and given up as well: better texts took the places"));
    pruned_->setChecked(true);
    describe(best_, QStringLiteral("beam_best"), tr("Show the best"),
             tr("The pictures show the best text again, all of it"));
    describe(tree_, QStringLiteral("beam_tree"), tr("Beam tree"), {});
    auto* top = new QHBoxLayout;
    top->setContentsMargins(4, 4, 8, 0);
    top->setSpacing(8);
    top->addWidget(fold_);
    top->addWidget(heading_, 1);
    top->addWidget(best_);
    top->addWidget(pruned_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(top);
    layout->addWidget(tree_, 1);
    setFocusProxy(tree_);

    connect(tree_, &BeamTreeView::node_chosen, this, &BeamPanel::follow);
    connect(best_, &QPushButton::clicked, this, [this] {
        if (const auto run = document_.run(); run && run->transcript && run->transcript->beams)
            follow(run->transcript->beams->tree.best);
    });
    connect(fold_, &QToolButton::toggled, this, &BeamPanel::fold);
    connect(pruned_, &QCheckBox::toggled, this, &BeamPanel::refresh);
    connect(&document_, &Document::run_changed, this, &BeamPanel::refresh);
    connect(&document_, &Document::session_changed, this, &BeamPanel::refresh);
    connect(&document_, &Document::error_changed, this, &BeamPanel::refresh);
    refresh();
}

void BeamPanel::follow(qsizetype node) {
    const std::shared_ptr<const Run> run = document_.run();
    // The node is one of the tree on show: while the next one grows, there is nothing to choose.
    if (!run || !run->transcript || !run->transcript->beams || document_.is_running())
        return;
    document_.edit(follow_beam(document_.session(), *run->transcript->beams, node));
}

void BeamPanel::fold(bool is_folded) {
    fold_->setArrowType(is_folded ? Qt::RightArrow : Qt::DownArrow);
    tree_->setVisible(!is_folded);
    pruned_->setVisible(!is_folded);
    setFocusProxy(is_folded ? static_cast<QWidget*>(fold_) : tree_);
    setSizePolicy(QSizePolicy::Preferred, is_folded ? QSizePolicy::Fixed : QSizePolicy::Preferred);
}

void BeamPanel::refresh() {
    const std::shared_ptr<const Run> run = document_.run();
    const Session& session = document_.session();
    const bool has_tree = session.model && run && run->transcript && run->transcript->beams;
    setVisible(has_tree);
    tree_->show_tree(has_tree ? run->transcript : nullptr, pruned_->isChecked());
    tree_->setEnabled(!document_.error());  // one of the last text that could be read is pale
    if (!has_tree)
        return;
    const TranscriptBeams& beams = *run->transcript->beams;
    heading_->show_text(QString::fromStdString(node_summary(*run->transcript, beams.followed)));
    best_->setVisible(beams.followed != beams.tree.best);  // else the heading has its room
    const Index width = run->session->model->request.choice.beam_width;
    tree_->setAccessibleDescription(
        tr("%1 Shift with left and right: a word back and on; with up and down: another text; End: the best.")
            .arg(QString::fromStdString(beam_description(*run->transcript, width))));
}

}  // namespace headlight
