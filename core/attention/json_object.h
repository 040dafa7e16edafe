#pragma once

#include "core/attention/options.h"
#include "core/tensor/tensor.h"
#include "core/tensor/words.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>

namespace headlight {

/// "a string", "an object", "-3": what an Error says it got in place of something else.
std::string describe(const nlohmann::json& value);

/// A whole number from 0 to `largest`; nothing where it is another. What the program has written down itself
/// and not yet put in words has a sign; what was read has none.
std::optional<Index> index_up_to(Index largest, const nlohmann::json& value);

/// `pointer` with one more step (RFC 6901).
std::string pointer_to(const std::string& pointer, const std::string& key);
std::string pointer_to(const std::string& pointer, std::size_t index);

/// An object of a document, read field by field. Every reading names the field, says the standard that stands
/// for an absent one, and throws Error{what, JSON pointer, expected, got} when the value is of another type
/// or out of range. The fields that were asked for are the fields that exist: refuse_other_fields() names the
/// first that is not.
class JsonObject {
public:
    /// Throws Error unless `value` is an object. `what` is the document's name in messages: "attention spec".
    JsonObject(const nlohmann::json& value, std::string what, std::string pointer = {});

    const std::string& what() const { return what_; }
    std::string pointer(const std::string& key) const { return pointer_to(pointer_, key); }

    /// nullptr when absent.
    const nlohmann::json* find(const std::string& key);
    /// Throws Error when absent.
    const nlohmann::json& required(const std::string& key, const std::string& expected);
    /// An object that reads as empty when absent.
    JsonObject object(const std::string& key);

    bool boolean(const std::string& key, bool standard);
    Index integer(const std::string& key, Index standard, Index minimum, Index maximum);
    /// Absent and null are the same.
    std::optional<Index> optional_integer(const std::string& key, Index minimum, Index maximum);
    std::uint64_t unsigned_integer(const std::string& key, std::uint64_t standard);
    double number(const std::string& key, double standard);
    std::optional<double> optional_number(const std::string& key);
    std::string text(const std::string& key, const std::string& standard);
    std::vector<std::string> texts(const std::string& key);
    std::vector<bool> booleans(const std::string& key);

    /// The declared options that are there, each of its kind and in its range.
    Options options(const std::vector<Option>& declared);

    /// One of words<Value>().
    template <class Value>
    Value word(const std::string& key, Value standard) {
        const std::vector<std::string> accepted = spellings<Value>();
        const std::string typed = word_text(key, to_word(standard), accepted);
        if (const auto value = value_of<Value>(typed))
            return *value;
        refuse_word(key, typed, accepted);
    }

    /// Throws Error naming the first field that nobody asked for, and those that exist.
    void refuse_other_fields() const;

    [[noreturn]] void refuse(const std::string& key, const std::string& expected,
                             const std::string& got) const;

private:
    std::string word_text(const std::string& key, std::string standard,
                          const std::vector<std::string>& accepted);
    [[noreturn]] void refuse_word(const std::string& key, const std::string& typed,
                                  const std::vector<std::string>& accepted) const;

    const nlohmann::json* value_;
    std::string what_;
    std::string pointer_;
    std::vector<std::string> asked_for_;
};

}  // namespace headlight
