#include "core/model/tasks/english_french/lexicon.h"

#include <array>

namespace headlight::english_french {
namespace {

constexpr WordClasses belongings = thing | clothing;
constexpr WordClasses eaten = food | dish;

constexpr auto table = std::to_array<Use>({
    // nothing but somebody who does it
    {"sleep", "sleeps", "", "dormir", "", Frame::manner, living, 0},
    {"run", "runs", "", "courir", "", Frame::manner, living, 0},
    {"walk", "walks", "", "marcher", "", Frame::manner, living, 0},
    {"sing", "sings", "", "chanter", "", Frame::manner, person | flying, 0},
    {"dance", "dances", "", "danser", "", Frame::manner, person, 0},
    {"swim", "swims", "", "nager", "", Frame::manner, living, 0},
    {"work", "works", "", "travailler", "", Frame::manner, person, 0},
    {"breathe", "breathes", "", "respirer", "", Frame::manner, living, 0},
    {"fly", "flies", "", "voler", "", Frame::manner, flying, 0},
    {"eat", "eats", "", "manger", "", Frame::manner, living, 0},
    {"laugh", "laughs", "", "rire", "", Frame::intransitive, person, 0},
    {"cry", "cries", "", "pleurer", "", Frame::intransitive, person, 0},
    {"smile", "smiles", "", "sourire", "", Frame::intransitive, person, 0},
    {"play", "plays", "", "jouer", "", Frame::intransitive, living, 0},
    {"jump", "jumps", "", "sauter", "", Frame::intransitive, living, 0},
    {"fall", "falls", "", "tomber", "", Frame::intransitive, living, 0},
    {"dream", "dreams", "", "rêver", "", Frame::intransitive, living, 0},
    {"wait", "waits", "", "attendre", "", Frame::intransitive, living, 0},
    {"travel", "travels", "", "voyager", "", Frame::intransitive, person, 0},
    // somewhere
    {"go", "goes", "to", "aller", "à", Frame::going, living, 0},
    {"return", "returns", "to", "retourner", "à", Frame::going, living, 0},
    {"come", "comes", "from", "venir", "de", Frame::coming, living, 0},
    {"live", "lives", "", "habiter", "", Frame::staying, living, 0},
    {"stay", "stays", "", "rester", "", Frame::staying, living, 0},
    // something
    {"eat", "eats", "", "manger", "", Frame::transitive, living, eaten},
    {"drink", "drinks", "", "boire", "", Frame::transitive, living, drink},
    {"see", "sees", "", "voir", "", Frame::transitive, living, living | belongings | sight | place | part},
    {"hear", "hears", "", "entendre", "", Frame::transitive, living, living},
    {"look", "looks", "at", "regarder", "", Frame::transitive, living,
     living | belongings | sight | place | part},
    {"look", "looks", "for", "chercher", "", Frame::transitive, living,
     living | belongings | food | visitable},
    {"find", "finds", "", "trouver", "", Frame::transitive, living, living | belongings | food},
    {"lose", "loses", "", "perdre", "", Frame::transitive, person, belongings},
    {"buy", "buys", "", "acheter", "", Frame::transitive, person, eaten | drink | belongings},
    {"sell", "sells", "", "vendre", "", Frame::transitive, person, eaten | drink | belongings},
    {"carry", "carries", "", "porter", "", Frame::transitive, person, thing},
    {"wear", "wears", "", "porter", "", Frame::transitive, person, clothing},
    {"wash", "washes", "", "laver", "", Frame::transitive, person, clothing | part},
    {"open", "opens", "", "ouvrir", "", Frame::transitive, person, openable},
    {"close", "closes", "", "fermer", "", Frame::transitive, person, openable},
    {"read", "reads", "", "lire", "", Frame::transitive, person, readable},
    {"write", "writes", "", "écrire", "", Frame::transitive, person, written},
    {"draw", "draws", "", "dessiner", "", Frame::transitive, person, living | sight | part | thing},
    {"break", "breaks", "", "casser", "", Frame::transitive, person, thing},
    {"take", "takes", "", "prendre", "", Frame::transitive, person, belongings | food},
    {"choose", "chooses", "", "choisir", "", Frame::transitive, person, belongings | food},
    {"hide", "hides", "", "cacher", "", Frame::transitive, person, belongings | food},
    {"have", "has", "", "avoir", "", Frame::transitive, person, animal | belongings | eaten | drink},
    {"want", "wants", "", "vouloir", "", Frame::transitive, person, belongings | eaten | drink},
    {"follow", "follows", "", "suivre", "", Frame::transitive, living, living},
    {"call", "calls", "", "appeler", "", Frame::transitive, person, living},
    {"feed", "feeds", "", "nourrir", "", Frame::transitive, person, animal},
    {"visit", "visits", "", "visiter", "", Frame::transitive, person, visitable},
    {"receive", "receives", "", "recevoir", "", Frame::transitive, person, readable},
    {"love", "loves", "", "aimer", "", Frame::transitive_definite, living,
     living | eaten | drink | visitable},
    {"hate", "hates", "", "détester", "", Frame::transitive_definite, living, living | eaten | drink},
    {"prefer", "prefers", "", "préférer", "", Frame::transitive_definite, person, eaten | drink | belongings},
    {"know", "knows", "", "connaître", "", Frame::transitive_definite, person, person | visitable},
    {"help", "helps", "", "aider", "", Frame::transitive_definite, person, person},
    {"listen", "listens", "to", "écouter", "", Frame::transitive_definite, living, living},
    {"wait", "waits", "for", "attendre", "", Frame::transitive_definite, living, living},
    {"thank", "thanks", "", "remercier", "", Frame::transitive_definite, person, person},
    {"believe", "believes", "", "croire", "", Frame::transitive_definite, person, person},
    {"understand", "understands", "", "comprendre", "", Frame::transitive_definite, person, living},
    {"fear", "fears", "", "craindre", "", Frame::transitive_definite, living, living},
    {"forget", "forgets", "", "oublier", "", Frame::transitive_definite, person, person | belongings},
    // through a preposition
    {"talk", "talks", "to", "parler", "à", Frame::to_someone, person, living},
    {"answer", "answers", "", "répondre", "à", Frame::to_someone, person, person},
    {"obey", "obeys", "", "obéir", "à", Frame::to_someone, living, person},
    {"think", "thinks", "of", "penser", "à", Frame::about, person, living},
    {"play", "plays", "with", "jouer", "avec", Frame::about, living, living | plaything},
    {"give", "gives", "to", "donner", "à", Frame::giving, person, eaten | drink | belongings},
    {"show", "shows", "to", "montrer", "à", Frame::giving, person, animal | belongings},
    {"lend", "lends", "to", "prêter", "à", Frame::giving, person, belongings},
    {"bring", "brings", "to", "apporter", "à", Frame::giving, person, eaten | drink | belongings},
});

constexpr auto modal_table = std::to_array<Modal>({
    {"can", "can", "", "pouvoir", false},
    {"must", "must", "", "devoir", false},
    {"want", "wants", "to", "vouloir", true},
    {"hope", "hopes", "to", "espérer", true},
    {"know", "knows", "how to", "savoir", true},
});

}  // namespace

std::span<const Use> uses() { return table; }
std::span<const Modal> modals() { return modal_table; }

}  // namespace headlight::english_french
