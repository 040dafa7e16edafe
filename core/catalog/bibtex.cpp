#include "core/catalog/bibtex.h"

#include "core/catalog/publications.h"
#include "core/catalog/search_text.h"
#include "core/tensor/version.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <utility>

namespace headlight {
namespace {

/// Text inside a field's braces: what TeX would read as a sign of its own stands behind a backslash.
std::string in_tex(const std::string& text) {
    std::string escaped;
    for (const char letter : text) {
        if (std::string_view("&%$#_{}").find(letter) != std::string_view::npos)
            escaped += '\\';
        escaped += letter;
    }
    return escaped;
}

/// BibTeX takes the last word of a name for the surname, unless it begins small ("von Oswald"): names of
/// teams stand in braces.
std::string bibtex_name(const std::string& name) {
    const bool is_team =
        name.find(' ') != std::string::npos && std::isupper(static_cast<unsigned char>(name[0]));
    return is_team ? '{' + in_tex(name) + '}' : in_tex(name);
}

/// "Cho" of "Cho, Kyunghyun and Bengio, Yoshua", "{Qwen Team}".
std::string_view first_surname(std::string_view bibtex_authors) {
    return bibtex_authors.substr(0, std::min(bibtex_authors.find(", "), bibtex_authors.find(" and ")));
}

/// "vaswani2017attention": letters of the first author, the year, the title's first long word, one in
/// small letters only where there is no other: "the layer Attention". No two papers of the catalogue have one
/// key.
std::string bibtex_key(std::string_view author, std::string_view title, int year) {
    const auto is_lower = [](unsigned char letter) { return std::islower(letter) != 0; };
    std::string word, small;
    for (std::size_t start = 0; start < title.size() && word.empty();) {
        const std::size_t end = std::min(title.find_first_of(" -", start), title.size());
        const std::string_view part = title.substr(start, end - start);
        const std::string letters = SearchText(part).ascii();
        const bool is_whole = start == 0 || title[start - 1] == ' ';
        const bool is_small = is_whole && std::ranges::all_of(part, is_lower);
        if (letters.size() >= 4 && !is_small)
            word = letters;
        else if (letters.size() >= 4 && small.empty())
            small = letters;
        start = end + 1;
    }
    return SearchText(author).ascii() + std::to_string(year) + (word.empty() ? small : word);
}

using BibtexFields = std::vector<std::pair<std::string, std::string>>;

std::string bibtex_entry(const std::string& type, const std::string& key, const BibtexFields& fields) {
    std::size_t width = 0;
    for (const auto& [name, value] : fields)
        width = std::max(width, name.size());
    std::string text = '@' + type + '{' + key;
    for (const auto& [name, value] : fields)
        text += ",\n  " + name + std::string(width + 1 - name.size(), ' ') + "= {" + value + '}';
    return text + "\n}\n";
}

/// What BibTeX calls a paper that appeared there, and the field that says where.
struct BibtexPlace {
    const char *type, *field;
};

BibtexPlace bibtex_place(Publication::Kind kind) {
    switch (kind) {
    case Publication::Kind::proceedings:
        return {"inproceedings", "booktitle"};
    case Publication::Kind::journal:
        return {"article", "journal"};
    case Publication::Kind::other:
        break;
    }
    return {"misc", "howpublished"};
}

std::string bibtex_venue(std::string_view venue) {
    const std::string text(venue);
    return text.starts_with("https://") ? "\\url{" + text + '}' : in_tex(text);
}

/// As the citation has them.
std::string cited_authors(const CitedWork& work) {
    std::string authors;
    for (const std::string& name : work.authors)
        authors += (authors.empty() ? "" : " and ") + bibtex_name(name);
    return work.has_others ? authors + " and others" : authors;
}

}  // namespace

CitedWork cited_work(std::string_view citation) {
    CitedWork work;
    std::string rest(citation);
    if (const std::size_t open = rest.rfind(" ("); rest.ends_with(')') && open != std::string::npos) {
        work.note = rest.substr(open + 2, rest.size() - open - 3);
        rest.resize(open);
    }
    static const std::regex several("((?:[^ ,:]+, )*)([^ ,:]+) and ([^ ,:]+), (.+)");
    constexpr std::string_view others = " et al., ";
    std::smatch match;
    if (const std::size_t found = rest.find(others); found != std::string::npos) {
        work.authors = {rest.substr(0, found)};
        work.has_others = true;
        work.title = rest.substr(found + others.size());
    } else if (std::regex_match(rest, match, several)) {
        const std::string first = match[1];
        for (std::size_t start = 0; start < first.size();) {
            const std::size_t end = first.find(", ", start);
            work.authors.push_back(first.substr(start, end - start));
            start = end + 2;
        }
        work.authors.push_back(match[2]);
        work.authors.push_back(match[3]);
        work.title = match[4];
    } else {
        const std::size_t comma = std::min(rest.find(", "), rest.size());
        work.authors = {rest.substr(0, comma)};
        work.title = comma == rest.size() ? rest : rest.substr(comma + 2);
    }
    return work;
}

namespace {

/// A paper, whoever cites it.
struct BibtexPaper {
    std::string entry;
    std::vector<std::string> places;  ///< "equation 1", of all who cite it
};

std::string paper_entry(const Paper& paper) {
    CitedWork work = cited_work(paper.citation);
    const Publication* known = publication_of(paper);
    const std::string authors = known ? std::string(known->authors) : cited_authors(work);
    if (known)  // some cite it by what stands before its colon
        work.title = known->title;
    // A citation of the preprint does not say that it is what was printed later.
    const bool is_that = known && known->year == paper.year;
    const BibtexPlace place = bibtex_place(is_that ? known->kind : Publication::Kind::other);
    BibtexFields fields{{"author", authors}, {"title", '{' + in_tex(work.title) + '}'}};
    if (is_that)
        fields.emplace_back(place.field, bibtex_venue(known->venue));
    fields.emplace_back("year", std::to_string(paper.year));
    const std::string_view author = known ? first_surname(known->authors) : work.authors.front();
    return bibtex_entry(place.type, bibtex_key(author, work.title, paper.year), fields);
}

}  // namespace

std::string bibtex_of_papers(std::span<const Mechanism* const> mechanisms) {
    std::vector<BibtexPaper> papers;
    for (const Mechanism* mechanism : mechanisms)
        for (const Paper& paper : mechanism->papers) {
            std::string entry = paper_entry(paper), place = cited_work(paper.citation).note;
            auto found = std::ranges::find(papers, entry, &BibtexPaper::entry);
            if (found == papers.end())
                found = papers.insert(found, {std::move(entry), {}});
            if (!place.empty() && std::ranges::find(found->places, place) == found->places.end())
                found->places.push_back(std::move(place));
        }
    std::string text;
    for (const BibtexPaper& paper : papers) {
        text += text.empty() ? "" : "\n";
        // Not a field: a style would print it into the bibliography.
        for (const std::string& place : paper.places)
            text += "% " + place + '\n';
        text += paper.entry;
    }
    return text;
}

std::string bibtex(std::span<const Mechanism* const> mechanisms) {
    const std::string papers = bibtex_of_papers(mechanisms);
    return bibtex_of_headlight() + (papers.empty() ? "" : "\n" + papers);
}

std::string bibtex(const Mechanism& mechanism) {
    const Mechanism* const alone = &mechanism;
    return bibtex(std::span(&alone, 1));
}

std::string bibtex_of_headlight() {
    return bibtex_entry("misc", "headlight",
                        {{"author", "{The Headlight authors}"},
                         {"title", "{Headlight}: see what every attention head looks at"},
                         {"year", std::string(program_year())},
                         {"note", "Version " + std::string(program_version()) + ", Apache-2.0"}});
}

}  // namespace headlight
