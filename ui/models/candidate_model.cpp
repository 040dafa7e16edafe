#include "ui/models/candidate_model.h"

#include "core/model/recurrent_model.h"
#include "core/workbench/model_edits.h"
#include "ui/models/document.h"
#include "ui/render/fixed_text.h"

namespace headlight {

namespace {

/// " (2.0 % generated, 10.3 % copied)"
QString parts_text(const TranscriptStep::Choice& choice) {
    return CandidateModel::tr(" (%1 generated, %2 copied)")
        .arg(percent_text(choice.probability - choice.copied), percent_text(choice.copied));
}

}  // namespace

CandidateModel::CandidateModel(Document& document, QObject* parent)
    : QAbstractListModel(parent), document_(document) {
    connect(&document_, &Document::run_changed, this, &CandidateModel::refresh);
    connect(&document_, &Document::session_changed, this, &CandidateModel::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &CandidateModel::refresh);
    refresh();
}

void CandidateModel::refresh() {
    const std::shared_ptr<const Run> run = document_.run();
    const Transcript* transcript = run ? run->transcript.get() : nullptr;
    const Index step = transcript ? current_step(document_.session().view, *transcript) : 0;
    if (run == run_ && step == step_)
        return;
    beginResetModel();
    run_ = run;
    step_ = step;
    endResetModel();
    emit changed();
}

const TranscriptStep* CandidateModel::shown_step() const {
    const Transcript* transcript = run_ ? run_->transcript.get() : nullptr;
    return transcript && step_ < std::ssize(transcript->steps)
               ? &transcript->steps[static_cast<std::size_t>(step_)]
               : nullptr;
}

std::optional<double> CandidateModel::generates() const {
    const TranscriptStep* step = shown_step();
    return step ? step->generates : std::nullopt;
}

bool CandidateModel::points() const {
    return run_ && run_->transcript && run_->transcript->model->model->configuration.points();
}

bool CandidateModel::can_choose() const {
    const TranscriptStep* step = shown_step();
    return step && !step->is_given && !run_->transcript->model->model->host->is_classifier();
}

void CandidateModel::choose(const QModelIndex& index) {
    // What the picture shows is what was chosen from: while the next run is under way, there is nothing to
    // choose.
    if (!index.isValid() || !can_choose() || document_.is_running())
        return;
    const std::string word = index.data(word_role).toString().toStdString();
    document_.edit(choose_word(document_.session(), *run_->transcript, step_, word));
}

int CandidateModel::rowCount(const QModelIndex& parent) const {
    const TranscriptStep* step = parent.isValid() ? nullptr : shown_step();
    return step ? static_cast<int>(step->choices.size()) : 0;
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const {
    const TranscriptStep* step = shown_step();
    if (!index.isValid() || !step || index.row() >= std::ssize(step->choices))
        return {};
    const TranscriptStep::Choice& choice = step->choices[static_cast<std::size_t>(index.row())];
    const QString word = QString::fromStdString(choice.word);
    const QString percent = percent_text(choice.probability);
    const bool is_end = choice.word == "</s>";
    const QString rank = tr("number %1").arg(choice.rank);
    const bool is_far = choice.rank > index.row() + 1;
    // A pointer network generates the end and copies all else: that is said already.
    const QString parts = step->generates && !points() ? parts_text(choice) : QString();
    switch (role) {
    case Qt::DisplayRole:
        if (is_far)
            return tr("%1. %2").arg(choice.rank).arg(is_end ? tr("</s> (end)") : word);
        return is_end ? tr("</s> (end)") : word == QLatin1String(" ") ? QStringLiteral("␣") : word;
    case word_role:
        return word;
    case probability_role:
        return choice.probability;
    case copied_role:
        return choice.copied;
    case said_role:
        return choice.word == step->said;
    case Qt::AccessibleTextRole:
        return tr("%1, %2%3")
            .arg(is_end ? tr("end of the text") : word, percent + parts,
                 is_far ? QStringLiteral(", ") + rank : QString());
    case Qt::ToolTipRole:
        return choice.word == step->said
                   ? tr("%1, %2 of all words: what was said").arg(percent + parts, rank)
                   : tr("%1. Click to say this instead; the model decodes on from there")
                         .arg(percent + parts);
    default:
        return {};
    }
}

QString percent_text(double probability) {
    if (probability > 0 && probability < smallest_percent)
        return CandidateModel::tr("< %1 %").arg(100 * smallest_percent);
    if (probability < 1 && probability > 1 - smallest_percent)
        return CandidateModel::tr("> %1 %").arg(100 * (1 - smallest_percent));
    return CandidateModel::tr("%1 %").arg(fixed_text(100 * probability, 1));
}

}  // namespace headlight
