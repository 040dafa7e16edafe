// The pages of the levels that are more than words.

#include "ui/panels/levels_dialog.h"

#include "core/figure/theme_table.h"
#include "ui/models/document.h"
#include "ui/models/workbook_model.h"
#include "ui/panels/theme.h"
#include "ui/views/describe.h"

#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace headlight {

/// Lines that nobody writes in.
QPlainTextEdit* LevelsDialog::build_lines(const QString& id, const QString& name) {
    auto* lines = new QPlainTextEdit;
    describe(lines, id, name, {});
    lines->setReadOnly(true);
    lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    return lines;
}

/// On a projector everything is as large as the words of the picture: a class reads it too.
void LevelsDialog::follow_theme() {
    const FigureTheme wanted = document_.view().theme;
    if (theme_ == wanted)
        return;
    theme_ = wanted;
    setFont(picture_font(wanted));
    QFont of_lines = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    of_lines.setStyleStrategy(QFont::PreferNoShaping);  // ">=" is two characters
    if (is_for_class(wanted))
        of_lines.setPointSizeF(picture_font(wanted).pointSizeF());
    for (QPlainTextEdit* lines : {formula_lines_, code_})
        lines->setFont(of_lines);
}

QWidget* LevelsDialog::build_formula() {
    auto* page = new QWidget;
    auto* copy = new QPushButton(tr("&Copy"));
    describe(copy, QStringLiteral("level_formula_copy"), tr("Copy the formula"),
             tr("As text, for a file or a letter"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(formula_lines_->toPlainText()); });
    mine_ = new QPushButton(tr("&Make it mine"));
    describe(mine_, QStringLiteral("level_mine"), tr("Make it mine"),
             tr("Opens these lines as a mechanism of your own, with the same numbers, to be changed"));
    connect(mine_, &QPushButton::clicked, this, [this] {
        if (written_.own)
            emit mine_requested(*written_.own);
    });
    for (QPushButton* button : {copy, mine_})
        button->setAutoDefault(false);
    formula_lines_ = build_lines(QStringLiteral("level_formula_lines"), tr("Lines of the formula"));
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(copy);
    row->addWidget(mine_);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(formula_lines_, 1);
    return page;
}

QWidget* LevelsDialog::build_spreadsheet() {
    auto* page = new QWidget;
    sheets_ = new QComboBox;
    describe(sheets_, QStringLiteral("level_sheets"), tr("Sheet"),
             tr("Inputs, parameters and constants are numbers, the stages follow from them"));
    connect(sheets_, &QComboBox::currentIndexChanged, this, [this] { show_sheet(); });
    auto* save = new QPushButton(tr("&Export .fods…"));
    describe(save, QStringLiteral("level_export"), tr("Export the spreadsheet"),
             tr("Saves these cells for LibreOffice: a changed number changes the weights"));
    save->setAutoDefault(false);
    connect(save, &QPushButton::clicked, this, &LevelsDialog::export_spreadsheet);
    model_ = new WorkbookModel(this);
    cells_ = new QTableView;
    describe(cells_, QStringLiteral("level_cells"), tr("Cells with their numbers"), {});
    cells_->setModel(model_);
    cells_->setTabKeyNavigation(false);
    cells_->setWordWrap(false);
    cells_->horizontalHeader()->setDefaultSectionSize(20 * fontMetrics().averageCharWidth());
    formula_ = new QLineEdit;
    describe(formula_, QStringLiteral("level_formula"), tr("Formula of the cell"),
             tr("How the number of the selected cell follows from others"));
    formula_->setReadOnly(true);
    connect(cells_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &LevelsDialog::show_formula);
    connect(model_, &QAbstractItemModel::modelReset, this, &LevelsDialog::show_formula);
    auto* row = new QHBoxLayout;
    row->addWidget(sheets_);
    row->addWidget(formula_, 1);
    row->addWidget(save);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(cells_, 1);
    return page;
}

QWidget* LevelsDialog::build_code() {
    auto* page = new QWidget;
    library_ = new QComboBox;
    describe(library_, QStringLiteral("level_library"), tr("Library"), tr("What the lines are written in"));
    library_->addItems({tr("NumPy"), tr("PyTorch")});
    connect(library_, &QComboBox::currentIndexChanged, this, [this] { show_code(); });
    auto* copy = new QPushButton(tr("&Copy"));
    describe(copy, QStringLiteral("level_copy"), tr("Copy the lines"), tr("They run by themselves"));
    connect(copy, &QPushButton::clicked, this, &LevelsDialog::copy_code);
    auto* save = new QPushButton(tr("&Save .py…"));
    describe(save, QStringLiteral("level_save"), tr("Save the lines"), tr("As a file of Python"));
    connect(save, &QPushButton::clicked, this, &LevelsDialog::save_code);
    for (QPushButton* button : {copy, save})
        button->setAutoDefault(false);
    code_ = build_lines(QStringLiteral("level_code"), tr("Lines of Python"));
    auto* row = new QHBoxLayout;
    row->addWidget(library_);
    row->addStretch(1);
    row->addWidget(copy);
    row->addWidget(save);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(code_, 1);
    return page;
}

}  // namespace headlight
