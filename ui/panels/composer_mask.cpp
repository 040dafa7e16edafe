#include "ui/panels/composer_mask.h"

#include "core/io/grid_columns.h"
#include "ui/panels/number_control.h"
#include "ui/panels/word_combo.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

const std::string no_mask = "none", drawn_mask = "matrix";

/// "none" first; what was drawn stands there only while it is the choice.
std::vector<AxisWord> choices(bool with_drawn) {
    std::vector<AxisWord> words{{no_mask, "every query may look at every key"}};
    if (with_drawn)
        words.push_back({drawn_mask, "drawn by hand, for as many tokens as there were"});
    std::ranges::copy(mask_words(), std::back_inserter(words));
    return words;
}

}  // namespace

ComposerMask::ComposerMask(const QString& label, QWidget* parent)
    : QWidget(parent), combination_(new QComboBox), name_(new QLabel(label)), note_(new WrappedLabel),
      problem_(new WrappedLabel) {
    const QString help = tr("Which keys a query may look at, wherever they stand.");
    make_title(*name_);
    name_->setToolTip(help);
    describe(combination_, QStringLiteral("compose_mask_combination"), tr("How the masks combine"),
             tr("Whether a pair must be allowed by all of the masks, or by any one of them"));
    combination_->addItems({tr("all must allow"), tr("any may allow")});
    ignore_passing_wheel(combination_);
    make_note(*note_);
    note_->setObjectName(QStringLiteral("compose_mask_note"));
    give_role(*problem_, Role::problem);
    problem_->setObjectName(QStringLiteral("compose_mask_problem"));
    problem_->hide();

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(name_, 2);
    head->addWidget(combination_, 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(note_);
    for (std::size_t index = 0; index < rows_.size(); ++index)
        build_part(index);
    layout->addWidget(problem_);
    name_->setBuddy(rows_.front().words);
    connect(combination_, &QComboBox::activated, this, [this](int row) {
        MaskParts parts = parts_;
        parts.any = row == 1;
        change(std::move(parts));
    });
}

void ComposerMask::build_part(std::size_t index) {
    const QString id = QStringLiteral("compose_mask_%1").arg(index);
    Part& part = rows_[index];
    part = {new QWidget,
            new QLabel,
            new QCheckBox(tr("not")),
            new WordCombo,
            new WrappedLabel,
            new SettingForm(id + '_'),
            {}};
    describe(part.inverted, id + QStringLiteral("_not"), tr("Invert mask %1").arg(index + 1),
             tr("Allows what this mask forbids, and forbids what it allows"));
    describe(part.words, id, tr("Mask %1").arg(index + 1),
             tr("Which keys a query may look at, by where they stand"));
    part.words->set_words(choices(false));
    make_note(*part.meaning);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(part.link);
    line->addWidget(part.inverted);
    line->addWidget(part.words, 1);
    auto* layout_of_part = new QVBoxLayout(part.row);
    layout_of_part->setContentsMargins(0, 0, 0, 0);
    layout_of_part->setSpacing(4);
    layout_of_part->addLayout(line);
    layout_of_part->addWidget(part.meaning);
    layout_of_part->addWidget(part.form);
    layout()->addWidget(part.row);
    part.form->set_tab_anchor(*part.words);
    connect(part.words, &WordCombo::chosen, this,
            [this, index](const std::string& word) { choose(index, word); });
    connect(part.words, &WordCombo::refused, this, &ComposerMask::show_problem);
    connect(part.inverted, &QCheckBox::clicked, this, [this, index](bool on) {
        MaskParts parts = parts_;
        parts.parts[index].inverted = on;
        change(std::move(parts));
    });
    connect(part.form, &SettingForm::edited, this,
            [this, index](int row, const OptionValue& value, const QString& merge) {
                MaskParts parts = parts_;
                parts.parts[index].leaf = rows_[index].settings[static_cast<std::size_t>(row)].with(value);
                change(std::move(parts), merge);
            });
}

void ComposerMask::choose(std::size_t index, const std::string& word) {
    MaskParts parts = parts_;
    if (word == no_mask) {
        if (index < parts.parts.size())
            parts.parts.erase(parts.parts.begin() + static_cast<std::ptrdiff_t>(index));
    } else if (word != drawn_mask) {
        if (index == parts.parts.size())
            parts.parts.emplace_back();
        parts.parts[index].leaf = mask_leaf(word);
    }
    change(std::move(parts));
}

void ComposerMask::change(MaskParts parts, const QString& merge) {
    parts_ = std::move(parts);
    emit edited(mask_of(parts_), merge);
}

void ComposerMask::show_mask(const Mask& mask, bool on_image) {
    const auto parts = mask_parts(mask);
    is_other_ = !parts;
    parts_ = parts.value_or(MaskParts());
    combination_->setCurrentIndex(parts_.any ? 1 : 0);
    combination_->setVisible(parts_.parts.size() > 1);
    note_->show_text(is_other_ ? tr("Composed of more than three masks, or more deeply. A choice here takes "
                                    "its place.")
                               : QString());
    note_->setVisible(is_other_);
    for (std::size_t index = 0; index < rows_.size(); ++index)
        show_part(index, on_image);
}

void ComposerMask::show_part(std::size_t index, bool on_image) {
    Part& part = rows_[index];
    const bool is_there = index < parts_.parts.size();
    part.row->setVisible(index <= parts_.parts.size());
    part.link->setVisible(index > 0);
    part.link->setText(!is_there ? tr("and also") : parts_.any ? tr("or") : tr("and"));
    part.inverted->setVisible(is_there);
    const Mask leaf = is_there ? parts_.parts[index].leaf : Mask();
    const std::string word = mask_word(leaf);
    if (const bool drawn = word == drawn_mask;
        drawn != (part.words->findData(QString::fromStdString(drawn_mask)) >= 0))
        part.words->set_words(choices(drawn));
    part.words->show_word(word);
    part.inverted->setChecked(is_there && parts_.parts[index].inverted);
    const auto& words = part.words->words();
    const auto found = std::ranges::find(words, word, &AxisWord::word);
    part.meaning->show_words(found == words.end() || (index > 0 && !is_there)
                                 ? QString()
                                 : QString::fromStdString(found->meaning));
    part.settings = mask_settings(leaf);
    std::vector<SettingForm::Row> rows;
    for (const MaskSetting& setting : part.settings)
        rows.push_back({setting.option, setting.value, on_image && is_grid_columns(setting.option.name)});
    part.form->show_settings(rows);
}

void ComposerMask::show_impossible(std::size_t index, const std::map<std::string, std::string>& reasons) {
    rows_[index].words->show_impossible(reasons);
}

void ComposerMask::show_problem(const QString& problem) {
    problem_->show_text(problem);
    problem_->setVisible(!problem.isEmpty());
}

}  // namespace headlight
