#include "ui/views/cell_text.h"

#include "core/figure/build_figure.h"
#include "core/map/trace_maps.h"
#include "core/tensor/visible_text.h"
#include "ui/models/counted_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace headlight {
namespace {

struct CellTextWords {
    Q_DECLARE_TR_FUNCTIONS(CellTextWords)
};

bool names_token(Axis axis) { return axis == Axis::query || axis == Axis::key; }

QString title_of(const Trace& trace, const Stage& stage) {
    return QString::fromStdString(stage_title(trace, stage));
}

/// What a row or column with this label is called.
QString named(const std::string& label, Axis axis) {
    if (names_token(axis))
        return quoted_token(label);
    const QString number = QString::fromStdString(label);
    return axis == Axis::attention ? CellTextWords::tr("hidden unit %1").arg(number)
                                   : CellTextWords::tr("feature %1").arg(number);
}

QString named(const TokenLabels& tokens, Axis axis, Index index) {
    return named(index_label(tokens, axis, index), axis);
}

/// The same of a side of a stage, which may have a word of its own: "seed 2".
QString named(const std::string& label, Axis axis, const std::string& word) {
    return word.empty()
               ? named(label, axis)
               : QStringLiteral("%1 %2").arg(QString::fromStdString(word), QString::fromStdString(label));
}

/// The subscript that Unicode has for the letter or digit; nothing where it has none, as for q.
QChar subscript(QChar sign) {
    constexpr QStringView signs = u"0123456789aehijklmnoprstuvx", lowered = u"₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ";
    const qsizetype at = signs.indexOf(sign);
    return at < 0 ? QChar() : lowered[at];
}

/// "Wₒ" for W_o, as pictures write it. What stands in quotes is a token, and stays as it is.
QString with_subscripts(const QString& expression) {
    const auto is_part_of_word = [&](qsizetype at) {
        return at >= 0 && at < expression.size() &&
               (expression[at].isLetterOrNumber() || expression[at] == u'_');
    };
    QString text;
    int quotes = 0;
    for (qsizetype at = 0; at < expression.size(); ++at) {
        const QChar sign = expression[at];
        quotes += sign == u'“' ? 1 : sign == u'”' ? -1 : 0;
        const bool is_of_letter = sign == u'_' && quotes == 0 && is_part_of_word(at - 1) &&
                                  !is_part_of_word(at - 2) && is_part_of_word(at + 1) &&
                                  !is_part_of_word(at + 2);
        const QChar lowered = is_of_letter ? subscript(expression[at + 1]) : QChar();
        text += lowered.isNull() ? sign : lowered;
        at += lowered.isNull() ? 0 : 1;
    }
    return text;
}

QString step_line(const QString& name, const QString& expression, const QString& result) {
    const QString equals = QStringLiteral(" = ");
    // What is taken as it is, as raw scores are for weights, is its own result: said once.
    const bool ends_with_it = expression == result || expression.endsWith(equals + result);
    return name + equals + (ends_with_it ? expression : expression + equals + result);
}

QString step_line(const ArithmeticStep& step) {
    return step_line(QString::fromStdString(step.name),
                     with_subscripts(QString::fromStdString(step.expression)),
                     QString::fromStdString(step.result));
}

/// The sign between two terms of an expression.
struct TermSign {
    qsizetype begin, end;
    qsizetype bracket;  ///< where the bracket opens that it stands in; −1 in none
};

std::vector<TermSign> term_signs(const QString& expression) {
    std::vector<TermSign> signs;
    std::vector<qsizetype> brackets{-1};
    for (qsizetype at = 0; at < expression.size(); ++at) {
        if (QStringView(u"([").contains(expression[at]))
            brackets.push_back(at);
        if (QStringView(u")]").contains(expression[at]) && brackets.size() > 1)
            brackets.pop_back();
        for (const QStringView sign : {u" + ", u" − ", u", "})
            if (QStringView(expression).sliced(at).startsWith(sign))
                signs.push_back({at, at + sign.size(), brackets.back()});
    }
    return signs;
}

/// The expression without some terms in its middle, the longest first: "0.5 × 2 + … + 0.1 × 3". Terms that
/// are summed up already, "[3 more: 5]", go first. Brackets stay whole.
QStringList without_middle_terms(const QString& expression) {
    const QLatin1String summed_up(" more: ");
    const std::vector<TermSign> signs = term_signs(expression);
    QStringList shorter;
    for (std::size_t first = 0; first < signs.size(); ++first)
        for (std::size_t last = first + 1; last < signs.size(); ++last) {
            if (signs[last].bracket != signs[first].bracket)
                continue;
            const QString text =
                expression.first(signs[first].end) + QChar(u'…') + expression.sliced(signs[last].begin);
            if (!expression.contains(summed_up) || text.count(summed_up) < expression.count(summed_up))
                shorter += text;
        }
    std::ranges::stable_sort(shorter, std::greater<>(), &QString::size);
    return shorter;
}

/// Ways to write a step, in the order in which they are tried: whole, without terms in the middle, without
/// the symbols before the numbers, with the symbols alone, and with its result alone.
QStringList shorter_lines(const ArithmeticStep& step) {
    const QString name = QString::fromStdString(step.name), result = QString::fromStdString(step.result);
    const QString expression = with_subscripts(QString::fromStdString(step.expression));
    const QString equals = QStringLiteral(" = ");
    const qsizetype sign = expression.lastIndexOf(equals);
    const qsizetype numbers_begin = sign < 0 ? 0 : sign + equals.size();
    const QString symbols = expression.first(numbers_begin), numbers = expression.sliced(numbers_begin);
    QStringList lines;
    for (const QString& before : {symbols, QString()})
        for (const QString& shown : QStringList(numbers) + without_middle_terms(numbers))
            lines += step_line(name, before + shown, result);
    if (sign > 0)
        lines += step_line(name, expression.first(sign), result);
    lines += name + equals + result;
    return lines;
}

}  // namespace

