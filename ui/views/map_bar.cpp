#include "ui/views/map_bar.h"

#include "core/figure/build_figure.h"
#include "core/figure/image_view.h"
#include "ui/models/document.h"
#include "ui/views/cell_place.h"
#include "ui/views/playback.h"
#include "ui/views/stage_strip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>

namespace headlight {

MapBar::MapBar(Document& document, Stages stages, Heads heads, QWidget* parent)
    : QWidget(parent), document_(document), stages_(stages), strip_(new StageStrip) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->addWidget(strip_, 1);
    connect(strip_, &StageStrip::chosen, this, [this](const std::string& stage) {
        Selection selection = document_.view().selection;
        selection.stage = stage;
        document_.select(selection);
    });
    if (heads == Heads::one) {
        heads_ = new QComboBox;
        heads_->setObjectName(QStringLiteral("head-choice"));
        heads_->setAccessibleName(tr("Head"));
        heads_->setToolTip(tr("Which head is shown (digits 1 to 9)"));
        layout->addWidget(heads_);
        connect(heads_, &QComboBox::activated, this, [this](int head) {
            Selection selection = document_.view().selection;
            selection.head = head;
            document_.select(selection);
        });
    }
    connect(&document_, &Document::run_changed, this, &MapBar::refresh);
    connect(&document_, &Document::view_changed, this, &MapBar::refresh);
    refresh();
}

void MapBar::refresh() {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return;
    const Selection& selection = document_.view().selection;
    std::vector<std::string> offered = visible_stages(*run->trace, selection.site);
    if (stages_ == Stages::maps)
        std::erase_if(offered, [&](const std::string& name) {
            const Stage* stage = run->trace->find(name, selection.site);
            return !stage || !(matrix_axes(*stage) == MatrixAxes());
        });
    if (const PatchedPicture& image = run->session->sequence.image; stages_ == Stages::patches && image)
        offered = image_stages(*run->trace, selection.site, image.grid().count());
    strip_->set_stages(offered);
    // Views of maps show the weights while a stage of another shape is selected.
    const bool is_offered = std::find(offered.begin(), offered.end(), selection.stage) != offered.end();
    strip_->set_current(is_offered ? selection.stage : "weights");
    if (!heads_)
        return;
    const QSignalBlocker quiet(heads_);
    const auto count = static_cast<int>(head_count(*run->trace, selection.site));
    if (heads_->count() != count) {
        heads_->clear();
        for (int head = 0; head < count; ++head)
            heads_->addItem(tr("Head %1 of %2").arg(head + 1).arg(count));
    }
    heads_->setCurrentIndex(std::clamp(static_cast<int>(selection.head), 0, std::max(count - 1, 0)));
    heads_->setVisible(count > 1);
}

}  // namespace headlight
