#include "ui/lesson/progress_dialog.h"

#include "core/tensor/error.h"
#include "ui/lesson/class_answers.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/save_path.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// "5 of 20 (25 %)"; empty where nobody was asked.
QString share_text(const RightShare& share) {
    return share.people == 0 ? QString()
                             : ProgressDialog::tr("%1 of %2 (%3 %)")
                                   .arg(share.right)
                                   .arg(share.people)
                                   .arg(100.0 * double(share.right) / double(share.people), 0, 'f', 0);
}

/// "+25"; empty where one of them is missing.
QString change_text(const RightShare& before, const RightShare& after) {
    if (before.people == 0 || after.people == 0)
        return {};
    const double change = 100.0 * double(after.right) / double(after.people) -
                          100.0 * double(before.right) / double(before.people);
    return (change >= 0 ? QStringLiteral("+%1") : QStringLiteral("%1")).arg(change, 0, 'f', 0);
}

}  // namespace

ProgressDialog::ProgressDialog(ClassAnswers& answers, std::vector<Lesson> lessons, QWidget* parent)
    : QDialog(parent), answers_(answers), lessons_(std::move(lessons)), classes_(new QComboBox),
      table_(new QTableWidget), summary_(new QLabel), save_(new QPushButton(tr("&Save as CSV…"))),
      forget_(new QPushButton(tr("&Forget this class…"))) {
    setObjectName(QStringLiteral("progress"));
    setWindowTitle(tr("Progress"));
    resize(110 * fontMetrics().averageCharWidth(), 28 * fontMetrics().height());
    describe(classes_, QStringLiteral("progress_class"), tr("Class"), tr("Whose answers are shown"));
    describe(table_, QStringLiteral("progress_table"), tr("Right answers before and after"),
             tr("A row for each question"));
    describe(save_, QStringLiteral("progress_save"), tr("Save as CSV"),
             tr("Every answer of this class as a table; it names nobody"));
    describe(forget_, QStringLiteral("progress_forget"), tr("Forget this class"),
             tr("Removes its answers from this computer"));
    table_->setColumnCount(5);
    table_->setHorizontalHeaderLabels(
        {tr("Lesson"), tr("Question"), tr("Right before"), tr("Right after"), tr("Points")});
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    summary_->setObjectName(QStringLiteral("progress_summary"));
    summary_->setWordWrap(true);
    auto* label = new QLabel(tr("&Class"));
    label->setBuddy(classes_);
    auto* top = new QHBoxLayout;
    top->addWidget(label);
    top->addWidget(classes_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(save_, QDialogButtonBox::ActionRole);
    buttons->addButton(forget_, QDialogButtonBox::DestructiveRole);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addWidget(summary_);
    column->addWidget(table_, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(classes_, &QComboBox::currentIndexChanged, this, &ProgressDialog::show_class);
    connect(save_, &QPushButton::clicked, this, &ProgressDialog::ask_save);
    connect(forget_, &QPushButton::clicked, this, &ProgressDialog::ask_forget);
    for (QPushButton* button : {save_, forget_})
        button->setEnabled(false);
    read();
}

void ProgressDialog::read() {
    answers_.read(
        this,
        [this](std::vector<GivenAnswer> given) {
            given_ = std::move(given);
            fill_classes();
        },
        [this](const Error& error) {
            given_.clear();
            fill_classes();
            summary_->setText(QString::fromStdString(error.what()));
        });
}

void ProgressDialog::fill_classes() {
    QStringList names;
    for (const GivenAnswer& answer : given_)
        if (const QString name = QString::fromStdString(answer.class_name); !names.contains(name))
            names += name;
    {
        const QSignalBlocker quiet(classes_);
        classes_->clear();
        for (const QString& name : std::as_const(names))
            classes_->addItem(name.isEmpty() ? tr("without a name") : name, name);
        classes_->setCurrentIndex(std::max(0, classes_->findData(answers_.class_name())));
    }
    show_class();
}

std::vector<GivenAnswer> ProgressDialog::of_class() const {
    std::vector<GivenAnswer> some = given_;
    const std::string name = classes_->currentData().toString().toStdString();
    std::erase_if(some, [&](const GivenAnswer& one) { return one.class_name != name; });
    return some;
}

void ProgressDialog::show_class() {
    const bool has_answers = classes_->count() > 0;
    classes_->setEnabled(has_answers);
    save_->setEnabled(has_answers);
    forget_->setEnabled(has_answers);
    table_->setRowCount(0);
    if (!has_answers)
        return summary_->setText(
            tr("Nobody has answered yet. Questions are asked before and after each lesson, and around the "
               "course."));
    RightShare before, after;
    for (const Movement& moved : movements(of_class())) {
        const auto lesson = std::ranges::find(lessons_, moved.lesson, &Lesson::id);
        const bool is_known = lesson != lessons_.end() && moved.question < lesson->quiz.size();
        const QString title = QString::fromStdString(lesson != lessons_.end() ? lesson->title : moved.lesson);
        const QString cells[] = {moved.is_course ? tr("Course: %1").arg(title) : title,
                                 is_known ? QString::fromStdString(lesson->quiz[moved.question].ask)
                                          : QString::number(moved.question + 1),
                                 share_text(moved.before), share_text(moved.after),
                                 change_text(moved.before, moved.after)};
        const int row = table_->rowCount();
        table_->insertRow(row);
        for (int column = 0; column < table_->columnCount(); ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setToolTip(cells[column]);
            table_->setItem(row, column, item);
        }
        // What was asked once alone has moved nowhere.
        if (moved.before.people > 0 && moved.after.people > 0) {
            before = {before.right + moved.before.right, before.people + moved.before.people};
            after = {after.right + moved.after.right, after.people + moved.after.people};
        }
    }
    summary_->setText(
        after.people > 0 ? tr("Right before: %1. Right after: %2.").arg(share_text(before), share_text(after))
                         : tr("The change is shown once the same questions have been answered before and "
                              "after the course."));
}

void ProgressDialog::save_to(const QString& path) {
    answers_.write_table(of_class(), path, this, [this](const Error& error) { warn(error); });
}

void ProgressDialog::warn(const Error& error) {
    QMessageBox::warning(this, windowTitle(), QString::fromStdString(error.what()));
}

void ProgressDialog::ask_save() {
    const QString path = ask_save_path(this, tr("Save the answers"),
                                       QDir(documents_folder()).filePath(QStringLiteral("answers.csv")),
                                       tr("Tables (*.csv)"), {QStringLiteral("csv")});
    if (!path.isEmpty())
        save_to(path);
}

void ProgressDialog::ask_forget() {
    QMessageBox question(QMessageBox::Warning, windowTitle(),
                         tr("Remove the answers of this class from this computer?"), QMessageBox::Cancel,
                         this);
    question.setDefaultButton(QMessageBox::Cancel);
    question.addButton(tr("&Remove"), QMessageBox::DestructiveRole)
        ->setObjectName(QStringLiteral("progress_remove"));
    if (question.exec() == QMessageBox::Cancel)
        return;
    const QString name = classes_->currentData().toString();
    answers_.forget(name, this, [this](const Error& error) {
        warn(error);
        read();  // they are still there
    });
    std::erase_if(given_,
                  [name = name.toStdString()](const GivenAnswer& one) { return one.class_name == name; });
    fill_classes();
}

}  // namespace headlight
