#include "ui/panels/levels_dialog.h"

#include "core/io/files.h"
#include "core/io/program_file.h"
#include "core/tensor/error.h"
#include "ui/models/document.h"
#include "ui/models/level_text.h"
#include "ui/models/workbook_model.h"
#include "ui/views/describe.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/role.h"
#include "ui/views/save_path.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace headlight {
namespace {

constexpr const char* level_titles[] = {
    QT_TRANSLATE_NOOP("headlight::LevelsDialog", "Black box"),
    QT_TRANSLATE_NOOP("headlight::LevelsDialog", "Parts"),
    QT_TRANSLATE_NOOP("headlight::LevelsDialog", "Tensors"),
    QT_TRANSLATE_NOOP("headlight::LevelsDialog", "Arithmetic"),
    QT_TRANSLATE_NOOP("headlight::LevelsDialog", "Formula"),
    QT_TRANSLATE_NOOP("headlight::LevelsDialog", "Spreadsheet"),
    QT_TRANSLATE_NOOP("headlight::LevelsDialog", "Code"),
};
constexpr int level_count = std::size(level_titles);

/// Pages of the stack; the first four levels share one.
enum LevelPage { words_page, formula_page, spreadsheet_page, code_page };

constexpr const char* link_to_stage = "stage:";

}  // namespace

Level next_level(const std::optional<Level>& level) {
    return level ? static_cast<Level>((static_cast<int>(*level) + 1) % level_count) : Level::box;
}

LevelsDialog::LevelsDialog(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), tabs_(new QTabBar), pages_(new QStackedWidget),
      text_(new QTextBrowser), problem_(new QLabel) {
    setObjectName(QStringLiteral("levels_dialog"));
    setWindowTitle(tr("One run, seven levels"));
    describe(tabs_, QStringLiteral("level_tabs"), tr("Levels"), tr("How near the run is looked at"));
    for (const char* title : level_titles)
        tabs_->addTab(tr(title));
    tabs_->setExpanding(false);
    describe(text_, QStringLiteral("level_text"), tr("This level in words"), {});
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenLinks(false);
    connect(text_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { follow_link(link.toString()); });
    problem_->setObjectName(QStringLiteral("level_problem"));
    problem_->setWordWrap(true);
    problem_->setTextFormat(Qt::PlainText);
    give_role(*problem_, Role::problem);
    auto* words = new QWidget;
    auto* column = new QVBoxLayout(words);
    column->setContentsMargins(0, 0, 0, 0);
    map_ = new FigureCanvas(document_, ViewKind::map);
    describe(map_, QStringLiteral("level_map"), tr("Map of the box"),
             tr("What flows into what; a click on a part goes there"));
    column->addWidget(map_, 3);
    column->addWidget(text_, 2);
    pages_->addWidget(words);
    pages_->addWidget(build_formula());
    pages_->addWidget(build_spreadsheet());
    pages_->addWidget(build_code());
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs_);
    layout->addWidget(problem_);
    layout->addWidget(pages_, 1);
    resize(96 * fontMetrics().averageCharWidth(), 30 * fontMetrics().height());
    connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { look_at(static_cast<Level>(tab)); });
    connect(&document_.looking(), &Looking::view_changed, this, &LevelsDialog::follow);
    connect(&document_, &Document::run_changed, this, &LevelsDialog::refresh);
    follow();
}

