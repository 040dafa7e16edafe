#include "ui/panels/site_choice.h"

#include "core/figure/comparison.h"
#include "core/figure/site_words.h"
#include "ui/models/document.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"

#include <QSignalBlocker>

namespace headlight {

SiteChoice::SiteChoice(Document& document, QWidget* parent) : WideCombo(parent), document_(document) {
    describe(
        this, QStringLiteral("model_site"), tr("Attention of"),
        tr("Which place of the model the pictures show: where the decoder looks at the source (cross), "
           "where a sequence looks at itself (self), or with two streams where words look that are known "
           "(content) and where one is guessed (query). N in a picture shows the next one"));
    ignore_passing_wheel(this);
    connect(this, &QComboBox::activated, this, [this](int row) {
        Selection selection = document_.session().view.selection;
        selection.site = itemData(row).toString().toStdString();
        document_.looking().select(selection);
    });
    connect(&document_, &Document::session_changed, this, &SiteChoice::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &SiteChoice::refresh);
    connect(&document_, &Document::run_changed, this, &SiteChoice::refresh);
    refresh();
}

void SiteChoice::refresh() {
    const std::shared_ptr<const Run> run = document_.run();
    if (!run || run->is_of_mechanism())
        return;
    const std::vector<std::string> wanted = sites_with_weights(*run->trace);  // as a step passes them
    bool is_same = std::ssize(wanted) == count();
    for (int row = 0; is_same && row < count(); ++row)
        is_same = itemData(row).toString().toStdString() == wanted[static_cast<std::size_t>(row)];
    const QSignalBlocker quiet(this);
    if (!is_same) {
        clear();
        for (const std::string& each : wanted) {
            const QString name = QString::fromStdString(each);
            addItem(QString::fromStdString(site_title(each, has_layers(*run->trace))), name);
            setItemData(count() - 1, name, Qt::ToolTipRole);
        }
    }
    setCurrentIndex(findData(QString::fromStdString(document_.session().view.selection.site)));
}

}  // namespace headlight
