#pragma once

#include "core/io/shipped_models.h"
#include "core/model/generator.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace headlight::test {

inline std::shared_ptr<const TrainedModel> shipped(const std::string& name) {
    return std::make_shared<const TrainedModel>(open_model(name));
}

/// What a model inside the program answers.
inline Transcript said(const std::string& name, const std::string& source) {
    GenerationRequest request;
    request.source = source;
    return *Generator(shipped(name)).generate(request);
}

/// The weights of every head of a place that attends: [h, n, m].
class Weights {
public:
    Weights(const Transcript& transcript, std::string_view site)
        : trace_(
              *std::ranges::find(transcript.sites, site,
                                 [](const SiteRecord& each) -> const std::string& { return each.site.name; })
                   ->trace),
          stage_(*trace_.find("weights")) {}

    Index heads() const { return stage_.extent(Axis::head); }
    double operator()(Index head, Index query, Index key) const {
        return trace_.matrix(stage_, head)[static_cast<std::size_t>(query * stage_.extent(Axis::key) + key)];
    }
    Index brightest_key(Index head, Index query) const {
        Index best = 0;
        for (Index key = 0; key < stage_.extent(Axis::key); ++key)
            if ((*this)(head, query, key) > (*this)(head, query, best))
                best = key;
        return best;
    }

private:
    const Trace& trace_;
    const Stage& stage_;
};

}  // namespace headlight::test
