#include "core/attention/component.h"

namespace headlight {

MaskComponent declare_masks_fixed() {
    MaskComponent component;
    component.meaning = "A: j ≤ i in the same block of stride keys; B: j ≤ i among the last `summary` keys "
                        "of any block, which carry what their block has to say (Child et al. 2019)";
    component.options = {
        {.name = "stride",
         .label = "Stride",
         .standard = Index(3),
         .minimum = 1,
         .maximum = 65536,
         .help = "Length of a block: part A sees the 1 to stride keys of the query’s own block so far."},
        {.name = "summary",
         .label = "Summary keys",
         .standard = Index(1),
         .minimum = 1,
         .maximum = 65536,
         .help = "How many keys at the end of every block all later queries see; as many as the stride, or "
                 "more, makes the mask causal."},
        {.name = "part",
         .label = "Part",
         .standard = std::string("both"),
         .choices = {"both", "A", "B"},
         .help = "A is the query’s own block, B the summary keys of every block; the paper gives them to "
                 "different heads or joins them."}};
    component.allows = [](const Options& options, Index, Index) -> std::function<bool(Index, Index)> {
        return [stride = option<Index>(options, "stride"), summary = option<Index>(options, "summary"),
                part = option<std::string>(options, "part")](Index query, Index key) {
            const bool same_block = query / stride == key / stride,
                       is_summary = key % stride >= stride - summary;
            return key <= query && ((part != "B" && same_block) || (part != "A" && is_summary));
        };
    };
    return component;
}

}  // namespace headlight
