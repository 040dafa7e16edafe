#include "core/model/tasks/english_french/conjugation.h"

#include <array>

namespace headlight::english_french {
namespace {

using Text = std::string_view;
using Forms = std::array<Text, 5>;  // je, tu, il, nous, ils

struct Irregular {
    Text infinitive;
    Forms forms;
};

constexpr auto irregular_verbs = std::to_array<Irregular>({
    {"être", {"suis", "es", "est", "sommes", "sont"}},
    {"avoir", {"ai", "as", "a", "avons", "ont"}},
    {"aller", {"vais", "vas", "va", "allons", "vont"}},
    {"venir", {"viens", "viens", "vient", "venons", "viennent"}},
    {"pouvoir", {"peux", "peux", "peut", "pouvons", "peuvent"}},
    {"vouloir", {"veux", "veux", "veut", "voulons", "veulent"}},
    {"devoir", {"dois", "dois", "doit", "devons", "doivent"}},
    {"savoir", {"sais", "sais", "sait", "savons", "savent"}},
    {"voir", {"vois", "vois", "voit", "voyons", "voient"}},
    {"croire", {"crois", "crois", "croit", "croyons", "croient"}},
    {"boire", {"bois", "bois", "boit", "buvons", "boivent"}},
    {"recevoir", {"reçois", "reçois", "reçoit", "recevons", "reçoivent"}},
    {"dormir", {"dors", "dors", "dort", "dormons", "dorment"}},
    {"courir", {"cours", "cours", "court", "courons", "courent"}},
    {"ouvrir", {"ouvre", "ouvres", "ouvre", "ouvrons", "ouvrent"}},
    {"rire", {"ris", "ris", "rit", "rions", "rient"}},
    {"sourire", {"souris", "souris", "sourit", "sourions", "sourient"}},
    {"lire", {"lis", "lis", "lit", "lisons", "lisent"}},
    {"écrire", {"écris", "écris", "écrit", "écrivons", "écrivent"}},
    {"suivre", {"suis", "suis", "suit", "suivons", "suivent"}},
    {"connaître", {"connais", "connais", "connaît", "connaissons", "connaissent"}},
    {"craindre", {"crains", "crains", "craint", "craignons", "craignent"}},
    {"prendre", {"prends", "prends", "prend", "prenons", "prennent"}},
    {"comprendre", {"comprends", "comprends", "comprend", "comprenons", "comprennent"}},
    {"appeler", {"appelle", "appelles", "appelle", "appelons", "appellent"}},
    {"acheter", {"achète", "achètes", "achète", "achetons", "achètent"}},
    {"préférer", {"préfère", "préfères", "préfère", "préférons", "préfèrent"}},
    {"espérer", {"espère", "espères", "espère", "espérons", "espèrent"}},
});

struct Endings {
    Text infinitive;
    Forms present;
};

constexpr auto regular_endings = std::to_array<Endings>({
    {"ger", {"ge", "ges", "ge", "geons", "gent"}},  // the g stays soft
    {"er", {"e", "es", "e", "ons", "ent"}},
    {"ir", {"is", "is", "it", "issons", "issent"}},
    {"re", {"s", "s", "", "ons", "ent"}},
});

}  // namespace

std::string present(std::string_view infinitive, int person) {
    const auto column = static_cast<std::size_t>(person);
    for (const Irregular& verb : irregular_verbs)
        if (verb.infinitive == infinitive)
            return std::string(verb.forms[column]);
    for (const Endings& endings : regular_endings)
        if (infinitive.ends_with(endings.infinitive)) {
            std::string form(infinitive.substr(0, infinitive.size() - endings.infinitive.size()));
            form += endings.present[column];
            return form;
        }
    return std::string(infinitive);
}

}  // namespace headlight::english_french
