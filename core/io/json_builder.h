#pragma once

#include "core/io/json_document.h"
#include "core/io/json_text.h"
#include "core/io/packed_numbers.h"

#include <string>
#include <utility>
#include <vector>

namespace headlight {

/// Builds a document from the events of nlohmann's SAX parser. In place of nlohmann's own builder, whose
/// callback searches the parent at the end of every object, this one takes time in proportion to the text. It
/// counts the memory of what it builds before it builds it, and throws Error beyond json_memory_limit() and
/// for what the rules forbid.
class JsonBuilder final : public nlohmann::json_sax<nlohmann::json> {
public:
    /// `text` is what the parser reads, for the places in messages.
    JsonBuilder(std::string_view text, const JsonRules& rules);
    ~JsonBuilder() override;
    JsonBuilder(const JsonBuilder&) = delete;
    JsonBuilder& operator=(const JsonBuilder&) = delete;

    JsonDocument take() { return std::move(root_); }

    bool null() override;
    bool boolean(bool value) override;
    bool number_integer(std::int64_t value) override;
    bool number_unsigned(std::uint64_t value) override;
    bool number_float(double value, const std::string& text) override;
    bool string(std::string& value) override;
    bool binary(nlohmann::json::binary_t& value) override;
    bool start_object(std::size_t size) override;
    bool key(std::string& name) override;
    bool end_object() override;
    bool start_array(std::size_t size) override;
    bool end_array() override;
    bool parse_error(std::size_t position, const std::string& last_token,
                     const nlohmann::json::exception& error) override;

private:
    /// An array or an object that has not ended. The members of an object are collected, sorted once and then
    /// put into its map: three times as fast as one by one, where there are very many.
    struct Open {
        nlohmann::json* value;
        std::vector<std::pair<std::string, nlohmann::json>> members = {};
    };

    nlohmann::json& add(nlohmann::json&& value);
    bool add_number(nlohmann::json&& value, double number);
    void open(nlohmann::json&& container);
    void charge(std::size_t bytes);
    bool is_place_of_numbers() const;
    void stop_packing();

    std::string_view text_;
    const JsonRules& rules_;
    std::size_t deepest_numbers_;  ///< no list with more open around it is in a place of numbers
    JsonDocument root_;
    std::vector<Open> open_;
    NumberPacker packer_;
    bool is_packing_ = false;  ///< the list that is open last is in packer_, not in its array
    std::size_t room_;         ///< bytes that the document may still take
    std::size_t limit_;
};

}  // namespace headlight
