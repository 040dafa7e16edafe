#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/settings.h"
#include "tests/reference/pooled_rows.h"

#include <algorithm>

namespace headlight {

/// attn_mask of Mask2Former's decoder: sigmoid(mask_embed(norm(query)) · pixel) < 0.5 is not looked at, but a
/// row of which nothing would be left is looked at whole (Cheng et al. 2022).
void oracle_selections_predicted_mask(const OracleParts& parts, reference::Setting& setting) {
    std::vector<reference::Linear> layers;
    for (const std::string number : {"1", "2", "3"})
        layers.push_back(
            {parts.parameters.matrix("W_mask_" + number), parts.parameters.row("b_mask_" + number)});
    const reference::Linear to_pixel{parts.parameters.matrix("W_mask_key"),
                                     parts.parameters.row("b_mask_key")};
    const bool forbids = !parts.spec.mask_value;
    setting.select = [=](const reference::Head& head, const reference::Matrix&) {
        reference::Matrix wanted = reference::normed_rows(head.x);
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            wanted = reference::project(wanted, layers[layer]);
            if (layer + 1 < layers.size())
                for (Number& number : wanted.values)
                    number = std::max(number, Number(0));
        }
        const reference::Matrix pixels = reference::project(head.y, to_pixel);
        reference::Allowed kept = reference::everything(wanted.rows, pixels.rows);
        for (std::size_t i = 0; i < wanted.rows; ++i) {
            bool has_one = false;
            for (std::size_t j = 0; j < pixels.rows; ++j) {
                kept[i][j] =
                    reference::product(wanted.row(i), pixels.row(j)) >= 0 && (head.allowed[i][j] || !forbids);
                has_one = has_one || kept[i][j];
            }
            if (!has_one)
                kept[i].assign(pixels.rows, true);
        }
        return kept;
    };
}

Settings settings_selections_predicted_mask() {
    return {
        R"({"projections": {"type": "learned"}, "heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2},
            "position": {"type": "rope"}, "mask": {"type": "padding", "key_lengths": 3},
            "selection": {"type": "predicted_mask", "mask_width": 3}})",
        R"({"source": {"type": "cross"}, "projections": {"type": "learned"}, "heads": {"type": "multi",
            "heads": 2}, "selection": {"type": "predicted_mask", "mask_width": 3}})",
        R"({"source": {"type": "cross"}, "mask": {"type": "padding", "key_lengths": 3},
            "selection": {"type": "predicted_mask"}})"};
}

}  // namespace headlight
