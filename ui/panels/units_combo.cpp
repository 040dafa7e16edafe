#include "ui/panels/units_combo.h"

#include "core/analysis/token_units.h"
#include "core/tensor/words.h"
#include "core/workbench/capture_edits.h"
#include "ui/models/document.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"

namespace headlight {

UnitsCombo::UnitsCombo(Document& document, QWidget* parent) : LazyCombo(parent), document_(document) {
    describe(
        this, QStringLiteral("capture_units"), tr("Units"),
        tr("What a row and a column is. Of several tokens together, what is looked at is summed, and who "
           "looks is averaged"));
    for (const Word<TokenUnit>& unit : words<TokenUnit>()) {
        const auto text = [](std::string_view words) {
            return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
        };
        QString name = text(unit.word);
        name.front() = name.front().toUpper();
        addItem(name, static_cast<int>(unit.value));
        setItemData(count() - 1, text(unit.meaning), Qt::ToolTipRole);
    }
    ignore_passing_wheel(this);
    connect(this, &QComboBox::activated, this, [this](int row) {
        document_.edit(choose_unit(document_.session(), static_cast<TokenUnit>(itemData(row).toInt()),
                                   itemText(row).toStdString()));
    });
    connect(&document_, &Document::session_changed, this, &UnitsCombo::refresh);
    refresh();
}

void UnitsCombo::refresh() {
    if (const auto& capture = document_.session().capture)
        setCurrentIndex(findData(static_cast<int>(capture->unit)));
}

}  // namespace headlight
