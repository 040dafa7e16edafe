#include "ui/render/font_subset.h"

#include <QGlyphRun>
#include <QRawFont>
#include <QTextLayout>

#include <hb-subset.h>

#include <algorithm>
#include <map>
#include <memory>

namespace headlight {

namespace {

template <auto destroy>
struct Release {
    void operator()(auto* object) const { destroy(object); }
};
using FaceHandle = std::unique_ptr<hb_face_t, Release<hb_face_destroy>>;
using Input = std::unique_ptr<hb_subset_input_t, Release<hb_subset_input_destroy>>;
using Blob = std::unique_ptr<hb_blob_t, Release<hb_blob_destroy>>;

/// A font's tables, each read once and kept: the subsetter still reads in some that it has given back
/// (HarfBuzz 6.0), so that they must outlive its face.
class Tables {
public:
    explicit Tables(const QRawFont& font) : font_(font) {}

    FaceHandle face() { return FaceHandle(hb_face_create_for_tables(reference_table, this, nullptr)); }

private:
    static hb_blob_t* reference_table(hb_face_t*, hb_tag_t tag, void* tables) {
        Tables& self = *static_cast<Tables*>(tables);
        Blob& blob = self.blobs_[tag];
        if (!blob) {
            const char name[4] = {static_cast<char>(tag >> 24), static_cast<char>(tag >> 16),
                                  static_cast<char>(tag >> 8), static_cast<char>(tag)};
            const QByteArray table = self.font_.fontTable(QByteArray(name, 4).constData());
            blob.reset(hb_blob_create(table.constData(), static_cast<unsigned>(table.size()),
                                      HB_MEMORY_MODE_DUPLICATE, nullptr, nullptr));
        }
        return hb_blob_reference(blob.get());
    }

    QRawFont font_;
    std::map<hb_tag_t, Blob> blobs_;
};

QByteArray cut(const QRawFont& font, const std::vector<uint>& characters) {
    Tables tables(font);
    const FaceHandle face = tables.face();
    const Input input(hb_subset_input_create_or_fail());
    if (!input)
        return {};
    for (const uint character : characters)
        hb_set_add(hb_subset_input_unicode_set(input.get()), character);
    hb_subset_input_set_flags(input.get(), HB_SUBSET_FLAGS_NO_HINTING);
    const FaceHandle subset(hb_subset_or_fail(face.get(), input.get()));
    if (!subset)
        return {};
    const Blob blob(hb_face_reference_blob(subset.get()));
    unsigned length = 0;
    const char* data = hb_blob_get_data(blob.get(), &length);
    return {data, static_cast<qsizetype>(length)};
}

/// The font that draws a character: the interface font's own, or the one that Qt falls back to.
QRawFont font_for(uint character, Face face, const QString& family, const QRawFont& interface_font) {
    if (interface_font.supportsCharacter(character))
        return interface_font;
    const QString text = QString::fromUcs4(reinterpret_cast<const char32_t*>(&character), 1);
    QTextLayout layout(text, figure_font(16, face, text, family));
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    const auto runs = layout.glyphRuns();
    return runs.isEmpty() ? QRawFont() : runs.front().rawFont();
}

/// What makes one picture of several ("woman" + joiner + "girl"), or chooses the coloured form of a sign:
/// every font that may draw a part of it needs it, or browsers take the parts from different fonts.
bool is_joiner(uint character) {
    constexpr uint zero_width_joiner = 0x200D, text_form = 0xFE0E, emoji_form = 0xFE0F;
    return character == zero_width_joiner || character == text_form || character == emoji_form;
}

}  // namespace

std::vector<FontSubset> subset_fonts(const QSet<uint>& characters, Face face, const QString& family) {
    const QRawFont interface_font = QRawFont::fromFont(figure_font(16, face, {}, family));
    std::vector<uint> sorted(characters.begin(), characters.end());
    std::ranges::sort(sorted);
    std::vector<std::pair<QRawFont, std::vector<uint>>> groups;
    std::vector<uint> joiners;
    for (const uint character : sorted) {
        if (is_joiner(character)) {
            joiners.push_back(character);
            continue;
        }
        const QRawFont drawn_by = font_for(character, face, family, interface_font);
        if (!drawn_by.isValid())
            continue;
        const auto same = [&](const auto& group) {
            return group.first.familyName() == drawn_by.familyName() &&
                   group.first.styleName() == drawn_by.styleName();
        };
        auto group = std::ranges::find_if(groups, same);
        if (group == groups.end())
            group = groups.insert(groups.end(), {drawn_by, {}});
        group->second.push_back(character);
    }
    std::vector<FontSubset> subsets;
    for (auto& [raw, members] : groups) {
        for (const uint joiner : joiners)
            if (raw.supportsCharacter(joiner))
                members.insert(std::ranges::lower_bound(members, joiner), joiner);
        if (QByteArray bytes = cut(raw, members); !bytes.isEmpty())
            subsets.push_back({std::move(bytes), members});
    }
    return subsets;
}

}  // namespace headlight
