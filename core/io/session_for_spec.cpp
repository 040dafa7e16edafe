#include "core/io/session_for_spec.h"

#include "core/attention/spec_json.h"
#include "core/tensor/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace headlight {

using nlohmann::json;

namespace {

/// The masks that must all allow a pair, one by one: knobs add them so.
std::vector<Mask> parts_of(const Mask& mask) {
    if (const auto* all = std::get_if<AllOf>(&mask.rule))
        return all->masks;
    return std::holds_alternative<NoMask>(mask.rule) ? std::vector<Mask>() : std::vector{mask};
}

std::size_t missing_from(const std::vector<Mask>& there, const std::vector<Mask>& parts) {
    return static_cast<std::size_t>(
        std::ranges::count_if(parts, [&](const Mask& part) { return std::ranges::count(there, part) == 0; }));
}

/// Numbers that stand in a document: a knob that must be turned is turned to one of them.
void collect_numbers(const json& document, std::set<double>& numbers) {
    if (document.is_number())
        numbers.insert(document.get<double>());
    else if (document.is_structured())
        for (const json& item : document)
            collect_numbers(item, numbers);
}

/// How many values differ, where a field or an item that only one has counts as one. The size of a
/// json::diff(), which would build a patch for each of thousands of comparisons.
std::size_t differences(const json& one, const json& other) {
    std::size_t count = 0;
    if (one.is_object() && other.is_object()) {
        for (const auto& [name, value] : one.items())
            if (const auto there = other.find(name); there == other.end())
                ++count;
            else
                count += differences(value, *there);
        for (const auto& [name, value] : other.items())
            count += !one.contains(name);
        return count;
    }
    if (one.is_array() && other.is_array()) {
        const std::size_t common = std::min(one.size(), other.size());
        for (std::size_t at = 0; at < common; ++at)
            count += differences(one[at], other[at]);
        return count + std::max(one.size(), other.size()) - common;
    }
    return one != other;
}

/// How many values of a part of specs differ from those of the part that is looked for. Thousands are asked
/// for, most of them alike: each is written as a document once.
template <class Part>
class PartDistance {
public:
    explicit PartDistance(const Part& target) : target_(target), document_(to_json(target)) {}

    std::size_t operator()(const Part& part) {
        if (part == target_)
            return 0;
        const auto known = std::ranges::find(known_, part, &Known::part);
        if (known != known_.end())
            return known->distance;
        known_.push_back({part, differences(to_json(part), document_)});
        return known_.back().distance;
    }

private:
    struct Known {
        Part part;
        std::size_t distance;
    };
    const Part& target_;
    json document_;
    std::vector<Known> known_;
};

/// The spec that is looked for.
class Target {
public:
    explicit Target(const AttentionSpec& spec)
        : spec_(spec), parts_(parts_of(spec.mask)), source_(spec.source), projections_(spec.projections),
          score_(spec.score), position_(spec.position), selection_(spec.selection),
          normalizer_(spec.normalizer), heads_(spec.heads), algorithm_(spec.algorithm) {
        AttentionSpec unmasked = spec;
        unmasked.mask = {};
        collect_numbers(to_json(unmasked), numbers_);
        for (const Mask& part : parts_)
            if (!std::holds_alternative<MatrixMask>(part.rule))
                collect_numbers(to_json(part), numbers_);
    }

    /// How many fields and masks of the session's spec are others.
    std::size_t distance(const Session& session) {
        const AttentionSpec built = session_spec(session);
        const std::vector<Mask> parts = parts_of(built.mask);
        return source_(built.source) + projections_(built.projections) + score_(built.score) +
               position_(built.position) + std::size_t(built.mask_order != spec_.mask_order) +
               std::size_t(built.mask_value != spec_.mask_value) + selection_(built.selection) +
               normalizer_(built.normalizer) + heads_(built.heads) + algorithm_(built.algorithm) +
               missing_from(parts, parts_) + missing_from(parts_, parts);
    }

    std::vector<ParameterValue> candidates(const MechanismParameter& knob) const {
        std::vector<ParameterValue> values;
        switch (knob.kind) {
        case MechanismParameter::Kind::boolean:
            return {false, true};
        case MechanismParameter::Kind::choice:
            values.assign(knob.choices.begin(), knob.choices.end());
            break;
        case MechanismParameter::Kind::integer:
        case MechanismParameter::Kind::real:
            for (const double number : numbers_) {
                if (number < knob.minimum || number > knob.maximum)
                    continue;
                if (knob.kind == MechanismParameter::Kind::real)
                    values.emplace_back(number);
                else if (number == static_cast<double>(static_cast<Index>(number)))
                    values.emplace_back(static_cast<Index>(number));
            }
        }
        return values;
    }

    bool is_met_by(const Session& session) const { return session_spec(session) == spec_; }

private:
    const AttentionSpec& spec_;
    std::vector<Mask> parts_;
    std::set<double> numbers_;
    PartDistance<Source> source_;
    PartDistance<Projections> projections_;
    PartDistance<Score> score_;
    PartDistance<Position> position_;
    PartDistance<KeySelection> selection_;
    PartDistance<Normalizer> normalizer_;
    PartDistance<Heads> heads_;
    PartDistance<Algorithm> algorithm_;
};

/// Turns one knob after another to where the session comes nearest. A knob has a field of its own, so that
/// the order matters little; two rounds suffice where one knob enables another.
std::optional<Session> turn_knobs(Session session, Target& target) {
    constexpr int rounds = 2;
    const Mechanism& mechanism = headlight::mechanism(session.mechanism);
    std::size_t nearest = target.distance(session);
    bool has_moved = true;
    for (int round = 0; round < rounds && nearest > 0 && has_moved; ++round) {
        has_moved = false;
        for (const MechanismParameter& knob : mechanism.parameters) {
            for (const ParameterValue& value : target.candidates(knob)) {
                Session turned = session;
                turned.values[knob.name] = value;
                if (const std::size_t distance = target.distance(turned); distance < nearest) {
                    nearest = distance;
                    has_moved = true;
                    session = std::move(turned);
                }
            }
        }
    }
    return target.is_met_by(session) ? std::optional(std::move(session)) : std::nullopt;
}

}  // namespace

std::optional<Session> session_for_spec(const AttentionSpec& spec, const std::string& preferred) {
    Target target(spec);
    const auto session_of = [&](const std::string& id) {
        Session session;
        session.mechanism = id;
        session.position = spec.position.type;
        session.mask_order = spec.mask_order;
        session.mask_value = spec.mask_value;
        return turn_knobs(std::move(session), target);
    };
    if (find_mechanism(preferred))
        if (auto found = session_of(preferred))
            return found;
    std::optional<Session> simplest;
    for (const Mechanism& mechanism : mechanisms()) {
        if (simplest && simplest->values.empty())
            break;  // none is simpler
        if (auto found = session_of(mechanism.id);
            found && (!simplest || found->values.size() < simplest->values.size()))
            simplest = std::move(found);
    }
    return simplest;
}

}  // namespace headlight
