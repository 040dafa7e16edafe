#include "core/catalog/family_tree.h"

#include "core/catalog/bibtex.h"
#include "core/catalog/family.h"
#include "core/catalog/publications.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace headlight {
namespace {

auto by_age(const Mechanism& mechanism) {
    return std::tuple(mechanism.year(), mechanism.month(), mechanism.order, std::string_view(mechanism.id));
}

bool declares_equal(const Mechanism& one, const Mechanism& other) {
    return std::ranges::find(one.equivalences, other.id, &Equivalence::id) != one.equivalences.end();
}

bool are_of_one_paper(const Mechanism& one, const Mechanism& other) {
    const Paper &paper = one.papers.front(), &other_paper = other.papers.front();
    const Publication* known = publication_of(paper);
    return (known && known == publication_of(other_paper)) ||
           cited_work(paper.citation).title == cited_work(other_paper.citation).title;
}

/// What one paper has stands in teaching order.
bool came_before(const Mechanism& one, const Mechanism& other) {
    if (one.year() != other.year() || one.papers.empty() || other.papers.empty())
        return one.year() < other.year();
    if (are_of_one_paper(one, other))
        return by_age(one) < by_age(other);
    return one.month() > 0 && one.month() < other.month();
}

/// Those that an entry names: first what is related, as the entry lists it.
std::vector<std::string_view> named_by(const Mechanism& mechanism) {
    std::vector<std::string_view> ids(mechanism.related.begin(), mechanism.related.end());
    for (const Equivalence& each : mechanism.equivalences)
        ids.push_back(each.id);
    return ids;
}

/// `members` are those of its family, the oldest first.
const Mechanism* parent_of(const Mechanism& mechanism, std::span<const Mechanism* const> members) {
    for (const std::string_view id : named_by(mechanism)) {
        const auto named = std::ranges::find(members, id, &Mechanism::id);
        if (named != members.end() && came_before(**named, mechanism))
            return *named;
    }
    const Mechanism* latest = nullptr;
    for (const Mechanism* each : members)
        if (declares_equal(*each, mechanism) && came_before(*each, mechanism))
            latest = each;
    return latest;
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
        for (const Mechanism* each : members) {
            const Mechanism* parent = parent_of(*each, members);
            const bool is_equal =
                parent && (declares_equal(*each, *parent) || declares_equal(*parent, *each));
            all.push_back({each, parent, is_equal});
        }
    }
    return all;
}

}  // namespace headlight
