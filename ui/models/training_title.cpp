#include "ui/models/training_title.h"

#include "core/attention/spec_words.h"
#include "core/catalog/mechanism.h"
#include "core/model/tasks/task.h"
#include "core/tensor/words.h"
#include "ui/models/counted_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace headlight {
namespace {

struct TrainingTitle {
    Q_DECLARE_TR_FUNCTIONS(headlight::TrainingTitle)
};

QString without_underscores(const std::string& word) {
    return QString::fromStdString(word).replace(QLatin1Char('_'), QLatin1Char(' '));
}

/// Empty where the model's own attention attends.
QString attention_title(const Recipe& recipe, HostType host) {
    if (!recipe.attentions.empty())
        return TrainingTitle::tr("layers that differ");
    if (recipe.own)
        return recipe.own_name.empty() ? TrainingTitle::tr("a mechanism of one’s own")
                                       : QString::fromStdString(recipe.own_name);
    const std::string& attention = recipe.attention;
    if (attention.empty())
        return is_recurrent(host) ? without_underscores(to_word(ScoreType::additive)) : QString();
    const bool is_part = value_of<ScoreType>(attention) || value_of<NormalizerType>(attention);
    const Mechanism* mechanism = is_part ? nullptr : find_mechanism(attention);
    return mechanism ? QString::fromStdString(mechanism->name) : without_underscores(attention);
}

/// What else tells it from a run of the same task and attention.
QStringList more_of(const Recipe& recipe) {
    QStringList more;
    if (recipe.copies)
        more += TrainingTitle::tr("copying");
    if (recipe.coverage_loss > 0)
        more += TrainingTitle::tr("coverage loss");
    if (recipe.hops > 1)
        more += counted_text(recipe.hops, "hop");
    if (recipe.turns.value_or(1) > 1)
        more += counted_text(*recipe.turns, "turn");
    if (recipe.places)
        more += TrainingTitle::tr("places %1").arg(without_underscores(to_word(*recipe.places)));
    if (recipe.segment.value_or(0) > 0)
        more += TrainingTitle::tr("segments of %1").arg(*recipe.segment);
    if (recipe.style == DecoderStyle::dense)
        more += TrainingTitle::tr("no state");
    return more;
}

}  // namespace

QString host_title(HostType host) {
    constexpr HostType abbreviations[] = {HostType::gru,  HostType::lstm, HostType::rnn,
                                          HostType::gnmt, HostType::gpt,  HostType::xl};
    const QString title = without_underscores(to_word(host));
    return std::ranges::count(abbreviations, host) > 0 ? title.toUpper()
                                                       : title.left(1).toUpper() + title.mid(1);
}

QString training_title(const Recipe& recipe) {
    QStringList parts{QString::fromStdString(task(recipe.task).name)};
    const HostType host = recipe.host.value_or(HostType::gru);
    parts += attention_title(recipe, host);
    parts += more_of(recipe);
    parts += host_title(host);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

}  // namespace headlight
