#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QString>
#include <QStringList>

#include <optional>

namespace headlight {

enum class Face { regular, bold, italic };

/// The size of text of so many points in a device with `unit` units to the point. Qt rounds sizes to whole
/// units, so layout does too: what is measured is then what is drawn.
double type_size(double points, double unit);

/// The interface font with an em of `size` units of the device: independent of the screen's resolution, and
/// unhinted, so that the same figure has the same proportions on a screen, in a PNG and in a PDF.
/// `text` is what it is for: of scripts that need shaping which the interface font cannot give (Devanagari,
/// Thai, ...) Qt would first try and complain about it, so for them the system's font comes first. Italic is
/// only what has italic letters; other scripts stay upright. `family` stands in place of the interface
/// font's, as known_family() spells it.
QFont figure_font(double size, Face face, const QString& text = {}, const QString& family = {});

/// The font as it draws each character of `text` with that character's own glyph. Fonts have features that
/// rewrite: "->" becomes an arrow, "10:30" gets a raised colon, "fi" one sign. The interface font has none of
/// them; of another family, where one would rewrite this text, all are off, and its kerning too. Scripts
/// whose letters must be shaped keep what they need.
QFont as_written(const QFont& font, const QString& text);

/// The name by which people know a family: the interface font is a copy of Inter under a name of its own.
QString public_family(const QString& family);
/// The family as Qt finds it, that of the interface font too; empty where the system has none of that name.
QString known_family(const QString& name);
/// Those that the system has, and the interface font, in alphabetical order. Takes longer than a frame when
/// it is first asked.
QStringList font_families();

/// Whether figure_font() gives this text another font than the interface's own of that face.
bool has_own_font(Face face, const QString& text);

/// How large text in the interface font is, or in that of `family`, in the units of `size`. Of one thread.
class TextMeasure {
public:
    TextMeasure(double size, Face face, const QString& family = {});

    /// Remembered: a figure measures the same labels each time that it is drawn, and shaping them takes
    /// longer than painting its cells.
    double width(const QString& text) const;
    /// `text`, or its beginning and end with an ellipsis between when it is wider than `width`; its beginning
    /// alone where that would leave less than three letters of either.
    QString elided(const QString& text, double width) const;
    /// The same of a sentence: cut at the end of a word where one has room, and with the number that it ends
    /// in.
    QString elided_at_word(const QString& text, double width) const;
    /// The text in at most so many lines, broken between words, where there is a choice not before a number;
    /// the last one is cut where it is still too long.
    QStringList lines(const QString& text, double width, int most) const;
    double ascent() const { return metrics().ascent(); }
    double descent() const { return metrics().descent(); }
    double line() const { return ascent() + descent(); }
    double cap_height() const { return metrics().capHeight(); }
    /// From the middle of a line to its baseline, for text that is to look centred.
    double middle_to_baseline() const { return 0.5 * cap_height(); }
    /// The height of `text` wrapped to `width`.
    double wrapped_height(const QString& text, double width) const;

private:
    /// Those of the font without a text, made when they are first asked for: most measures only look up what
    /// is remembered.
    const QFontMetricsF& metrics() const;
    QFontMetricsF metrics_for(const QString& text) const;
    QString shortened(const QString& text, double width) const;
    QStringList broken(const QString& text, double width, int most) const;

    double size_;
    Face face_;
    QString family_;
    mutable std::optional<QFontMetricsF> metrics_;
};

}  // namespace headlight
