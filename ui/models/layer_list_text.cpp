#include "ui/models/layer_list_text.h"

#include "core/attention/spec_words.h"
#include "ui/models/mechanism_model.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace headlight {
namespace {

struct LayerWords {
    Q_DECLARE_TR_FUNCTIONS(LayerWords)
};

QString attention_text(const LayerAttention& layer) {
    if (layer.spec)
        return spec_summary(*layer.spec);
    const QString name = QString::fromStdString(mechanism(layer.mechanism).name);
    QStringList values;
    for (const auto& [knob, value] : layer.values)
        values << QString::fromStdString(knob + '=' + to_string(value));
    if (layer.normalizer)
        values << LayerWords::tr("normaliser %1")
                      .arg(QString::fromStdString(to_word(*layer.normalizer))
                               .replace(QLatin1Char('_'), QLatin1Char(' ')));
    return values.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, values.join(QStringLiteral(", ")));
}

QString layer_text(const LayerAttention& layer) {
    const QString text = attention_text(layer);
    return layer.shares ? LayerWords::tr("%1, keys and values of layer %2").arg(text).arg(*layer.shares + 1)
                        : text;
}

/// `side` stands before the numbers: "Encoder ".
void add_layer_lines(QStringList& lines, const QString& side, const std::vector<LayerAttention>& layers) {
    for (auto first = layers.begin(); first != layers.end();) {
        const auto end = std::find_if(first, layers.end(), [&](const auto& each) { return each != *first; });
        QString numbers = QString::number(first - layers.begin() + 1);
        if (end - first > 1)
            numbers += QStringLiteral("–%1").arg(end - layers.begin());
        lines << QStringLiteral("%1%2: %3").arg(side, numbers, layer_text(*first));
        first = end;
    }
}

}  // namespace

QString layer_list_text(const LayerList& list) {
    QStringList lines;
    add_layer_lines(lines, {}, list.all);
    add_layer_lines(lines, LayerWords::tr("Encoder "), list.encoder);
    add_layer_lines(lines, LayerWords::tr("Decoder "), list.decoder);
    return lines.join(QChar('\n'));
}

}  // namespace headlight
