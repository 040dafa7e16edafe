#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_flamingo() {
    MaskComponent component;
    component.meaning =
        "The keys are images of equally many tokens, the queries a text: query i sees image k if starts_k ≤ "
        "i < ends_k, in Flamingo the last image before it (Alayrac et al. 2022)";
    component.options = {
        count_option("image_tokens", "Tokens of an image", 2, {1, 65536},
                     "How many keys each image has, one image after another."),
        list_option(
            "starts", "Starts", {0, 3}, {0, 65536},
            "The first query that sees each image, counted from 0; nobody sees keys of further images."),
        list_option("ends", "Ends", {}, {0, 65536},
                    "One past the last query that sees each image. An image without such a number is seen "
                    "until the next one starts, and the last to the end.")};
    component.allows = [](const Options& options, Index, Index) -> MaskPredicate {
        const auto& starts = options.list("starts");
        const auto& ends = options.list("ends");
        return [=, tokens = options.count("image_tokens")](Index query, Index key) {
            const Index image = key / tokens;
            if (image >= std::ssize(starts) || query < starts[static_cast<std::size_t>(image)])
                return false;
            if (image < std::ssize(ends))
                return query < ends[static_cast<std::size_t>(image)];
            return image + 1 >= std::ssize(starts) || query < starts[static_cast<std::size_t>(image) + 1];
        };
    };
    return component;
}

}  // namespace headlight