QString readable_number(double value, int significant) {
    return QString::fromStdString(format_number(value, significant));
}

QString quoted_token(const std::string& label) { return QString::fromStdString(in_quotes(label)); }

QString cell_sentence(const Trace& trace, const CellPlace& place, const Selection& selection) {
    const Stage* stage = trace.find(place.stage, place.site);
    if (!stage)
        return {};
    const TokenLabels& tokens = trace.tokens_at(place.site);
    const MatrixAxes axes = matrix_axes(*stage, place.rows_are_keys);
    const auto named_side = [&](Axis axis, MatrixSide side, Index index) {
        return named(index_label(tokens, axis, index), axis, side_word(trace, place, axis, side));
    };
    if (!place.is_cell())
        return place.row      ? named_side(axes.rows, MatrixSide::rows, *place.row)
               : place.column ? named_side(axes.columns, MatrixSide::columns, *place.column)
                              : place_subtitle(trace, place);
    const auto value = number_at(trace, place, selection);
    if (!value)
        return {};
    const QString row = named_side(axes.rows, MatrixSide::rows, *place.row);
    const QString column = named_side(axes.columns, MatrixSide::columns, *place.column);
    const bool is_set = std::ranges::any_of(trace.by_hand, [&](const ChangedByHand& change) {
        return change.is_at(place.site, place.stage, place.head, *place.row, *place.column);
    });
    const QString number =
        is_set ? CellTextWords::tr("%1, set by hand").arg(readable_number(*value)) : readable_number(*value);
    if (place.stage == "weights")
        return (is_implied(trace, *stage) ? CellTextWords::tr("%1 looks at %2: implied weight %3")
                                          : CellTextWords::tr("%1 looks at %2: weight %3"))
            .arg(row, column, number);
    const QString rows =
        is_of_pairs(*stage)
            ? CellTextWords::tr("%1 and %2").arg(named(tokens, Axis::query, selection.query), row)
            : row;
    return (names_token(axes.columns) ? CellTextWords::tr("%1 of %2 and %3: %4")
                                      : CellTextWords::tr("%1 of %2, %3: %4"))
        .arg(title_of(trace, *stage), rows, column, number);
}

