#include "ui/panels/head_choice.h"

#include "core/io/headvis_tree.h"
#include "core/workbench/capture_edits.h"
#include "core/workbench/run_session.h"
#include "ui/models/document.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"

#include <QSignalBlocker>

namespace headlight {

HeadChoice::HeadChoice(Document& document, QWidget* parent) : WideCombo(parent), document_(document) {
    describe(this, QStringLiteral("tree_head"), tr("Head"),
             tr("Which head of the model the pictures show. Its sequences are read when it is chosen"));
    ignore_passing_wheel(this);
    connect(this, &QComboBox::activated, this, [this](int row) {
        document_.edit(look_at_captured_head(document_.session(), itemData(row).toString().toStdString(),
                                             itemText(row).toStdString()));
    });
    connect(&document_, &Document::session_changed, this, &HeadChoice::refresh);
    connect(&document_, &Document::run_changed, this, &HeadChoice::refresh);
    refresh();
}

void HeadChoice::refresh() {
    const QSignalBlocker quiet(this);
    if (const std::shared_ptr<const Run> run = document_.run(); run && run != listed_) {
        const bool is_same =
            listed_ && listed_->tree && run->tree && listed_->tree->folder == run->tree->folder;
        if (!is_same)
            clear();
        if (!is_same && run->tree)
            for (const MapPlace& head : run->tree->heads)
                addItem(tr("layer %1, head %2").arg(head.layer + 1).arg(head.head + 1),
                        QString::fromStdString(headvis_head_file(*run->tree, head).string()));
        listed_ = run;
    }
    setCurrentIndex(findData(QString::fromStdString(document_.session().attends_elsewhere())));
}

}  // namespace headlight
