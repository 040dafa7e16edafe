#include "ui/render/few_colours.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

namespace headlight {
namespace {

constexpr std::size_t most_colours = 256;
constexpr std::size_t kept_colours = 192;  ///< as they are, where there are too many

struct Counted {
    QRgb colour;
    std::size_t pixels;
};

using Channel = int (*)(QRgb);
constexpr std::array<Channel, 3> channels{qRed, qGreen, qBlue};

/// The channel in which the colours differ most, and by how much.
std::pair<Channel, int> widest(std::span<const Counted> box) {
    std::pair<Channel, int> best{channels[0], -1};
    for (const Channel channel : channels) {
        const auto [low, high] =
            std::ranges::minmax(box, {}, [channel](const Counted& each) { return channel(each.colour); });
        if (const int width = channel(high.colour) - channel(low.colour); width > best.second)
            best = {channel, width};
    }
    return best;
}

QRgb mean(std::span<const Counted> box) {
    std::size_t red = 0, green = 0, blue = 0, pixels = 0;
    for (const Counted& each : box) {
        red += each.pixels * static_cast<std::size_t>(qRed(each.colour));
        green += each.pixels * static_cast<std::size_t>(qGreen(each.colour));
        blue += each.pixels * static_cast<std::size_t>(qBlue(each.colour));
        pixels += each.pixels;
    }
    return qRgb(static_cast<int>(red / pixels), static_cast<int>(green / pixels),
                static_cast<int>(blue / pixels));
}

/// Spreads colours with equally many pixels, as those of a colour bar, where not all may be among the first
/// `kept` of `all`: those are that stand evenly among them. Without it one end of the bar would be in bands.
void spread_equals(std::vector<Counted>& all, std::size_t kept) {
    const auto [begin, end] = std::equal_range(
        all.begin(), all.end(), all[kept - 1],
        [](const Counted& left, const Counted& right) { return left.pixels > right.pixels; });
    const std::span<Counted> equal(begin, end);
    const std::size_t count = equal.size(), room = kept - static_cast<std::size_t>(begin - all.begin());
    std::vector<Counted> chosen, others;
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_chosen = (i + 1) * room / count > i * room / count;
        (is_chosen ? chosen : others).push_back(equal[i]);
    }
    std::ranges::copy(others, std::ranges::copy(chosen, equal.begin()).out);
}

/// `count` colours that stand for more of them.
std::vector<QRgb> median_cut(std::span<Counted> colours, std::size_t count) {
    std::vector<std::span<Counted>> boxes{colours};
    while (boxes.size() < count) {
        const auto box = std::ranges::max_element(
            boxes, {}, [](std::span<Counted> each) { return each.size() < 2 ? -1 : widest(each).second; });
        if (box->size() < 2)
            break;
        const Channel channel = widest(*box).first;
        std::ranges::sort(*box, {}, [channel](const Counted& each) { return channel(each.colour); });
        const std::size_t half = box->size() / 2;
        const std::span<Counted> upper = box->subspan(half);
        *box = box->first(half);
        boxes.push_back(upper);
    }
    std::vector<QRgb> means;
    means.reserve(boxes.size());
    for (const std::span<Counted> box : boxes)
        means.push_back(mean(box));
    return means;
}

std::size_t nearest(const std::vector<QRgb>& table, QRgb colour) {
    std::size_t best = 0;
    int least = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < table.size(); ++i) {
        int distance = 0;
        for (const Channel channel : channels) {
            const int difference = channel(table[i]) - channel(colour);
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/// Calls `see(pixel, is_changed)` of each pixel, row by row.
template <class See>
void see_pixels(const QImage& picture, const QImage& before, const See& see) {
    for (int y = 0; y < picture.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        const auto* was = before.isNull() ? nullptr : reinterpret_cast<const QRgb*>(before.constScanLine(y));
        for (int x = 0; x < picture.width(); ++x)
            see(line[x], !was || was[x] != line[x]);
    }
}

using ColourNumbers = std::unordered_map<QRgb, std::uint8_t>;

FewColours numbered(std::vector<QRgb> colours, const ColourNumbers& numbers, const QImage& picture,
                    const QImage& before) {
    FewColours few{std::move(colours), {}};
    if (!before.isNull())
        few.unchanged = static_cast<std::uint8_t>(few.colours.size());
    few.numbers.reserve(static_cast<std::size_t>(picture.width()) *
                        static_cast<std::size_t>(picture.height()));
    see_pixels(picture, before, [&](QRgb pixel, bool is_changed) {
        few.numbers.push_back(is_changed ? numbers.at(pixel) : *few.unchanged);
    });
    return few;
}

}  // namespace

FewColours few_colours(const QImage& picture, const QImage& before) {
    const std::size_t most = before.isNull() ? most_colours : most_colours - 1;
    std::unordered_map<QRgb, std::size_t> counts;
    see_pixels(picture, before, [&](QRgb pixel, bool is_changed) {
        if (is_changed)
            ++counts[pixel];
    });
    std::vector<Counted> all;
    all.reserve(counts.size());
    for (const auto& [colour, pixels] : counts)
        all.push_back({colour, pixels});
    // By number, then by colour: the same picture gives the same bytes.
    std::ranges::sort(all, [](const Counted& a, const Counted& b) {
        return a.pixels != b.pixels ? a.pixels > b.pixels : a.colour < b.colour;
    });
    std::vector<QRgb> colours;
    const std::size_t exact = all.size() <= most ? all.size() : kept_colours;
    if (exact < all.size())
        spread_equals(all, exact);
    for (std::size_t i = 0; i < exact; ++i)
        colours.push_back(all[i].colour);
    if (exact < all.size()) {
        const std::vector<QRgb> rest = median_cut(std::span(all).subspan(exact), most - exact);
        colours.insert(colours.end(), rest.begin(), rest.end());
    }
    ColourNumbers numbers;
    for (const auto& [colour, pixels] : counts)
        numbers[colour] = static_cast<std::uint8_t>(nearest(colours, colour));
    return numbered(std::move(colours), numbers, picture, before);
}

std::optional<FewColours> with_colours_of(const std::vector<QRgb>& table, const QImage& picture,
                                          const QImage& before) {
    if (table.size() >= most_colours)
        return std::nullopt;
    ColourNumbers numbers;
    for (std::size_t i = 0; i < table.size(); ++i)
        numbers.emplace(table[i], static_cast<std::uint8_t>(i));
    bool has_all = true;
    see_pixels(picture, before, [&](QRgb pixel, bool is_changed) {
        has_all = has_all && (!is_changed || numbers.contains(pixel));
    });
    if (!has_all)
        return std::nullopt;
    return numbered(table, numbers, picture, before);
}

}  // namespace headlight