QString place_title(const CellReport& report) {
    std::string tokens;
    QStringList features;
    const auto add = [&](const std::string& label, Axis axis, const std::string& word = {}) {
        if (label.empty())
            return;
        const std::string name = named(label, axis, word).toStdString();
        if (!names_token(axis))
            features += QString::fromStdString(name);
        else
            tokens = tokens.empty() ? name : with_arrow(tokens, name);
    };
    add(report.query_label, Axis::query);
    add(report.row_label, report.axes.rows, report.row_word);
    add(report.column_label, report.axes.columns, report.column_word);
    if (!tokens.empty())
        features.prepend(QString::fromStdString(tokens));
    return features.join(QStringLiteral(", "));
}

QString in_own_direction(const QString& text) {
    constexpr QChar first_strong_isolate(0x2068), left_to_right_isolate(0x2066), left_to_right_mark(0x200E);
    const bool isolates = text.contains(first_strong_isolate) || text.contains(left_to_right_isolate);
    return isolates && !text.isRightToLeft() ? left_to_right_mark + text : text;
}

QString with_whole_words(const QString& text) {
    constexpr qsizetype longest = 18;  // characters
    constexpr QChar word_joiner(0x2060);
    QStringList words = text.split(QLatin1Char(' '));
    for (QString& word : words) {
        if (word.size() > longest)
            continue;
        QString whole;
        qsizetype from = 0;
        QTextBoundaryFinder breaks(QTextBoundaryFinder::Line, word);
        for (qsizetype at = breaks.toNextBoundary(); at > 0 && at < word.size();
             at = breaks.toNextBoundary()) {
            whole += word.mid(from, at - from) + word_joiner;
            from = at;
        }
        word = whole + word.mid(from);
    }
    return words.join(QLatin1Char(' '));
}

QString place_subtitle(const Trace& trace, const CellPlace& place) {
    return place_subtitle(trace, place, place.site);
}

QString place_subtitle(const Trace& trace, const CellPlace& place, const std::string& site) {
    const Stage* stage = trace.find(place.stage, place.site);
    const std::string named = stage_title_at(place.stage, site);
    const QString title = QString::fromStdString(
        named != stage_title(place.stage) ? named : stage_title(trace, place.stage, place.site));
    if (!stage || stage->heads() < 2)
        return title;
    return CellTextWords::tr("Head %1 of %2 · %3").arg(place.head + 1).arg(stage->heads()).arg(title);
}

QString arithmetic_line(const CellReport& report, const std::function<bool(const QString&)>& fits) {
    if (report.steps.empty())
        return {};
    const QString cell = place_title(report);
    const auto of_cell = [&cell](const QString& line) {
        return cell.isEmpty() ? line : CellTextWords::tr("%1:  %2").arg(cell, line);
    };
    QStringList steps;
    for (const ArithmeticStep& step : report.steps)
        steps += step_line(step);
    if (const QString whole = of_cell(steps.join(QStringLiteral(";  "))); fits(whole))
        return whole;
    const QStringList shorter = shorter_lines(report.steps.back());
    for (const QString& line : shorter)
        if (const QString named = of_cell(line); fits(named))
            return named;
    return shorter.back();
}

QString row_summary(const RowReport& row) {
    if (row.fully_masked)
        return CellTextWords::tr("The mask forbids every key: the weights are zero and so is the context.");
    if (row.unknown > 0)
        return CellTextWords::tr(
                   "The weights of the row that are known sum to %1; %2 of %3 are not in the file.")
            .arg(readable_number(row.sum))
            .arg(row.unknown)
            .arg(row.weights.size());
    const QString sum = std::abs(row.sum - 1) < 5e-5
                            ? CellTextWords::tr("The row sums to 1.")
                            : CellTextWords::tr("The row sums to %1.").arg(readable_number(row.sum));
    if (!row.is_shares)
        return sum;
    const QString bits = readable_number(row.entropy_bits, 3), sharing = readable_number(row.effective_keys, 3),
                  keys = counted_text(std::ssize(row.weights), "key");
    return sharing == QLatin1String("1")
               ? CellTextWords::tr("%1 Entropy %2 bits: one of %3 has all of the weight.").arg(sum, bits, keys)
               : CellTextWords::tr("%1 Entropy %2 bits: as if %3 of %4 shared the weight evenly.")
                     .arg(sum, bits, sharing, keys);
}

