#pragma once

#include "core/attention/inputs.h"

#include <optional>
#include <span>

namespace headlight {

/// Extents of the token vectors that a spec is planned for.
struct TokenDimensions {
    Index query_width = 0;
    Index key_width = 0;
    Index value_width = 0;
    Index queries = 1;  ///< some components have a parameter for each token
    Index keys = 1;
};

/// Extents of all vectors that are given, whatever a source reads of them (inputs_for).
TokenDimensions dimensions_of(const Inputs& inputs);

/// One parameter that a spec needs. Matrices are stored (in, out): y = x W.
struct ParameterInfo {
    std::string name;  ///< "W_q"
    Shape shape;
    std::string meaning;  ///< "projects token vectors to queries"
    /// What an absent one is filled with; drawn if absent.
    std::optional<double> constant = {};
};

/// A parameter that some spec needs, whatever the extents.
struct KnownParameter {
    std::string name;
    std::string shape;  ///< in symbols, "[h, d]"; none where the meaning has several
    std::string meaning;
};

/// "[h, d]: a bias for each head"
std::string described(const KnownParameter& parameter);

/// The parameters of a spec in the making; checks each that is given.
class ParameterList {
public:
    explicit ParameterList(const std::map<std::string, Tensor>& given) : given_(given) {}

    /// Those that are added from here on mean what `own` says, else what the name means in any spec.
    void begin_component(std::span<const KnownParameter> own) { own_ = own; }

    /// Throws Error when the given parameter has another shape, or when it would be too large;
    /// std::logic_error when nothing says what the name means.
    void add(const std::string& name, Shape shape, std::optional<double> constant = {});
    /// The matrix "W_x", and behind it "b_x" with a number for each of its columns.
    void add_with_bias(const std::string& matrix, const Shape& shape, double bias = 0);
    /// One that a typed formula names, whatever is known of the name.
    void add_typed(const std::string& name, Shape shape) {
        push(name, std::move(shape), "a parameter of the formula", {});
    }
    const Tensor* given(const std::string& name) const;
    bool has(const std::string& name) const;

    std::vector<ParameterInfo> take() { return std::move(parameters_); }

private:
    void push(const std::string& name, Shape shape, const std::string& meaning,
              std::optional<double> constant);

    const std::map<std::string, Tensor>& given_;
    std::span<const KnownParameter> own_;
    std::vector<ParameterInfo> parameters_;
};

/// The parameters of `spec` in the order in which the formula uses them. Widths that a given parameter fixes
/// (the columns of a given W_q) are taken from `given`. Throws Error when a given parameter cannot fit, when
/// the heads do not divide a width, or when a score needs queries and keys of one width and they differ.
std::vector<ParameterInfo> required_parameters(const AttentionSpec& spec, const TokenDimensions& dimensions,
                                               const std::map<std::string, Tensor>& given);

/// Every name that some spec uses; any other name in an inputs file is refused. A known one that a spec does
/// not need is left alone, so that one file serves many mechanisms.
const std::vector<KnownParameter>& known_parameters();

/// A number for each head is a vector in the catalogue, and a column in formulas: a vector that is given for
/// a column becomes one.
void make_columns(const std::vector<ParameterInfo>& required, std::map<std::string, Tensor>& given);

/// `given` where it has the name, else drawn: matrices Xavier-uniform in +-sqrt(6 / (rows + cols)) (Glorot &
/// Bengio 2010, eq. 16), vectors uniform in +-1/sqrt(length), `g` = 1. Each name has its own stream of the
/// seed, so that giving one does not change the others.
std::map<std::string, Tensor> resolve_parameters(const std::vector<ParameterInfo>& required,
                                                 std::map<std::string, Tensor> given, std::uint64_t seed);

}  // namespace headlight
