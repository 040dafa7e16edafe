#include "core/catalog/family_tree.h"

#include "core/catalog/family.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace headlight {
namespace {

auto by_age(const Mechanism& mechanism) {
    return std::tuple(mechanism.year(), mechanism.order, std::string_view(mechanism.id));
}

bool declares_equal(const Mechanism& one, const Mechanism& other) {
    return std::ranges::find(one.equivalences, other.id, &Equivalence::id) != one.equivalences.end();
}

bool declares_related(const Mechanism& one, const Mechanism& other) {
    return std::ranges::find(one.related, other.id) != one.related.end();
}

/// `before` are the older ones of its family, the oldest first.
Descent descent_of(const Mechanism& mechanism, std::span<const Descent> before) {
    Descent descent{&mechanism, nullptr, false};
    for (const auto& [older, ignored, also_ignored] : before) {
        const bool is_equal = declares_equal(mechanism, *older) || declares_equal(*older, mechanism);
        const bool is_related = declares_related(mechanism, *older) || declares_related(*older, mechanism);
        if (is_equal || (is_related && !descent.is_equal)) {
            descent.parent = older;
            descent.is_equal = is_equal;
        }
    }
    return descent;
}

}  // namespace

std::vector<Descent> family_tree(std::span<const Mechanism> mechanisms) {
    std::vector<Descent> all;
    for (const Family& family : families()) {
        std::vector<const Mechanism*> members;
        for (const Mechanism& each : mechanisms)
            if (each.family == family.name)
                members.push_back(&each);
        std::ranges::sort(members, {}, [](const Mechanism* each) { return by_age(*each); });
        const std::size_t first = all.size();
        for (const Mechanism* each : members)
            all.push_back(descent_of(*each, std::span(all).subspan(first)));
    }
    return all;
}

}  // namespace headlight
