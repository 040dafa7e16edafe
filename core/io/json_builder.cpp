#include "core/io/json_builder.h"

#include "core/io/json_syntax_error.h"
#include "core/io/tensor_json.h"
#include "core/tensor/error.h"
#include "core/tensor/memory.h"

#include <algorithm>

namespace headlight {

using nlohmann::json;

namespace {

// What a value takes where it is kept, with what malloc adds. A growing array has room for twice its
// elements.
constexpr std::size_t allocation = 16;
constexpr std::size_t value_bytes = 2 * sizeof(json);
constexpr std::size_t array_bytes = allocation + sizeof(json::array_t);
constexpr std::size_t object_bytes = allocation + sizeof(json::object_t);
constexpr std::size_t tree_node = 4 * sizeof(void*);
constexpr std::size_t member_bytes = allocation + tree_node + 2 * sizeof(json::object_t::value_type);
constexpr std::size_t string_bytes = allocation + sizeof(std::string);

/// Returns the bytes of the letters of a string; short ones lie in the string itself.
std::size_t letters_bytes(const std::string& text) {
    constexpr std::size_t longest_inside = 15;
    return text.size() > longest_inside ? allocation + text.size() : 0;
}

/// The most steps that a place of numbers is below the root.
std::size_t deepest_place(std::span<const std::string_view> places) {
    std::ptrdiff_t deepest = 0;
    for (const std::string_view place : places)
        deepest = std::max(deepest, std::ranges::count(place, '/'));
    return static_cast<std::size_t>(deepest);
}

}  // namespace

JsonBuilder::JsonBuilder(std::string_view text, const JsonRules& rules)
    : text_(text), rules_(rules), deepest_numbers_(deepest_place(rules.numbers)), room_(json_memory_limit()),
      limit_(room_) {}

JsonBuilder::~JsonBuilder() {
    for (Open& each : open_)
        for (auto& [name, value] : each.members)
            JsonDocument::clear(value);
}

void JsonBuilder::charge(std::size_t bytes) {
    if (bytes > room_)
        throw Error(
            {"parse JSON", "",
             "a document that takes at most " + memory_text(static_cast<double>(limit_)) + " of memory",
             "one that takes more"});
    room_ -= bytes;
}

json& JsonBuilder::add(json&& value) {
    if (open_.empty())
        return *root_ = std::move(value);
    Open& parent = open_.back();
    if (parent.value->is_object())
        return parent.members.back().second = std::move(value);
    charge(value_bytes);
    return parent.value->get_ref<json::array_t&>().emplace_back(std::move(value));
}

void JsonBuilder::open(json&& container) {
    if (static_cast<int>(open_.size()) >= rules_.deepest)
        throw Error(
            {"parse JSON", "", "at most " + std::to_string(rules_.deepest) + " levels of nesting", "more"});
    json& added = add(std::move(container));
    open_.push_back({&added});
}

bool JsonBuilder::is_place_of_numbers() const {
    if (open_.size() > deepest_numbers_)
        return false;
    const auto is_here = [&](std::string_view place) {
        for (const Open& each : open_) {
            if (!place.starts_with('/'))
                return false;
            place.remove_prefix(1);
            const std::string_view step = place.substr(0, place.find('/'));
            place.remove_prefix(step.size());
            if (step != "*" && (each.members.empty() || each.members.back().first != step))
                return false;
        }
        return place.empty();
    };
    return std::ranges::any_of(rules_.numbers, is_here);
}

/// What was packed becomes values like all others: whoever reads the document says what is wrong with them.
void JsonBuilder::stop_packing() {
    if (!is_packing_)
        return;
    is_packing_ = false;
    const NumberPacker packer = std::exchange(packer_, {});
    for (Index i = 0; i < packer.size(); ++i) {
        if (packer.begins_row(i))
            open(json::array());
        add(packer[i]);
        if (packer.ends_row(i))
            open_.pop_back();
    }
    if (packer.begins_row(packer.size()) && packer.is_in_row())
        open(json::array());
}

bool JsonBuilder::add_number(json&& value, double number) {
    if (is_packing_) {
        charge(sizeof number);
        if (packer_.add(number))
            return true;
        stop_packing();
    }
    add(std::move(value));
    return true;
}

bool JsonBuilder::null() {
    if (is_packing_ && rules_.null_number)
        return add_number(nullptr, *rules_.null_number);
    stop_packing();
    add(nullptr);
    return true;
}

bool JsonBuilder::boolean(bool value) {
    stop_packing();
    add(value);
    return true;
}

bool JsonBuilder::number_integer(std::int64_t value) { return add_number(value, static_cast<double>(value)); }

bool JsonBuilder::number_unsigned(std::uint64_t value) {
    return add_number(value, static_cast<double>(value));
}

bool JsonBuilder::number_float(double value, const std::string&) { return add_number(value, value); }

bool JsonBuilder::string(std::string& value) {
    if (is_packing_)
        if (const auto number = number_from_word(value))
            return add_number(value, *number);
    stop_packing();
    charge(string_bytes + letters_bytes(value));
    add(std::move(value));
    return true;
}

bool JsonBuilder::binary(json::binary_t&) { return false; }  // JSON text has none

bool JsonBuilder::start_object(std::size_t) {
    stop_packing();
    charge(object_bytes);
    open(json::object());
    return true;
}

bool JsonBuilder::key(std::string& name) {
    charge(member_bytes + letters_bytes(name));
    open_.back().members.emplace_back(std::move(name), nullptr);
    return true;
}

bool JsonBuilder::end_object() {
    auto& members = open_.back().members;
    std::ranges::stable_sort(members, {},
                             [](const auto& member) -> const std::string& { return member.first; });
    auto& object = open_.back().value->get_ref<json::object_t&>();
    for (auto& [name, value] : members) {
        const bool is_repeated = !object.empty() && object.rbegin()->first == name;
        if (is_repeated && !rules_.repeated_fields)
            throw Error({"parse JSON", "", "every field once", "a second \"" + excerpt(name) + '"'});
        if (is_repeated)
            std::swap(object.rbegin()->second, value);  // the last one counts
        else
            object.emplace_hint(object.end(), std::move(name), std::move(value));
        JsonDocument::clear(value);
    }
    open_.pop_back();
    return true;
}

bool JsonBuilder::start_array(std::size_t) {
    if (is_packing_) {
        if (packer_.begin_row())
            return true;
        stop_packing();
    }
    charge(array_bytes);
    is_packing_ = is_place_of_numbers();
    open(json::array());
    return true;
}

bool JsonBuilder::end_array() {
    if (is_packing_ && packer_.is_in_row()) {
        if (packer_.end_row())
            return true;
        stop_packing();
    }
    if (is_packing_ && packer_.size() > 0)
        *open_.back().value = packer_.packed();
    is_packing_ = false;
    open_.pop_back();
    return true;
}

bool JsonBuilder::parse_error(std::size_t position, const std::string&, const json::exception& error) {
    constexpr int number_too_large = 406;
    if (error.id == number_too_large)
        throw Error({"parse JSON", "", "numbers up to 1.8e308", "a larger one"});
    throw json_syntax_error(text_, position, error.what());
}

}  // namespace headlight