/// Lines that nobody writes in, each character by itself: ">=" is two of them.
QPlainTextEdit* LevelsDialog::build_lines(const QString& id, const QString& name) {
    auto* lines = new QPlainTextEdit;
    describe(lines, id, name, {});
    lines->setReadOnly(true);
    lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleStrategy(QFont::PreferNoShaping);
    lines->setFont(font);
    return lines;
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

void LevelsDialog::show_formula() {
    const QModelIndex cell = cells_->currentIndex();
    const QString formula = cell.data(WorkbookModel::formula_role).toString();
    formula_->setText(!cell.isValid() ? tr("Select a cell: its formula stands here")
                      : formula.isEmpty()
                          ? cell.data().toString()
                          : tr("%1: %2 = %3")
                                .arg(QString::fromStdString(cell_name(cell.row(), cell.column())),
                                     formula.mid(1), cell.data().toString()));
    formula_->setCursorPosition(0);
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

void LevelsDialog::reject() {
    ViewState view = document_.view();
    view.level.reset();
    document_.looking().look_at(view);
    QDialog::reject();
}

void LevelsDialog::look_at(Level level) {
    ViewState view = document_.view();
    if (view.level == level)
        return;
    view.level = level;
    document_.looking().look_at(view);
}

/// The document says which level is shown.
void LevelsDialog::follow() {
    const auto level = document_.view().level;
    if (!level) {
        hide();
        return;
    }
    tabs_->setCurrentIndex(static_cast<int>(*level));
    refresh();
    if (!isVisible())
        show();
}

void LevelsDialog::show_problem(const QString& text) {
    problem_->setText(text);
    problem_->setVisible(!text.isEmpty());
    pages_->setVisible(text.isEmpty());
}

void LevelsDialog::refresh() {
    const auto level = document_.view().level;
    const auto run = document_.run();
    if (!level)
        return;
    map_->setVisible(*level == Level::box);
    text_->setVisible(!run || run->is_of_mechanism());
    if (run && !run->is_of_mechanism() && *level == Level::box) {
        // What flows into what is known of a model, too.
        show_problem({});
        pages_->setCurrentIndex(words_page);
        return;
    }
    if (!run || !run->is_of_mechanism())
        return show_problem(
            run ? tr("These levels are of a mechanism, whose every step is known: not of a model, "
                     "nor of attention that was computed elsewhere.")
                : tr("There is no run to show yet."));
    show_problem({});
    switch (*level) {
    case Level::box:
        text_->setHtml(box_text(*run));
        break;
    case Level::parts:
        text_->setHtml(parts_text(*run));
        break;
    case Level::tensors:
        text_->setHtml(tensors_text(*run));
        break;
    case Level::arithmetic:
        text_->setHtml(arithmetic_text(*run, document_.view()));
        break;
    case Level::formula:
    case Level::spreadsheet:
    case Level::code:
        pages_->setCurrentIndex(*level == Level::code      ? code_page
                                : *level == Level::formula ? formula_page
                                                           : spreadsheet_page);
        if (written_of_ != run)
            return write();
        if (*level != Level::code)
            show_problem(*level == Level::formula ? written_.why_no_formula : written_.why_no_book);
        return;
    }
    pages_->setCurrentIndex(words_page);
}

void LevelsDialog::write() {
    const auto run = document_.run();
    writing_.start(
        "write a program",
        [this, run](const Cancellation&) -> Job::Delivery {
            const Program program = session_program(*run->session);
            Written made;
            made.numpy = QString::fromStdString(python_text(program, PythonLibrary::numpy));
            made.torch = QString::fromStdString(python_text(program, PythonLibrary::torch));
            try {
                made.own = std::make_shared<const OwnFormula>(own_formula(*run->plan));
            } catch (const Error& error) {
                made.why_no_formula = QString::fromStdString(error.what());
            }
            try {
                made.book = std::make_shared<const Workbook>(workbook(program));
            } catch (const Error& error) {
                made.why_no_book = QString::fromStdString(error.what());
            }
            return [this, run, made = std::move(made)]() mutable {
                written_of_ = run;
                show_written(std::move(made));
            };
        },
        [this](const Error& error) { show_problem(QString::fromStdString(error.what())); });
}

void LevelsDialog::show_written(Written made) {
    written_ = std::move(made);
    {
        const QSignalBlocker silent(sheets_);
        sheets_->clear();
        if (written_.book)
            for (const WorkbookSheet& sheet : written_.book->sheets)
                sheets_->addItem(QString::fromStdString(sheet.name));
        sheets_->setCurrentIndex(sheets_->count() - 1);
    }
    formula_lines_->setPlainText(written_.own ? QString::fromStdString(written_.own->text) : QString());
    show_sheet();
    show_code();
    refresh();
}

void LevelsDialog::show_sheet() {
    model_->show(written_.book, static_cast<std::size_t>(std::max(sheets_->currentIndex(), 0)));
}

const QString& LevelsDialog::lines() const {
    return library_->currentIndex() == 0 ? written_.numpy : written_.torch;
}

/// As many as lay out within a frame.
void LevelsDialog::show_code() {
    constexpr qsizetype most_lines = 2000;
    qsizetype end = -1, count = 0;
    do
        end = lines().indexOf(QChar('\n'), end + 1);
    while (end >= 0 && ++count < most_lines);
    code_->setPlainText(end < 0 ? lines()
                                : lines().left(end) + tr("\n\n# … the rest is in what Copy and Save take"));
}

void LevelsDialog::follow_link(const QString& address) {
    if (!address.startsWith(QLatin1String(link_to_stage)))
        return;
    Selection selection = document_.view().selection;
    selection.site.clear();
    selection.stage = address.mid(static_cast<qsizetype>(qstrlen(link_to_stage))).toStdString();
    document_.looking().select(selection);
}

void LevelsDialog::write_to(const QString& path, const QString& done, std::function<std::string()> content) {
    saving_.add({"save file",
                 [this, path, done, content = std::move(content)]() -> Job::Delivery {
                     write_file_atomically(path.toStdString(), content());
                     return [this, path, done] { emit notice(done.arg(QFileInfo(path).fileName())); };
                 },
                 [this](const Error& error) { emit problem(error); }});
}

void LevelsDialog::export_spreadsheet() {
    if (!written_.book)
        return;
    const QString path = ask_save_path(this, tr("Export the spreadsheet"),
                                       QDir(documents_folder()).filePath(QStringLiteral("attention.fods")),
                                       tr("Spreadsheets (*.fods)"), {QStringLiteral("fods")});
    if (!path.isEmpty())
        write_to(path, tr("Exported %1."), [book = written_.book] { return write_fods(*book); });
}

void LevelsDialog::save_code() {
    const QString path = ask_save_path(this, tr("Save the lines"),
                                       QDir(documents_folder()).filePath(QStringLiteral("attention.py")),
                                       tr("Python (*.py)"), {QStringLiteral("py")});
    if (!path.isEmpty())
        write_to(path, tr("Saved %1."), [lines = lines()] { return lines.toStdString(); });
}

void LevelsDialog::copy_code() const { QGuiApplication::clipboard()->setText(lines()); }

}  // namespace headlight
