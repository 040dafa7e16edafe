#pragma once

#include "core/attention/inputs.h"
#include "core/attention/spec.h"
#include "core/catalog/publications.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace headlight {

/// Order of the last mechanism that is a lesson of the course through the catalogue.
inline constexpr int last_lesson = 4000;

using ParameterValue = std::variant<bool, Index, double, std::string>;

/// One knob of a mechanism: what the controls in the window, `--set name=value` and the docs are made from.
struct MechanismParameter {
    enum class Kind { boolean, integer, real, choice };
    std::string name = {};   ///< "temperature"
    std::string label = {};  ///< "Temperature"
    Kind kind = Kind::real;
    ParameterValue standard = {};           ///< the default
    double minimum = 0;                     ///< integer and real
    double maximum = 0;                     ///< integer and real
    bool logarithmic = false;               ///< how a slider moves
    std::vector<std::string> choices = {};  ///< choice only
    std::string help = {};                  ///< what it does to the formula, one sentence
    std::string minimum_word = {};          ///< what the minimum means where it is no amount: "all"
};

/// "true", "8", "0.5", "relu": what parse_value() reads back, the same in every locale.
std::string to_string(const ParameterValue& value);

/// "a number from 0.01 to 100": what a refusal says it expected, and the docs that it takes.
std::string accepted_values(const MechanismParameter& parameter);

using ParameterValues = std::map<std::string, ParameterValue>;

/// What must hold for every input; each is a contract test.
struct MechanismProperties {
    bool row_stochastic = true;            ///< every row that is not fully masked sums to 1
    bool causal = false;                   ///< the weights of query i never use a key after i
    bool permutation_equivariant = false;  ///< permuting the tokens permutes the output
    bool streaming = false;                ///< step by step equals all at once
    bool data_dependent_mask = false;
    bool random = false;     ///< the result depends on the seed beyond the parameters drawn from it
    bool sparse = false;     ///< some weights of allowed pairs are exactly 0
    bool is_signed = false;  ///< weights may be negative
    /// What a token gets depends on later ones, or on how many there are, even beside a causal mask: no
    /// decoder can have it.
    bool needs_whole_text = false;
};

/// What holds for a causal mixer with weights of either sign, whose rows sum to anything.
inline constexpr MechanismProperties signed_causal_mixer{
    .row_stochastic = false, .causal = true, .streaming = true, .is_signed = true};

/// A text to run on that shows the point, and how.
struct ExampleInput {
    std::string query;
    std::string key;                ///< cross attention only
    std::string look_for;           ///< one sentence: what to look for in the picture
    std::string stage = "weights";  ///< that the picture shows
    /// Id of another mechanism whose weights on the same text stand beside this one's, where the difference
    /// is the point.
    std::string beside = {};
    /// Knobs that show the point where their defaults do not. What opens the mechanism in the window sets
    /// them.
    ParameterValues values = {};
};

/// Where this mechanism is another one: on the same token vectors, with the same parameters by name, the
/// outputs are equal, and the weights too where both have a map of one shape. Each is a test, and a button
/// that shows both.
struct Equivalence {
    std::string id = {};         ///< of the other mechanism
    ParameterValues here = {};   ///< knobs of this one
    ParameterValues there = {};  ///< knobs of the other one
    std::string when = {};       ///< "with α = 2 the formula is sparsemax": one sentence
    double tolerance = 1e-13;    ///< rounding; more where the two only meet in a limit
    /// Parameters that both get, when those drawn from the seed would differ: {"W", {"identity"}} ...
    std::map<std::string, std::string> parameters = {};  ///< name -> "identity", "zeros" or "ones"
};
/// That it is mechanism `id`; `rest` has the knobs and what else there is to say.
inline Equivalence equal_when(std::string id, std::string when, Equivalence rest = {}) {
    rest.id = std::move(id);
    rest.when = std::move(when);
    return rest;
}

/// A publication that a mechanism comes from, or one of its parts.
struct Paper {
    std::string citation;  ///< "Vaswani et al., Attention Is All You Need (equation 1)"
    int year = 0;          ///< of the conference or journal; of the preprint where there was none
    /// In which it could first be read, where that was earlier. The catalogue sets it, from its publications.
    int first_year = 0;
    int first_month = 0;  ///< of its first version, from there too; 0 where it is not known
    /// Who wrote it and where it appeared, said by the one entry that cites it: see paper_of().
    std::optional<Publication> publication = std::nullopt;

