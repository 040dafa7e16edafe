#pragma once

#include <nlohmann/json.hpp>

#include <utility>

namespace headlight {

/// A JSON document that frees itself without allocating. The destructor of nlohmann::json allocates a list of
/// what is still to be freed: where memory has run out, an exception that passes it ends the program.
class JsonDocument {
public:
    JsonDocument() = default;  // NOLINT(bugprone-exception-escape): to make null allocates nothing
    explicit JsonDocument(nlohmann::json&& root) noexcept : root_(std::move(root)) {}
    JsonDocument(JsonDocument&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
    JsonDocument& operator=(JsonDocument&&) = delete;
    ~JsonDocument() { clear(root_); }

    nlohmann::json& operator*() { return root_; }
    const nlohmann::json& operator*() const { return root_; }
    const nlohmann::json* operator->() const { return &root_; }
    operator const nlohmann::json&() const { return root_; }

    /// Makes an array or an object empty without allocating. Recurses: for documents of limited nesting.
    static void clear(nlohmann::json& value) noexcept;

private:
    nlohmann::json root_;
};

}  // namespace headlight
