#include "ui/panels/decoding_box.h"

#include "core/workbench/model_edits.h"
#include "ui/models/document.h"
#include "ui/panels/number_control.h"
#include "ui/panels/seed_box.h"
#include "ui/views/describe.h"
#include "ui/views/lazy_combo.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

namespace headlight {
namespace {

constexpr double widest_offered = 8, most_offered_words = 20;

}  // namespace

DecodingBox::DecodingBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), way_(new LazyCombo(10)), form_(new QFormLayout(this)),
      seed_(new SeedBox), again_(new QPushButton(tr("Draw again"))) {
    using Way = WordChoice::Way;
    describe(
        way_, QStringLiteral("decoding"), tr("Words"),
        tr("How each word is chosen from the probabilities: the likeliest; the likeliest whole text, for "
           "which several grow side by side; or drawn by chance"));
    way_->addItem(tr("Greedy: the likeliest"), static_cast<int>(Way::greedy));
    way_->addItem(tr("Beam: the likeliest text"), static_cast<int>(Way::beam));
    way_->addItem(tr("Sample: drawn"), static_cast<int>(Way::sample));
    ignore_passing_wheel(way_);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setHorizontalSpacing(8);
    form_->setVerticalSpacing(4);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form_->addRow(tr("&Words"), way_);

    add_row(tr("Beam"), tr("Beam of %1"),
            {Way::beam,
             new NumberControl(QStringLiteral("beam_width"), tr("Width of the beam"),
                               tr("How many texts grow side by side; with 1 it is the greedy one"),
                               {1, widest_offered, true}),
             [](const WordChoice& choice) { return double(choice.beam_width); },
             [](WordChoice& choice, double value) { choice.beam_width = static_cast<Index>(value); }});
    add_row(tr("Temperature"), tr("Temperature %1"),
            {Way::sample,
             new NumberControl(QStringLiteral("temperature"), tr("Temperature"),
                               tr("The logits are divided by it before the softmax: below 1 the likely words "
                                  "become likelier, above 1 the others do"),
                               {0, 3}),
             [](const WordChoice& choice) { return choice.sampling.temperature; },
             [](WordChoice& choice, double value) { choice.sampling.temperature = value; }});
    add_row(tr("Top k"), tr("Top k %1"),
            {Way::sample,
             new NumberControl(QStringLiteral("top_k"), tr("Top k"),
                               tr("Draws only among so many of the likeliest words"),
                               {0, most_offered_words, true, false, tr("all")}),
             [](const WordChoice& choice) { return double(choice.sampling.top_k); },
             [](WordChoice& choice, double value) { choice.sampling.top_k = static_cast<Index>(value); }});
    add_row(tr("Top p"), tr("Top p %1"),
            {Way::sample,
             new NumberControl(QStringLiteral("top_p"), tr("Top p"),
                               tr("Draws only among the likeliest words that have this probability together"),
                               {0, 1}),
             [](const WordChoice& choice) { return choice.sampling.top_p; },
             [](WordChoice& choice, double value) { choice.sampling.top_p = value; }});
    describe(seed_, QStringLiteral("draw_seed"), tr("Seed of the draws"),
             tr("The same seed draws the same words"));
    ignore_passing_wheel(seed_);
    auto* seed_title = new QLabel(tr("Seed"));
    seed_title->setBuddy(seed_);
    form_->addRow(seed_title, seed_);
    describe(again_, QStringLiteral("draw_again"), tr("Draw again"), tr("The next seed: other draws"));
    form_->addRow(QString(), again_);

    connect(way_, &QComboBox::activated, this, [this](int row) {
        WordChoice choice = document_.session().model->request.choice;
        choice.way = static_cast<Way>(way_->itemData(row).toInt());
        change(way_->itemText(row), choice);
    });
    connect(seed_, &SeedBox::valueChanged, this, [this](quint64 seed) {
        WordChoice choice = document_.session().model->request.choice;
        choice.seed = seed;
        change(tr("Seed %1").arg(seed), choice, QStringLiteral("draw_seed"));
    });
    connect(again_, &QPushButton::clicked, this, [this] {
        WordChoice choice = document_.session().model->request.choice;
        ++choice.seed;
        change(tr("Draw again"), choice);
    });
    connect(&document_, &Document::session_changed, this, &DecodingBox::refresh);
    connect(&document_, &Document::run_changed, this, &DecodingBox::refresh);
    refresh();
}

void DecodingBox::add_row(const QString& label, const QString& step, Row row) {
    auto* title = new QLabel(label);
    title->setBuddy(row.control);
    form_->addRow(title, row.control);
    const QString id = row.control->field()->objectName();
    connect(row.control, &NumberControl::edited, this, [this, row, step, id](double value, int gesture) {
        WordChoice choice = document_.session().model->request.choice;
        row.write(choice, value);
        change(step.arg(value), choice, QString::fromStdString(gesture_key(id.toStdString(), gesture)));
    });
    rows_.push_back(row);
}

void DecodingBox::change(const QString& text, const WordChoice& choice, const QString& merge) {
    document_.edit(change_word_choice(document_.session(), text.toStdString(), choice, merge.toStdString()));
}

void DecodingBox::refresh() {
    const Session& session = document_.session();
    const std::shared_ptr<const Run> run = document_.run();
    if (!session.model)
        return;
    const WordChoice& choice = session.model->request.choice;
    const bool is_forced = session.model->request.target.has_value();
    // A label is not searched for.
    setVisible(!run || !run->transcript || !run->transcript->model->model->host->is_classifier());
    setEnabled(!is_forced);
    setToolTip(is_forced ? tr("The words are those of the target") : QString());
    const QSignalBlocker quiet(way_), quiet_seed(seed_);
    way_->setCurrentIndex(way_->findData(static_cast<int>(choice.way)));
    for (const Row& row : rows_) {
        form_->setRowVisible(row.control, choice.way == row.way);
        row.control->set_value(row.read(choice));
    }
    seed_->setValue(choice.seed);
    form_->setRowVisible(seed_, choice.way == WordChoice::Way::sample);
    form_->setRowVisible(again_, choice.way == WordChoice::Way::sample);
}

}  // namespace headlight
