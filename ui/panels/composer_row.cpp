#include "ui/panels/composer_row.h"

#include "core/io/grid_columns.h"
#include "ui/panels/word_combo.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/wrapped_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {

ComposerRow::ComposerRow(const SpecAxis& axis, const QString& label, QWidget* parent)
    : QWidget(parent), axis_(axis), words_(new WordCombo), meaning_(new WrappedLabel),
      problem_(new WrappedLabel) {
    const QString id = QStringLiteral("compose_") + QString::fromStdString(axis.id);
    form_ = new SettingForm(id + QChar('_'));
    describe(words_, id, QString::fromStdString(axis.label), QString::fromStdString(axis.help));
    words_->set_words(axis.words);
    meaning_->setObjectName(id + QStringLiteral("_meaning"));
    make_note(*meaning_);
    problem_->setObjectName(id + QStringLiteral("_problem"));
    give_role(*problem_, Role::problem);
    problem_->hide();
    auto* name = new QLabel(label);
    make_title(*name);
    name->setBuddy(words_);
    name->setToolTip(QString::fromStdString(axis.help));

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(name, 2);
    head->addWidget(words_, 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(meaning_);
    layout->addWidget(problem_);
    layout->addWidget(form_);
    form_->set_tab_anchor(*words_);
    connect(words_, &WordCombo::chosen, this, [this](const std::string& word) {
        emit chosen([this, word](AttentionSpec& spec) { axis_.choose(spec, word); });
    });
    connect(words_, &WordCombo::refused, this, &ComposerRow::show_problem);
    connect(form_, &SettingForm::edited, this, &ComposerRow::set);
}

void ComposerRow::set(int row, const OptionValue& value, const QString& merge) {
    const auto apply = settings_[static_cast<std::size_t>(row)].set;
    emit edited([apply, value](AttentionSpec& spec) { apply(spec, value); }, merge);
}

void ComposerRow::show_spec(const AttentionSpec& spec, bool on_image) {
    const std::string word = axis_.word(spec);
    words_->show_word(word);
    const auto found = std::ranges::find(axis_.words, word, &AxisWord::word);
    meaning_->show_words(found == axis_.words.end() ? QString() : QString::fromStdString(found->meaning));
    // The first word is the plainest attention's. Ten parts that add nothing would be a form without an end.
    meaning_->setVisible(found != axis_.words.begin());
    settings_ = axis_.settings(spec);
    std::vector<SettingForm::Row> rows;
    // Text of any kind has an editor of its own; what nobody reads would only be in the way.
    std::erase_if(settings_, [&spec, all = settings_](const AxisSetting& setting) {
        const bool is_text =
            std::holds_alternative<std::string>(setting.option.standard) && setting.option.choices.empty();
        return is_text || !is_read(setting, all, spec);
    });
    for (const AxisSetting& setting : settings_)
        rows.push_back(
            {setting.option, setting.value(spec), on_image && is_grid_columns(setting.option.name)});
    form_->show_settings(rows);
}

void ComposerRow::show_impossible(const std::map<std::string, std::string>& reasons) {
    words_->show_impossible(reasons);
}

void ComposerRow::show_problem(const QString& problem) {
    problem_->show_text(problem);
    problem_->setVisible(!problem.isEmpty());
}

}  // namespace headlight
