// Exponentials, tanh and inner products of the kernels beside Highway's (libhwy), of the same numbers at the
// same level of the processor; HEADLIGHT_ISA chooses another one. A line for each: nanoseconds of ours, of
// Highway, and how many times as long ours take. ADR 0062 says why the kernels are Eigen's packets all the
// same.
#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/vector_math_bench.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <hwy/contrib/dot/dot-inl.h>
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace highway_peer { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// to = f(from), of whole vectors.
template <class Real, class Function>
void transform(const Real* from, std::size_t count, Real* to, const Function& f) {
    const hn::ScalableTag<Real> tag;
    for (std::size_t i = 0; i < count; i += hn::Lanes(tag))
        hn::StoreU(f(tag, hn::LoadU(tag, from + i)), tag, to + i);
}

template <class Real>
void exponential(const Real* from, std::size_t count, Real* to) {
    transform(from, count, to, [](auto tag, auto x) { return hn::Exp(tag, x); });
}
template <class Real>
void tangent(const Real* from, std::size_t count, Real* to) {
    transform(from, count, to, [](auto tag, auto x) { return hn::Tanh(tag, x); });
}
template <class Real>
Real inner_product(const Real* a, const Real* b, std::size_t count) {
    return hn::Dot::Compute<0>(hn::ScalableTag<Real>(), a, b, count);
}

#define HEADLIGHT_PEERS(Real)                                                                                \
    void exponential_##Real(const Real* from, std::size_t count, Real* to) { exponential(from, count, to); } \
    void tangent_##Real(const Real* from, std::size_t count, Real* to) { tangent(from, count, to); }         \
    Real product_##Real(const Real* a, const Real* b, std::size_t count) {                                   \
        return inner_product(a, b, count);                                                                   \
    }
HEADLIGHT_PEERS(float)
HEADLIGHT_PEERS(double)
#undef HEADLIGHT_PEERS

}}  // namespace highway_peer::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace highway_peer {

HWY_EXPORT(exponential_float);
HWY_EXPORT(exponential_double);
HWY_EXPORT(tangent_float);
HWY_EXPORT(tangent_double);
HWY_EXPORT(product_float);
HWY_EXPORT(product_double);

template <class Real>
struct Peer {
    void (*exponential)(const Real*, std::size_t, Real*);
    void (*tangent)(const Real*, std::size_t, Real*);
    Real (*inner_product)(const Real*, const Real*, std::size_t);
};

template <class Real>
Peer<Real> peer() {
    if constexpr (sizeof(Real) == sizeof(float))
        return {HWY_DYNAMIC_DISPATCH(exponential_float), HWY_DYNAMIC_DISPATCH(tangent_float),
                HWY_DYNAMIC_DISPATCH(product_float)};
    else
        return {HWY_DYNAMIC_DISPATCH(exponential_double), HWY_DYNAMIC_DISPATCH(tangent_double),
                HWY_DYNAMIC_DISPATCH(product_double)};
}

}  // namespace highway_peer

namespace {

using namespace headlight;

/// Nanoseconds of the fastest of some rounds.
template <class Function>
double fastest(const Function& function) {
    constexpr int rounds = 20, calls = 2000;
    double best = 1e30;
    for (int round = 0; round < rounds; ++round) {
        const auto start = std::chrono::steady_clock::now();
        for (int call = 0; call < calls; ++call)
            function();
        const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
        best = std::min(best, taken.count() / calls);
    }
    return best;
}

template <class Real>
void compare(const std::string& type) {
    const kernels::Arithmetic<Real>& ours = kernels::chosen_arithmetic<Real>();
    const kernels::Table<Real>& table = kernels::table<Real>(kernels::chosen_level());
    const highway_peer::Peer<Real> peer = highway_peer::peer<Real>();
    for (const Index count : {64, 512, 2048}) {
        std::vector<Real> x(static_cast<std::size_t>(count)), to(x.size());
        for (Index i = 0; i < count; ++i)
            x[static_cast<std::size_t>(i)] = static_cast<Real>(-8 + 12.0 * static_cast<double>(i) / count);
        volatile Real kept = 0;
        const auto say = [&](const char* what, double of_ours, double of_peer) {
            std::printf("%-7s %5td  %-14s %9.1f %9.1f %6.2f\n", type.c_str(), count, what, of_ours, of_peer,
                        of_ours / of_peer);
        };
        say("exp", fastest([&] { ours.exponential(x.data(), count, to.data()); }),
            fastest([&] { peer.exponential(x.data(), x.size(), to.data()); }));
        say("tanh", fastest([&] {
                std::ranges::copy(x, to.begin());
                table.activate(Activation::tanh, to.data(), count);
            }),
            fastest([&] { peer.tangent(x.data(), x.size(), to.data()); }));
        say("inner product", fastest([&] { kept = ours.inner_product(x.data(), x.data(), count); }),
            fastest([&] { kept = peer.inner_product(x.data(), x.data(), x.size()); }));
    }
}

std::int64_t target_of(kernels::Level level) {
    switch (level) {
    case kernels::Level::baseline:
        return HWY_SSE4;
    case kernels::Level::avx2:
        return HWY_AVX2;
    case kernels::Level::avx512:
        return HWY_AVX3;
    }
    return HWY_SSE4;
}

}  // namespace

int main() {
    const kernels::Level level = kernels::chosen_level();
    hwy::SetSupportedTargetsForTest(target_of(level));
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    std::printf("ours: %s, Highway: %s\n%-7s %5s  %-14s %9s %9s %6s\n", std::string(to_string(level)).c_str(),
                hwy::TargetName(target_of(level)), "numbers", "count", "", "ours, ns", "Highway", "ratio");
    compare<float>("float");
    compare<double>("double");
}
#endif
