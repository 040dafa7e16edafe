#pragma once

// What the tests of every small host share: sources that it reads, texts that it is told, and itself.

#include "core/model/generation.h"
#include "tests/support/hosts.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace headlight::test {

inline const std::vector<std::vector<Index>> host_sources{{3, 2, 5, 4, 2}, {4}, {5, 3, 3}};
inline const std::vector<std::vector<Index>> told_texts{{0, 2, 6, 3}, {0, 5}, {0, 4, 4}};

/// One of host_cases(), with weights; a suite derives from it and has each as a parameter.
class ToldHost : public testing::TestWithParam<HostCase> {
protected:
    std::vector<Index> source(std::size_t i) const {
        return GetParam().has_source ? host_sources[i] : std::vector<Index>();
    }
    std::vector<Index> text(std::size_t i) const {
        return GetParam().is_classifier ? std::vector<Index>{0} : told_texts[i];
    }
    Generation said(std::size_t i, std::vector<Intervention> interventions = {}) const {
        Generation generation(*host, weights, source(i));
        generation.set_interventions(std::move(interventions));
        for (const Index token : text(i))
            generation.read(token);
        return generation;
    }
    const std::unique_ptr<Host> host = GetParam().make();
    const std::vector<float> weights = lively_weights(host->layout());
};

}  // namespace headlight::test
