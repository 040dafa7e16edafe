#include "core/io/named_widths.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace headlight {
namespace {

constexpr double inches(double count) { return 25.4 * count; }

// From what the venues ask of their authors: formatting guidelines of *ACL (columns of 7.7 cm, 0.6 cm between
// them), neurips.sty and iclr.sty (5.5 in), icml.sty (3.25 in and 6.75 in), the kits of AAAI (3.3 in and 7
// in) and of CVPR (3.25 in and 6.875 in), acmart in sigconf (3.33 in and 7 in), jmlr2e.sty (6 in), Springer's
// llncs (122 mm), IEEE's "Size requirements for graphics", the guides to figures of Nature, Science, PNAS,
// Cell and PLOS, Elsevier's artwork sizing. Slides are as wide as PowerPoint makes them, posters ISO 216.
constexpr NamedWidth widths[] = {
    {"acl", 77, "ACL, EMNLP, NAACL, TACL, one column"},
    {"acl-double", 160, "ACL, EMNLP, NAACL, TACL, both columns"},
    {"neurips", inches(5.5), "NeurIPS"},
    {"iclr", inches(5.5), "ICLR"},
    {"icml", inches(3.25), "ICML, one column"},
    {"icml-double", inches(6.75), "ICML, both columns"},
    {"aaai", inches(3.3), "AAAI, one column"},
    {"aaai-double", inches(7), "AAAI, both columns"},
    {"cvpr", inches(3.25), "CVPR and ICCV, one column"},
    {"cvpr-double", inches(6.875), "CVPR and ICCV, both columns"},
    {"jmlr", inches(6), "JMLR"},
    {"ieee", 88.9, "IEEE, one column"},
    {"ieee-double", 182, "IEEE, both columns"},
    {"acm", inches(3.33), "ACM conferences, one column"},
    {"acm-double", inches(7), "ACM conferences, both columns"},
    {"lncs", 122, "Springer's lecture notes"},
    {"elsevier", 90, "Elsevier, one column"},
    {"elsevier-double", 190, "Elsevier, both columns"},
    {"nature", 89, "Nature, one column"},
    {"nature-double", 183, "Nature, both columns"},
    {"science", 57, "Science, one column"},
    {"science-double", 121, "Science, two columns"},
    {"science-triple", 184, "Science, three columns"},
    {"pnas", 87, "PNAS, one column"},
    {"pnas-double", 178, "PNAS, both columns"},
    {"cell", 85, "Cell, one column"},
    {"cell-double", 174, "Cell, both columns"},
    {"plos", 132, "PLOS, the text's column"},
    {"16:9", inches(13.333), "a wide slide"},
    {"4:3", inches(10), "a slide"},
    {"a4", 210, "a sheet of A4"},
    {"a0", 841, "a poster of A0"},
};

}  // namespace

std::span<const NamedWidth> named_widths() { return widths; }

const NamedWidth* find_named_width(std::string_view name) {
    const auto small = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    const auto* const found = std::ranges::find_if(widths, [&](const NamedWidth& each) {
        return std::ranges::equal(each.name, name, {}, small, small);
    });
    return found == std::end(widths) ? nullptr : found;
}

}  // namespace headlight