    /// Returns the year of its first version.
    int first() const { return first_year > 0 ? first_year : year; }
};

/// A paper that one entry alone cites, "AUTHORS, TITLE (NOTE)": publications() need not have it. `authors`
/// are those of the citation, "Das, Kong, Sen and Zhou".
Paper paper_of(const std::string& authors, const Publication& publication, const std::string& note = {});
/// What its entry or publications() know of it; null where neither does. It stays as long as the paper.
const Publication* publication_of(const Paper& paper);

/// "Nadaraya, On Estimating Regression, 1964; Watson, Smooth Regression Analysis, 1964"; behind the year that
/// of an earlier version: "2024 (preprint 2021)"
std::string to_string(std::span<const Paper> papers);

/// A named spec in the catalogue, with everything that the window, the command line, the docs and the tests
/// say of it.
struct Mechanism {
    std::string id;    ///< "scaled_dot_product": the name of its file
    std::string name;  ///< "Scaled dot-product attention"
    std::vector<std::string> also_known_as;
    std::string family;  ///< the name of one of families()
    /// Teaching order in the tree. Hundreds up to last_lesson are the lessons of a course; what lies between
    /// two of them belongs to the first.
    int order = 0;
    /// TeX; each stage's term is wrapped as \class{stage-NAME}{...} so that the window can light it. Entries
    /// write @NAME{...}.
    std::string formula;
    std::vector<Paper> papers;  ///< first the one that the mechanism is filed under
    /// Returns the year in which its first paper could first be read, which it is sorted by: what builds on
    /// it may have come out before its journal did.
    int year() const { return papers.empty() ? 0 : papers.front().first(); }
    /// Returns the month of that year, 0 where it is not known.
    int month() const { return papers.empty() ? 0 : papers.front().first_month; }
    std::string explanation;  ///< one paragraph in plain words
    std::string cost;        ///< multiply-adds and memory in n, m, d, h: "n m (d + d_v) per head; memory n m"
    std::string correction;  ///< what is often printed wrongly about it, and what is right; may be empty
    std::vector<Equivalence> equivalences;
    std::vector<std::string> related;  ///< ids of mechanisms to look at next
    std::vector<MechanismParameter> parameters;
    /// Spec for the values; those left out have their default. Use build_spec(), which checks them first.
    std::function<AttentionSpec(const ParameterValues&)> build;
    ExampleInput example;
    MechanismProperties properties;
    double tolerance = 1e-5;  ///< of float against its scalar oracle (tests/oracle), relative
};

/// Every mechanism, in teaching order.
std::span<const Mechanism> mechanisms();

/// nullptr when there is none. It stays; but what is found before somebody asks for all of them is no element
/// of mechanisms(), and not what is found later: see is_same().
const Mechanism* find_mechanism(std::string_view id);
/// Throws Error that names the likely ones when there is none.
const Mechanism& mechanism(std::string_view id);
/// The one that is called so, or else the one that is called so too: "GQA", "gated deltanet". As a search
/// reads names, by letters and digits alone; null where none is, or several are.
const Mechanism* find_mechanism_called(std::string_view name);
/// Whether both have one id, or both are none, wherever they were found.
bool is_same(const Mechanism* one, const Mechanism* other);

/// What an Error says of an id that no mechanism has. Expected: the nearest one first, then those that
/// contain it, and where the others are listed, for all of them are too many to read.
struct UnknownMechanism {
    std::string expected, got;
};
UnknownMechanism unknown_mechanism(const std::string& typed);

/// Checks names, kinds and ranges, then builds. Throws Error naming the parameter, its range and what was
/// given.
AttentionSpec build_spec(const Mechanism& mechanism, const ParameterValues& values);

/// `text` as a value of the parameter's kind ("0.5", "true", "relu"); throws Error otherwise.
ParameterValue parse_value(const MechanismParameter& parameter, const std::string& text);

}  // namespace headlight
