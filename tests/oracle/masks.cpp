#include "core/attention/component.h"
#include "tests/oracle/own_oracles.h"

namespace headlight {
namespace {

using reference::Allowed;

/// Part A, part B, or what either allows.
Allowed parts(const std::string& part, const char* first, const Allowed& a, const char* second,
              const Allowed& b) {
    return part == first ? a : part == second ? b : reference::either(a, b);
}

}  // namespace

reference::Allowed pattern_oracle(const PatternMask& mask, std::size_t n, std::size_t m) {
    const MaskComponent& component = *component_of(mask.type);
    const Pattern pattern{complete_options(component.options, mask.options, "mask", "mask")};
    for (const OwnMaskOracle& own : own_mask_oracles())
        if (own.word == component.word)
            return own.allowed(pattern, n, m);
    const std::size_t tokens = std::max(n, m);
    switch (mask.type) {
    case MaskPattern::window:
        return reference::causal_window(n, m, pattern.count("size"));
    case MaskPattern::symmetric_window:
        return reference::dilated_window(n, m, pattern.count("reach"), 1);
    case MaskPattern::dilated:
        return reference::dilated_window(n, m, pattern.count("reach"), pattern.count("step"));
    case MaskPattern::strided:
        return parts(pattern.word("part"), "A", reference::latest_keys(n, m, pattern.count("stride")), "B",
                     reference::every_stride(n, m, pattern.count("stride")));
    case MaskPattern::fixed:
        return parts(pattern.word("part"), "A", reference::own_block_so_far(n, m, pattern.count("stride")),
                     "B",
                     reference::summaries_so_far(n, m, pattern.count("stride"), pattern.count("summary")));
    case MaskPattern::global:
        return reference::global_tokens(n, m, pattern.list<std::size_t>("tokens"));
    case MaskPattern::random:
        return reference::random_keys(n, m, pattern.count("keys"), pattern.count("seed"));
    case MaskPattern::blocks:
        return reference::pieces(n, m, reference::equal_lengths(tokens, pattern.count("size")));
    case MaskPattern::shifted_blocks: {
        const std::size_t size = pattern.count("size"), shift = pattern.count("shift");
        const std::size_t first = shift > 0 ? shift % size : size / 2;
        return reference::pieces(n, m, reference::equal_lengths(tokens, size, first));
    }
    case MaskPattern::documents:
        return reference::pieces(n, m, pattern.list<std::size_t>("lengths"));
    case MaskPattern::prefix:
        return reference::prefix_causal(n, m, pattern.count("length"));
    case MaskPattern::sinks:
        return reference::first_keys(n, m, pattern.count("sinks"));
    case MaskPattern::local:
        return reference::monotonic_local(n, m, pattern.count("radius"));
    case MaskPattern::logarithmic:
        return reference::log_sparse(n, m);
    case MaskPattern::grid_window:
        return reference::grid_windows(n, m, pattern.count("columns"), pattern.count("size"), 0);
    case MaskPattern::shifted_grid_window:
        return reference::grid_windows(n, m, pattern.count("columns"), pattern.count("size"),
                                       pattern.count("size") / 2);
    case MaskPattern::axial:
        return parts(pattern.word("part"), "row", reference::same_grid_row(n, m, pattern.count("columns")),
                     "column", reference::same_grid_column(n, m, pattern.count("columns")));
    case MaskPattern::neighbourhood:
        return pattern.count("dilation") == 1
                   ? reference::neighbourhood(n, m, pattern.count("columns"), pattern.count("size"))
                   : reference::dilated_neighbourhood(n, m, pattern.count("columns"), pattern.count("size"),
                                                      pattern.count("dilation"));
    case MaskPattern::wait_k:
        return reference::wait_k(n, m, pattern.count("k"));
    case MaskPattern::halo:
        return reference::blocks_with_halo(n, m, pattern.count("columns"), pattern.count("size"),
                                           pattern.count("halo"));
    case MaskPattern::grid_stride:
        return reference::grid_net(n, m, pattern.count("columns"), pattern.count("down"),
                                   pattern.count("across"));
    case MaskPattern::sliding_tile:
        return reference::sliding_tiles(n, m, pattern.count("columns"), pattern.count("tile"),
                                        pattern.count("window"));
    case MaskPattern::block_diffusion: {
        const std::size_t noised = pattern.count("noised");
        return reference::block_diffusion(n, m, pattern.count("size"),
                                          noised > 0 ? noised : tokens - tokens / 2);
    }
    case MaskPattern::flamingo:
        return reference::images_in_text(n, m, pattern.count("image_tokens"),
                                         pattern.list<std::size_t>("starts"),
                                         pattern.list<std::size_t>("ends"));
    case MaskPattern::permutation:
        return reference::turns_so_far(n, m, pattern.list<std::size_t>("order"), pattern.count("seed"),
                                       pattern.word("stream") == "content");
    case MaskPattern::radial:
        return reference::radial_bands(n, m, pattern.count("frame"), pattern.options.flag("first"));
    default:
        return reference::everything(n, m);
    }
}

}  // namespace headlight
