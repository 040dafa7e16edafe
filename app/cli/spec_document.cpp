#include "app/cli/spec_document.h"

#include "core/attention/plan.h"
#include "core/attention/spec_json.h"

#include <algorithm>

namespace headlight {

const std::vector<SpecField>& known_fields() {
    static const std::vector<SpecField> fields = spec_fields();
    return fields;
}

const SpecField* find_field(const std::string& path) {
    const auto found = std::ranges::find(known_fields(), path, &SpecField::path);
    return found == known_fields().end() ? nullptr : &*found;
}

std::string part_of(const std::string& path) { return path.substr(0, path.find('.')); }

nlohmann::json::json_pointer pointer_of(const std::string& path) {
    std::string pointer = '/' + path;
    std::ranges::replace(pointer, '.', '/');
    return nlohmann::json::json_pointer(pointer);
}

namespace {

/// Whether one of the paths has one of the words; what the document leaves out may have it, and a word that
/// there is not is refused for itself.
bool is_met(const ReadWith& with, const nlohmann::json& document) {
    return std::ranges::any_of(with.paths, [&](const std::string& path) {
        const nlohmann::json::json_pointer place = pointer_of(path);
        if (!document.contains(place))
            return true;
        const auto is_there = [&](const std::string& word) {
            return document.at(place) == nlohmann::json(word);
        };
        const std::vector<Word<int>>& known = find_field(path)->words;
        const bool is_word = known.empty() || std::ranges::any_of(known, [&](const Word<int>& word) {
                                 return is_there(std::string(word.word));
                             });
        return !is_word || std::ranges::any_of(with.words, is_there);
    });
}

/// What the field needs to be read and the document says otherwise, first the type; nothing where it is read.
std::optional<ReadWith> unmet(const std::string& path, const nlohmann::json& document) {
    std::optional<ReadWith> beside, type;
    const SpecField* field = find_field(path);
    if (!field)
        return std::nullopt;
    for (const std::vector<ReadWith>& all : field->read_where) {
        const auto first =
            std::ranges::find_if(all, [&](const ReadWith& with) { return !is_met(with, document); });
        if (first == all.end())
            return std::nullopt;
        if (first != all.begin())
            beside = *first;
        else if (!type)
            type = *first;
        else
            type->words.insert(type->words.end(), first->words.begin(), first->words.end());
    }
    return beside ? beside : type;
}

/// Why the document is nothing for its algorithm; nothing where it is, or where something else is wrong,
/// which other fields can mend.
std::optional<ErrorDetail> refusal_of_algorithm(const nlohmann::json& document) {
    constexpr TokenDimensions some{64, 64, 64, 8, 8};
    try {
        check_parts(spec_from_json(document), some);
    } catch (const Error& error) {
        if (error.detail().what.ends_with(" algorithm") || error.detail().where == "algorithm")
            return error.detail();
    }
    return std::nullopt;
}

/// Why the algorithm does not take a word in the place of the one that is there.
std::optional<ErrorDetail> refusal_of_word(const nlohmann::json& document, const std::string& path,
                                           const std::string& word) {
    nlohmann::json changed = document;
    if (path.ends_with(".type"))
        changed[part_of(path)] = nlohmann::json::object();  // without the options of another type
    changed[pointer_of(path)] = word;
    const auto refused = refusal_of_algorithm(changed);
    const auto already = refused ? refusal_of_algorithm(document) : std::nullopt;
    return already && already->where == refused->where ? std::nullopt : refused;
}

/// The field has its default then, where it has one.
void erase_field(nlohmann::json& document, const std::string& path) {
    document[part_of(path)].erase(path.substr(path.find('.') + 1));
}

/// Some parts are said by a type or by something in its place (a mask by its type or by a list `all`): the
/// one that was typed erases the other, and what belongs to it, unless that was typed as well.
void leave_other_ways(nlohmann::json& document, const auto& is_typed) {
    for (const SpecField& way : known_fields()) {
        const std::string part = part_of(way.path);
        if (way.in_place_of.empty() || is_typed(part))
            continue;
        const bool stands_alone = is_typed(way.path);
        for (const SpecField& field : known_fields())
            if (part_of(field.path) == part && !is_typed(field.path) &&
                (stands_alone || (field.path == way.path && is_typed(way.in_place_of))))
                erase_field(document, field.path);
    }
}

}  // namespace

std::optional<ErrorDetail> why_unread(const std::string& field, const nlohmann::json& document) {
    const auto with = unmet(field, document);
    if (!with)
        return std::nullopt;
    constexpr std::size_t most = 6;
    const std::string& path = with->paths.front();
    std::vector<std::string> words;
    std::optional<ErrorDetail> refused;
    for (const std::string& word : with->words)
        if (const auto why = refusal_of_word(document, path, word); !why)
            words.push_back(word);
        else if (!refused)
            refused = why;
    if (words.empty())
        return ErrorDetail{refused->what, field, refused->expected, '"' + field + '"'};
    if (const std::size_t all = words.size(); all > most + 1) {
        words.resize(most);
        words.push_back("one of " + std::to_string(all - most) + " others");
    }
    const nlohmann::json& word = document.at(pointer_of(path));
    return ErrorDetail{"run", field, path + '=' + list_in_words(words, "or") + " beside it",
                       path + '=' + excerpt(word.is_string() ? word.get<std::string>() : word.dump())};
}

void refuse_unread(const std::vector<Assignment>& fields, const nlohmann::json& document) {
    for (const Assignment& field : fields)
        if (const auto why = why_unread(field.name, document))
            throw Error(*why);
}

std::vector<std::string> unread_fields(const AttentionSpec& spec) {
    const nlohmann::json document = to_json(spec);
    std::vector<std::string> unread;
    for (const SpecField& field : known_fields()) {
        const auto why =
            document.contains(pointer_of(field.path)) ? why_unread(field.path, document) : std::nullopt;
        if (!why)
            continue;
        nlohmann::json without = document;
        erase_field(without, field.path);
        if (spec_from_json(without) != spec)
            unread.push_back(why->where + ": expected " + why->expected + ", got " + why->got);
    }
    return unread;
}

void leave_other_types(nlohmann::json& document, const nlohmann::json& before,
                       const std::vector<Assignment>& fields) {
    const auto is_of_other_type = [](const std::string& path, const nlohmann::json& in) {
        const auto with = unmet(path, in);
        return with && with->paths.front().ends_with(".type");
    };
    const auto is_typed = [&](const std::string& path) {
        return std::ranges::count(fields, path, &Assignment::name) > 0;
    };
    leave_other_ways(document, is_typed);
    for (const SpecField& field : known_fields())
        if (!is_typed(field.path) && !is_typed(part_of(field.path)) &&
            !is_of_other_type(field.path, before) && is_of_other_type(field.path, document))
            erase_field(document, field.path);
}

}  // namespace headlight
