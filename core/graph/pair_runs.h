#pragma once

#include <memory>

namespace headlight {

struct PairBody;
struct PairRuns;

/// Returns room for what evaluates the summand of one sum of pairs again and again.
std::shared_ptr<PairRuns> no_pair_runs();

/// Returns the bytes that stay when a sum of pairs has been computed: 0 where they are many, and do not stay.
double bytes_of_kept_run(const PairBody& body);

}  // namespace headlight
