#include "core/attention/json_object.h"

#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {

using nlohmann::json;

std::string describe(const json& value) {
    if (value.is_object())
        return "an object";
    if (value.is_array() || value.is_binary())  // numbers of a list that a reader packed
        return "a list";
    if (value.is_string())
        return "the string \"" + excerpt(value.get_ref<const std::string&>()) + '"';
    return value.dump();
}

std::optional<Index> index_up_to(Index largest, const json& value) {
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(largest))
        return std::nullopt;
    if (!value.is_number_integer() || value.get<Index>() < 0 || value.get<Index>() > largest)
        return std::nullopt;
    return value.get<Index>();
}

std::string pointer_to(const std::string& pointer, const std::string& key) {
    std::string step;
    for (const char c : key)
        step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return pointer + '/' + excerpt(step);
}

std::string pointer_to(const std::string& pointer, std::size_t index) {
    return pointer + '/' + std::to_string(index);
}

JsonObject::JsonObject(const json& value, std::string what, std::string pointer)
    : value_(&value), what_(std::move(what)), pointer_(std::move(pointer)) {
    if (!value.is_object())
        throw Error({what_, pointer_, "an object", describe(value)});
}

const json* JsonObject::find(const std::string& key) {
    if (std::ranges::count(asked_for_, key) == 0)
        asked_for_.push_back(key);
    const auto found = value_->find(key);
    return found == value_->end() ? nullptr : &*found;
}

const json& JsonObject::required(const std::string& key, const std::string& expected) {
    if (const json* value = find(key))
        return *value;
    refuse(key, expected, "nothing");
}

JsonObject JsonObject::object(const std::string& key) {
    static const json empty = json::object();
    const json* value = find(key);
    return JsonObject(value ? *value : empty, what_, pointer(key));
}

bool JsonObject::boolean(const std::string& key, bool standard) {
    const json* value = find(key);
    if (!value)
        return standard;
    if (!value->is_boolean())
        refuse(key, "true or false", describe(*value));
    return value->get<bool>();
}

Index JsonObject::integer(const std::string& key, Index standard, Index minimum, Index maximum) {
    const json* value = find(key);
    if (!value)
        return standard;
    // An unsigned number above Index's range would turn negative, and so be refused by the comparison below.
    const bool fits =
        value->is_number_integer() && value->get<Index>() >= minimum && value->get<Index>() <= maximum;
    if (!fits)
        refuse(key, "a whole number from " + std::to_string(minimum) + " to " + std::to_string(maximum),
               describe(*value));
    return value->get<Index>();
}

std::optional<Index> JsonObject::optional_integer(const std::string& key, Index minimum, Index maximum) {
    const json* value = find(key);
    if (!value || value->is_null())
        return std::nullopt;
    return integer(key, minimum, minimum, maximum);
}

std::uint64_t JsonObject::unsigned_integer(const std::string& key, std::uint64_t standard) {
    const json* value = find(key);
    if (!value)
        return standard;
    if (!value->is_number_unsigned())
        refuse(key, "a whole number from 0 to 18446744073709551615", describe(*value));
    return value->get<std::uint64_t>();
}

double JsonObject::number(const std::string& key, double standard) {
    const json* value = find(key);
    if (!value)
        return standard;
    if (!value->is_number())
        refuse(key, "a number", describe(*value));
    return value->get<double>();
}

std::optional<double> JsonObject::optional_number(const std::string& key) {
    const json* value = find(key);
    if (!value || value->is_null())
        return std::nullopt;
    return number(key, 0);
}

std::string JsonObject::text(const std::string& key, const std::string& standard) {
    const json* value = find(key);
    if (!value)
        return standard;
    if (!value->is_string())
        refuse(key, "a string", describe(*value));
    return value->get<std::string>();
}

std::vector<std::string> JsonObject::texts(const std::string& key) {
    std::vector<std::string> list;
    if (const json* value = find(key)) {
        if (!value->is_array())
            refuse(key, "a list of strings", describe(*value));
        for (const json& item : *value) {
            if (!item.is_string())
                throw Error({what_, pointer_to(pointer(key), list.size()), "a string", describe(item)});
            list.push_back(item.get<std::string>());
        }
    }
    return list;
}

std::vector<bool> JsonObject::booleans(const std::string& key) {
    std::vector<bool> list;
    if (const json* value = find(key)) {
        if (!value->is_array())
            refuse(key, "a list of true and false", describe(*value));
        for (const json& item : *value) {
            if (!item.is_boolean())
                throw Error({what_, pointer_to(pointer(key), list.size()), "true or false", describe(item)});
            list.push_back(item.get<bool>());
        }
    }
    return list;
}

std::string JsonObject::word_text(const std::string& key, std::string standard,
                                  const std::vector<std::string>& accepted) {
    const json* value = find(key);
    if (!value)
        return standard;
    if (!value->is_string())
        refuse(key, list_of(accepted), describe(*value));
    return value->get<std::string>();
}

void JsonObject::refuse_word(const std::string& key, const std::string& typed,
                             const std::vector<std::string>& accepted) const {
    refuse(key, list_of(accepted), quoted_with_hint(typed, accepted));
}

Options JsonObject::options(const std::vector<Option>& declared) {
    Options found;
    for (const Option& option : declared) {
        const json* value = find(option.name);
        if (!value)
            continue;
        const auto in_range = [&](const json& number) {
            return number >= option.minimum && number <= option.maximum;
        };
        const auto is_count = [&](const json& number) {
            return number.is_number_integer() && in_range(number);
        };
        if (std::holds_alternative<bool>(option.standard) && value->is_boolean())
            found[option.name] = value->get<bool>();
        else if (std::holds_alternative<Index>(option.standard) && is_count(*value))
            found[option.name] = value->get<Index>();
        else if (std::holds_alternative<double>(option.standard) && value->is_number() && in_range(*value))
            found[option.name] = value->get<double>();
        else if (std::holds_alternative<std::string>(option.standard) && value->is_number_integer())
            found[option.name] = value->dump();  // a choice that is spelt like a number: "4"
        else if (std::holds_alternative<std::string>(option.standard))
            found[option.name] = word_text(option.name, {}, option.choices);
        else if (std::holds_alternative<std::vector<Index>>(option.standard) && value->is_array() &&
                 std::ranges::all_of(*value, is_count))
            found[option.name] = value->get<std::vector<Index>>();
        else
            refuse(option.name, accepted_values(option), describe(*value));
        if (const auto* word = std::get_if<std::string>(&found[option.name]);
            word && !option.choices.empty() &&
            std::ranges::find(option.choices, *word) == option.choices.end())
            refuse_word(option.name, *word, option.choices);
    }
    return found;
}

void JsonObject::refuse_other_fields() const {
    for (const auto& item : value_->items())
        if (std::ranges::count(asked_for_, item.key()) == 0)
            throw Error({what_, pointer_.empty() ? "/" : pointer_, "one of the fields " + list_of(asked_for_),
                         quoted_with_hint(item.key(), asked_for_)});
}

void JsonObject::refuse(const std::string& key, const std::string& expected, const std::string& got) const {
    throw Error({what_, pointer(key), expected, got});
}

}  // namespace headlight
