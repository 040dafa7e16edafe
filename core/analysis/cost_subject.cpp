#include "core/analysis/cost_curve.h"
#include "core/analysis/run_cost.h"
#include "core/attention/executor.h"
#include "core/attention/thread_limit.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <random>

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
#include <malloc.h>
#define HEADLIGHT_KNOWS_ALLOCATIONS 1
#endif

namespace headlight {
namespace {

/// Bytes that the program has allocated; 0 where that is not known.
double allocated_now() {
#ifdef HEADLIGHT_KNOWS_ALLOCATIONS
    const struct mallinfo2 now = mallinfo2();
    return static_cast<double>(now.uordblks) + static_cast<double>(now.hblkhd);
#else
    return 0;
#endif
}

class MechanismSubject : public CostSubject {
public:
    MechanismSubject(const AttentionSpec& spec, Index width, std::uint64_t seed)
        : spec_(spec), width_(width), seed_(seed) {}

    CostPoint count(Index tokens) override {
        executor_.reset();
        Inputs inputs;
        std::mt19937_64 random(seed_);
        inputs.query = random_vectors(random, tokens);
        if (spec_.source.type == SourceType::cross)
            inputs.key = random_vectors(random, tokens);
        plan_ = std::make_shared<const Plan>(plan(spec_, inputs, {.seed = seed_, .keeps = Keeps::output}));
        const RunCost cost = run_cost(*plan_);
        return {tokens, 0, 0, cost.map_bytes, cost.multiply_adds};
    }

    double make_ready() override {
        // An executor decides when it is made with how many it shares its work. With none: where cores are
        // handed out and waited for would be seen as steps in a curve, and the window needs one.
        const ThreadLimit alone(1);
        // The rest of the program allocates too: small executors are made several times, and the middle
        // difference counts.
        constexpr double large = 16 << 20;
        std::vector<double> differences;
        do {
            executor_.reset();
            const double before = allocated_now();
            executor_.emplace(plan_, Executor<float>::Weights::discard);
            differences.push_back(allocated_now() - before);
        } while (differences.size() < 5 && differences.back() < large);
        std::ranges::sort(differences);
        return std::max(0.0, differences[differences.size() / 2]);
    }

    void run() override { executor_->run(); }

private:
    Tensor random_vectors(std::mt19937_64& random, Index tokens) const {
        std::normal_distribution<double> normal;
        Tensor vectors({tokens, width_});
        std::ranges::generate(vectors.values(), [&] { return normal(random); });
        return vectors;
    }

    AttentionSpec spec_;
    Index width_;
    std::uint64_t seed_;
    std::shared_ptr<const Plan> plan_;
    std::optional<Executor<float>> executor_;
};

}  // namespace

double seconds_of_work() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
        return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
#endif
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::unique_ptr<CostSubject> cost_subject(const AttentionSpec& spec, Index width, std::uint64_t seed) {
    return std::make_unique<MechanismSubject>(spec, width, seed);
}

}  // namespace headlight
