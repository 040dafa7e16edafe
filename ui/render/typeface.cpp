#include "ui/render/typeface.h"

#include "resources/resources.h"

#include <QDir>
#include <QFontDatabase>
#include <QGlyphRun>
#include <QMutex>
#include <QResource>
#include <QTextLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

namespace headlight {

namespace {

constexpr QLatin1String public_name("Inter");

/// The family inside the program, registered on first use.
const QString& interface_family() {
    static const QString family = [] {
        initialise_resources();
        QString found = public_name;
        const QDir fonts(QStringLiteral(":/headlight/fonts"));
        for (const QString& file : fonts.entryList(QDir::Files)) {
            // As bytes of the program: of a file Qt would keep one copy, and another for each face.
            const QByteArray bytes = QResource(fonts.filePath(file)).uncompressedData();
            const int id = QFontDatabase::addApplicationFontFromData(bytes);
            if (const auto families = QFontDatabase::applicationFontFamilies(id); !families.empty())
                found = families.front();
        }
        return found;
    }();
    return family;
}

/// The first script in the text whose letters must be shaped by the font, among those that Qt knows.
std::optional<QFontDatabase::WritingSystem> shaped_script(const QString& text) {
    using enum QFontDatabase::WritingSystem;
    static const std::map<QChar::Script, QFontDatabase::WritingSystem> systems{
        {QChar::Script_Syriac, Syriac},         {QChar::Script_Thaana, Thaana},
        {QChar::Script_Devanagari, Devanagari}, {QChar::Script_Bengali, Bengali},
        {QChar::Script_Gurmukhi, Gurmukhi},     {QChar::Script_Gujarati, Gujarati},
        {QChar::Script_Oriya, Oriya},           {QChar::Script_Tamil, Tamil},
        {QChar::Script_Telugu, Telugu},         {QChar::Script_Kannada, Kannada},
        {QChar::Script_Malayalam, Malayalam},   {QChar::Script_Sinhala, Sinhala},
        {QChar::Script_Khmer, Khmer},           {QChar::Script_Nko, Nko},
    };
    constexpr char16_t first_of_them = 0x0700;
    for (const QChar c : text)
        if (c.unicode() >= first_of_them)
            if (const auto found = systems.find(c.script()); found != systems.end())
                return found->second;
    return std::nullopt;
}

/// Whether it is of a script whose letters stand one after another, or a sign of all scripts.
bool is_of_european_script(QChar c) {
    switch (c.script()) {
    case QChar::Script_Latin:
    case QChar::Script_Greek:
    case QChar::Script_Cyrillic:
    case QChar::Script_Common:
        return !c.isSurrogate();
    default:
        return false;
    }
}

/// Whether every letter is of a script that has an italic. The upright letters of others Qt would shear,
/// and in a turned text along the wrong axis, so that they zigzag.
bool has_italic(const QString& text) {
    return std::ranges::all_of(text, [](QChar c) {
        return is_of_european_script(c) || (c.script() == QChar::Script_Inherited && !c.isSurrogate());
    });
}

/// Whether its letters stand one after another, each as it is, so that another glyph is not what they need.
bool needs_no_shaping(const QString& text) {
    return std::ranges::all_of(text, [](QChar c) { return is_of_european_script(c) && !c.isMark(); });
}

QList<quint32> glyphs_of(const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    QList<quint32> glyphs;
    for (const QGlyphRun& run : layout.glyphRuns())
        glyphs += run.glyphIndexes();
    return glyphs;
}

/// The system's font for a script, a Noto one if there is; the interface font when there is none.
QString system_family(QFontDatabase::WritingSystem script) {
    static std::map<QFontDatabase::WritingSystem, QString> known;
    static QMutex mutex;
    const QMutexLocker lock(&mutex);
    if (const auto found = known.find(script); found != known.end())
        return found->second;
    const QStringList families = QFontDatabase::families(script);
    const auto noto = std::ranges::find_if(
        families, [](const QString& family) { return family.startsWith(QLatin1String("Noto Sans")); });
    return known[script] = noto != families.end() ? *noto
                           : families.isEmpty()   ? interface_family()
                                                  : families.front();
}

}  // namespace

double type_size(double points, double unit) { return std::max(1.0, std::round(points * unit)); }

QFont figure_font(double size, Face face, const QString& text, const QString& family) {
    const auto script = shaped_script(text);
    QFont font(script ? system_family(*script) : family.isEmpty() ? interface_family() : family);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
    font.setBold(face == Face::bold);
    font.setItalic(face == Face::italic && has_italic(text));
    // Without hints Qt places the letters of level text at quarters of a pixel. Those of turned text are on
    // whole ones, which its raster engine knows alone across the letters: seen below some 150 dots per inch.
    // Outlines in place of its kept glyphs would stand exactly, and take 16 times as long: 31 ms for 200
    // labels.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QFont as_written(const QFont& font, const QString& text) {
    if (font.family() == interface_family() || !needs_no_shaping(text))
        return font;
    QFont plain = font;
    plain.setStyleStrategy(static_cast<QFont::StyleStrategy>(font.styleStrategy() | QFont::PreferNoShaping));
    struct Known {
        QFont font;
        QString text;
        bool operator==(const Known&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Known& known) const { return qHashMulti(0, known.font, known.text); }
    };
    // A figure writes the same labels each time that it is drawn, on several threads.
    constexpr std::size_t most_texts = 4096;
    thread_local std::unordered_map<Known, bool, Hash> rewritten;
    if (rewritten.size() >= most_texts)
        rewritten.clear();
    const auto [known, is_new] = rewritten.try_emplace(Known{font, text}, false);
    if (is_new)
        known->second = glyphs_of(text, font) != glyphs_of(text, plain);
    return known->second ? plain : font;
}

bool has_own_font(Face face, const QString& text) {
    return shaped_script(text) || (face == Face::italic && !has_italic(text));
}

QString public_family(const QString& family) {
    return family.isEmpty() || family == interface_family() ? QString(public_name) : family;
}

QStringList font_families() {
    const QString own = interface_family();
    QStringList families = QFontDatabase::families();
    families.removeAll(own);
    if (!families.contains(public_name))
        families.insert(std::ranges::lower_bound(families, QString(public_name)), public_name);
    return families;
}

QString known_family(const QString& name) {
    if (name.isEmpty())
        return {};
    static std::map<QString, QString> known;
    static QMutex mutex;
    const QMutexLocker lock(&mutex);
    const auto [found, is_new] = known.try_emplace(name);
    if (is_new) {
        const QStringList families = font_families();
        const auto same = std::ranges::find_if(
            families, [&](const QString& family) { return family.compare(name, Qt::CaseInsensitive) == 0; });
        if (same != families.end())
            found->second = *same == public_name ? interface_family() : *same;
    }
    return found->second;
}

namespace {

/// What is asked of a text.
struct AskedText {
    long size;  // as figure_font() has it
    Face face;
    QString family, text;
    double width = 0;
    int lines = 0;
    bool operator==(const AskedText&) const = default;
};

struct AskedTextHash {
    std::size_t operator()(const AskedText& each) const {
        return qHashMulti(0, static_cast<qint64>(each.size), static_cast<int>(each.face), each.family,
                          each.text, each.width, each.lines);
    }
};

template <class Answer>
class Answers {
public:
    explicit Answers(std::size_t most) : most_(most) {}
    /// The answer of `make`, once for the same question.
    template <class Make>
    Answer of(const AskedText& asked, const Make& make) {
        if (const auto found = known_.find(asked); found != known_.end())
            return found->second;
        Answer answer = make();
        if (known_.size() >= most_)
            known_.clear();
        return known_[asked] = std::move(answer);
    }

private:
    std::size_t most_;
    std::unordered_map<AskedText, Answer, AskedTextHash> known_;
};

constexpr qsizetype most_letters_remembered = 256;
constexpr std::size_t most_texts = 1 << 15;  // those of the catalogue in a dozen sizes
constexpr std::size_t most_places = 1 << 12;

}  // namespace

TextMeasure::TextMeasure(double size, Face face, const QString& family)
    : size_(size), face_(face), family_(family) {}

const QFontMetricsF& TextMeasure::metrics() const {
    if (!metrics_)
        metrics_.emplace(figure_font(size_, face_, {}, family_));
    return *metrics_;
}

QFontMetricsF TextMeasure::metrics_for(const QString& text) const {
    if (family_.isEmpty())
        return has_own_font(face_, text) ? QFontMetricsF(figure_font(size_, face_, text)) : metrics();
    return QFontMetricsF(as_written(figure_font(size_, face_, text, family_), text));
}

double TextMeasure::width(const QString& text) const {
    if (text.size() > most_letters_remembered)
        return metrics_for(text).horizontalAdvance(text);
    // Figures are laid out on several threads.
    thread_local Answers<double> widths(most_texts);
    return widths.of({std::lround(size_), face_, family_, text},
                     [&] { return metrics_for(text).horizontalAdvance(text); });
}

namespace {

const QStringList& signs_between() {
    static const QStringList signs{QStringLiteral(" \u2212 "), QStringLiteral(" \u2194 ")};
    return signs;
}

bool is_of_pair(const QString& sign) { return sign == signs_between().back(); }

}  // namespace

QString TextMeasure::elided(const QString& text, double width) const {
    if (this->width(text) <= width)
        return text;
    if (text.size() > most_letters_remembered)
        return shortened(text, width);
    // A figure is laid out several times in the same width, to be measured and to be drawn.
    thread_local Answers<QString> shorter(most_places);
    return shorter.of({std::lround(size_), face_, family_, text, width},
                      [&] { return shortened(text, width); });
}

/// One that is too wide.
QString TextMeasure::shortened(const QString& text, double width) const {
    // Both sides of a difference or of a pair are shortened: an ellipsis over the sign would leave one name
    // of two.
    for (const QString& sign : signs_between()) {
        const qsizetype at = text.indexOf(sign);
        if (at <= 0)
            continue;
        const QString left = text.left(at), right = text.mid(at + sign.size());
        const double room = std::max(0.0, width - this->width(sign)), half = room / 2;
        const double of_left = this->width(left), of_right = this->width(right);
        const double for_left = of_right < half ? room - of_right : std::min(half, of_left);
        const QString first = elided(left, for_left), second = elided(right, room - for_left);
        // A label of a pair has little room: where that leaves "…" of one its ends say more.
        constexpr qsizetype fewest = 3;
        if (is_of_pair(sign) && std::min(first.size(), second.size()) < fewest)
            return metrics_for(text).elidedText(text, Qt::ElideMiddle, width);
        return first + sign + second;
    }
    constexpr QChar ellipsis(0x2026);
    const QFontMetricsF metrics = metrics_for(text);
    QString shown = metrics.elidedText(text, Qt::ElideMiddle, width);
    // "W…w" says less than "Win…".
    constexpr qsizetype fewest = 3;
    const qsizetype before = shown.indexOf(ellipsis), after = shown.size() - 1 - before;
    if (shown != text && before >= 0 && std::min(before, after) < fewest)
        shown = metrics.elidedText(text, Qt::ElideRight, width);
    // What was isolated before the ellipsis ends there, or it would go on over the words after it.
    constexpr QChar isolate(0x2068), isolate_ends(0x2069);
    if (shown.count(isolate) > shown.count(isolate_ends))
        shown.insert(shown.indexOf(ellipsis), isolate_ends);
    return shown;
}

QString TextMeasure::elided_at_word(const QString& text, double width) const {
    constexpr QChar isolate(0x2068);
    const bool is_of_two =
        std::ranges::any_of(signs_between(), [&](const QString& sign) { return text.contains(sign); });
    if (this->width(text) <= width || text.contains(isolate) || is_of_two)
        return elided(text, width);
    // A number at the end is what tells it from others, "The source… 4", or what all before it comes to:
    // "2 × 3 + 4… = 30".
    qsizetype last = text.lastIndexOf(u' ');
    const QStringView equals(u" = ");
    if (last >= 2 && QStringView(text).sliced(last - 2).startsWith(equals))
        last -= 2;
    const QString number = last > 0 && text.back().isDigit() ? text.mid(last) : QString();
    constexpr qsizetype fewest = 3;  // letters
    for (qsizetype end = text.lastIndexOf(u' '); end >= fewest; end = text.lastIndexOf(u' ', end - 1)) {
        QString words = text.left(end);
        const auto ends_a_word = [](QChar c) {
            return c.isLetterOrNumber() || c.isMark() || c.isSurrogate();
        };
        while (!words.isEmpty() && !ends_a_word(words.back()))
            words.chop(1);
        const QString shown = words + QChar(u'…') + number;
        if (words.size() >= fewest && this->width(shown) <= width)
            return shown;
    }
    return elided(text, width);
}

QStringList TextMeasure::lines(const QString& text, double width, int most) const {
    if (text.size() > most_letters_remembered)
        return broken(text, width, most);
    thread_local Answers<QStringList> known(most_places);
    return known.of({std::lround(size_), face_, family_, text, width, most},
                    [&] { return broken(text, width, most); });
}

QStringList TextMeasure::broken(const QString& text, double width, int most) const {
    QStringList lines;
    QString rest = text;
    while (lines.size() + 1 < most && this->width(rest) > width) {
        qsizetype end = -1, before_word = -1;
        for (qsizetype at = rest.indexOf(u' '); at > 0 && this->width(rest.left(at)) <= width;
             at = rest.indexOf(u' ', at + 1)) {
            end = at;
            if (at + 1 == rest.size())
                continue;
            const QChar before = rest.at(at - 1), after = rest.at(at + 1);
            const bool is_in_size = before.isDigit() && after == u'×';
            if (before == u',' || !(after.isDigit() || is_in_size))
                before_word = at;
        }
        // A number stays with the word before it, "head 3", and a size is whole, "15 × 15", unless what
        // follows would be cut for it.
        if (before_word > 0 && before_word < end && this->width(rest.mid(before_word + 1)) <= width)
            end = before_word;
        if (end < 0)
            break;
        lines += rest.left(end);
        rest = rest.mid(end + 1);
    }
    lines += elided_at_word(rest, width);
    return lines;
}

double TextMeasure::wrapped_height(const QString& text, double width) const {
    if (text.isEmpty())
        return 0;
    return metrics_for(text).boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap, text).height();
}

}  // namespace headlight
