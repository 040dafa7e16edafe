#include "core/catalog/family.h"

namespace headlight {

std::span<const Family> families() {
    static const std::vector<Family> all{
        {"Sources",
         "Before anything is compared it has to be settled who asks and who is looked at. In self-attention "
         "one sequence plays every part: each token asks, and each can be found. In cross-attention there "
         "are two: the words of a translation ask, and those of the original are looked at. The "
         "mechanisms of this chapter say how queries, keys and values come from the tokens; nearly "
         "everything after it works for both, and most entries have a knob, `source`, to go from one to the "
         "other. What a query and a key do when they meet is left open, and that is the next chapter."},
        {"Scores",
         "A score says how well a key fits a query: one number for each pair. It may be a product, a "
         "distance, or what a small network makes of the two, and a good deal hangs on the choice: whether "
         "queries and keys must have the same width, whether a long vector is everybody’s favourite, "
         "whether the query has any say at all. The first entries go from the oldest score, a bell "
         "around the query, to the scaled dot product that most models use today; then come the networks, "
         "and after them scores that look at distance, at places or at what earlier queries have seen. A row "
         "of scores may be negative and of any size. It is not yet a row of weights."},
        {"Normalisers",
         "A normaliser makes a row of weights out of a row of scores. Nearly always it is the softmax, and "
         "the softmax has three habits. It never gives a weight of exactly 0; it spends exactly 1, even "
         "where no key fits; and it becomes flatter the more keys there are. Each mechanism here breaks one "
         "of them: some give exact zeros, some may spend less or more than 1, some choose a single key, "
         "some look at the columns as well as at the rows, and one or two do without the exponential "
         "altogether. All of them weigh what they are given. What they are given is for the mask to say."},
        {"Masks",
         "A mask says which pairs may meet, by where they stand and before anything is known of what they "
         "say. A forbidden score becomes −∞, so that its weight is exactly 0 and the others share what it "
         "would have had. There are two reasons to forbid. One is truth: a token that is being predicted "
         "must not be seen, padding means nothing, and a stranger’s document is none of ours. The other is "
         "cost: n² pairs are too many for a long text, so that each token keeps a window, a stride, a block "
         "or a few tokens that see everything. Forbidden cells are hatched in the pictures. Masks compose "
         "with and, or and not. The costs are those of a kernel that skips what is forbidden; this program "
         "works out every score and lays the mask over it, so that you can see what was cut."},
        {"Selections",
         "A mask knows places and no contents: a window drops the one word that mattered as gladly as any "
         "other. A selection lets each query choose its keys by what they hold, a few of the many that the "
         "mask allows. Choosing well would need all the scores, which is what was to be saved; so the art "
         "is to guess them cheaply, from the mean of a block, the extremes of a page, a hash, a cluster, or "
         "a much smaller attention beside the real one. What remains is softmax over the chosen keys."},
        {"Positions",
         "So far a text could be shuffled: without a mask the outputs are only shuffled along, for no "
         "formula has asked where a token stands. Order has to be put in, and there are three doors. It can "
         "be added to the token vectors (sinusoids, learned tables), turned into queries and keys (the "
         "rotary family), or added to the scores as a bias of the distance (Shaw, T5, ALiBi and their "
         "heirs). A few let the tokens themselves decide how far apart two places are. What all of them "
         "are judged by is the text that is longer than any in the training."},
        {"Heads",
         "One softmax per token can only look one way at a time. Several heads look at once, each with "
         "columns of its own of Q, K and V, and their findings are put side by side. This is where models "
         "differ most in practice, for keys and values of every head have to be kept while a text is "
         "written: heads share them, squeeze them into a latent vector, or make one matrix do for two. Other "
         "entries let heads talk to one another, subtract one map from another, or put a gate behind them. "
         "The matrices here are drawn from a seed and not trained, so look at what differs between heads, "
         "not at which word a head likes."},
        {"Linear and recurrent",
         "Every map so far has n² cells, and every new token looks at all earlier ones. If the exponential "
         "of a product is replaced by a product of features, the brackets can be moved: keys and values are "
         "added up once into a matrix of fixed size, the state, and each query reads from that. A "
         "Transformer becomes a recurrent network, and the cost grows with n instead of n². The price is "
         "that a state of fixed size has to forget. The chapter is the story of how: at a fixed pace, at a "
         "pace that the token chooses, or by taking out what a key had stored before storing anew. The maps "
         "are worked out afterwards, for the eye alone."},
        {"Low rank",
         "There is a second way around n² cells. Maps of trained models hold less than their size: most of "
         "their rows are mixtures of a few. So keys can be pooled before they are compared, a handful of "
         "landmarks can stand for all tokens, or a query can mix ready-made templates. Unlike the recurrent "
         "forms these look at a whole text at once, which suits encoders and images; for the same reason "
         "most of them cannot be causal."},
        {"Execution",
         "Nothing in this chapter changes a single weight. The same attention can be worked out all at "
         "once, token by token with a cache, or tile by tile with a running maximum and a running sum, and "
         "on a real machine that is the difference between seconds and minutes. The pictures therefore "
         "stand beside those of the plain mechanism, and are equal to them cell by cell."},
        {"Memory",
         "Keys and values need not be tokens at all. They may be cells of a tape that a head walks along, "
         "patterns that were stored earlier, or slots that were learned once for all texts. Seen so, "
         "attention is what a memory does that is asked by content: give it something like what you seek, "
         "and it answers with a mixture of what is nearest."},
        {"Images",
         "An image is a sequence too: cut it into patches and read them row by row. What is new is that "
         "neighbours above and below lie a whole row apart, so that a window of the image is no window of "
         "the sequence, and masks become small squares, crosses and bands. In this book words stand for "
         "patches, a few to a row; in the program the same mechanisms take an image of your own and lay the "
         "weights over it. Last come gates, which compare nothing: they weigh whole channels or places "
         "instead."},
    };
    return all;
}

std::vector<const Mechanism*> mechanisms_of(std::string_view family) {
    std::vector<const Mechanism*> found;
    for (const Mechanism& each : mechanisms())
        if (each.family == family)
            found.push_back(&each);
    return found;
}

}  // namespace headlight
