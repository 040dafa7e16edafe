#pragma once

// The reader of sessions, for tests/fuzz/readers.h and for those inside figures.

#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/io/session_place.h"
#include "tests/fuzz/refused.h"

#include <memory>
#include <string>
#include <string_view>

namespace headlight::test {

/// Plans that would take long prove nothing more.
inline void plan_if_small(const AttentionSpec& spec, const Inputs& inputs) {
    constexpr Index largest = 64;
    if (inputs.query.size() <= largest && inputs.key_tokens().size() <= largest &&
        spec.heads.count() <= largest && spec.projections.dimension.value_or(0) <= largest &&
        spec.score.attention_dimension.value_or(0) <= largest && spec.normalizer.draws <= largest)
        unless_refused([&] { record(std::make_shared<const Plan>(plan(spec, inputs))); });
}

/// A session's patches, whatever its mechanism, under any of its selections.
inline void draw_image(const Session& session) {
    const Index patches = session.sequence.image.grid().count();
    const Trace trace({{"", "weights", {Axis::query, Axis::key}, {patches, patches}, 0}});
    ViewSettings settings = view_settings(session);
    settings.view = ViewKind::image;
    to_csv(build_figure(trace, settings, session.sequence.image));
}

inline bool read_session(std::string_view bytes) {
    return unless_refused([&] {
        const Session session = parse_session(bytes);
        const std::string written = write_session(session);
        require(write_session(parse_session(written)) == written, "a session comes back");
        unless_refused([&] { read_session_of("/session.json", bytes); });
        constexpr std::size_t short_text = 200;
        constexpr Index narrow = 64;
        if (session.sequence.query_text.size() + session.sequence.key_text.size() <= short_text &&
            session.sequence.vectors.dimension <= narrow)
            unless_refused([&] { plan_if_small(session_spec(session), session_inputs(session)); });
        if (session.sequence.image && session.sequence.image.grid().count() <= narrow)
            unless_refused([&] { draw_image(session); });
    });
}

}  // namespace headlight::test