QString row_title(const TokenLabels& tokens, const RowReport& row) {
    return CellTextWords::tr("Weights of %1").arg(named(tokens, Axis::query, row.query));
}

QString column_title(const TokenLabels& tokens, const ColumnReport& column) {
    return CellTextWords::tr("Weights that %1 gets").arg(named(tokens, Axis::key, column.key));
}

QString column_summary(const ColumnReport& column) {
    if (column.unknown > 0)
        return CellTextWords::tr(
                   "The weights of the column that are known sum to %1; %2 of %3 are not in the file.")
            .arg(readable_number(column.sum))
            .arg(column.unknown)
            .arg(column.weights.size());
    return CellTextWords::tr("The column sums to %1.").arg(readable_number(column.sum));
}

QString context_text(const RowReport& row, std::size_t limit) {
    QStringList numbers;
    for (std::size_t i = 0; i < std::min(row.context.size(), limit); ++i)
        numbers += readable_number(row.context[i]);
    if (row.context.size() > limit)
        numbers += QStringLiteral("…");
    const QString all = numbers.join(QStringLiteral("  "));
    return CellTextWords::tr("Context, %1: %2").arg(counted_text(std::ssize(row.context), "number"), all);
}

QString report_text(const Trace& trace, const CellReport& report, const std::string& site) {
    QStringList lines{place_title(report), place_subtitle(trace, report.place, site), QString()};
    const auto width_of = [](const auto& items, auto text) {
        qsizetype width = 0;
        for (const auto& item : items)
            width = std::max(width, text(item).size());
        return width;
    };
    const auto name = [](const ArithmeticStep& step) { return QString::fromStdString(step.name); };
    const auto result = [](const ArithmeticStep& step) { return QString::fromStdString(step.result); };
    const qsizetype names = width_of(report.steps, name), results = width_of(report.steps, result);
    for (const ArithmeticStep& step : report.steps)
        lines += QStringLiteral("%1  %2  = %3")
                     .arg(name(step).leftJustified(names), result(step).rightJustified(results),
                          QString::fromStdString(step.expression));
    const TokenLabels& tokens = trace.tokens_at(report.place.site);
    const auto list = [&](Axis axis, const std::vector<double>& weights, const std::vector<Index>& order) {
        const auto token = [&](Index i) { return QString::fromStdString(index_label(tokens, axis, i)); };
        const qsizetype width = width_of(order, token);
        for (const Index i : order)
            lines += QStringLiteral("%1  %2").arg(token(i).leftJustified(width),
                                                  readable_number(weights[static_cast<std::size_t>(i)]));
    };
    if (report.column) {
        const ColumnReport& column = *report.column;
        lines << QString() << column_title(tokens, column);
        list(Axis::query, column.weights, column.by_weight);
        if (!column.drawn.empty()) {
            lines << QString() << CellTextWords::tr("As drawn");
            list(Axis::query, column.drawn, column.by_weight);
        }
        lines << column_summary(column);
    }
    if (report.row) {
        const RowReport& row = *report.row;
        lines << QString() << row_title(tokens, row);
        list(Axis::key, row.weights, row.by_weight);
        if (!row.drawn.empty()) {
            lines << QString() << CellTextWords::tr("As drawn");
            list(Axis::key, row.drawn, row.by_weight);
        }
        lines << row_summary(row);
        if (!row.context.empty())
            lines << QString() << context_text(row, row.context.size());
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace headlight
