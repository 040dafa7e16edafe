#include "core/figure/beam_figure.h"

#include "core/figure/words.h"
#include "core/model/beam_layout.h"
#include "core/tensor/error.h"

namespace headlight {

Figure beam_figure(const Transcript& transcript, bool with_pruned) {
    if (!transcript.beams)
        throw Error({"draw a beam", "", "a model that searched with a beam of 2 or more", "none"});
    const TranscriptBeams& beams = *transcript.beams;
    const BeamLayout layout(beams, with_pruned);
    std::vector<Index> place(beams.tree.nodes.size(), -1);  // in the picture
    Tree tree;
    Panel panel;
    panel.kind = Panel::Kind::tree;
    std::vector<double> numbers;
    for (std::size_t depth = 0; depth < layout.columns().size(); ++depth)
        for (const Index node : layout.columns()[depth]) {
            const BeamNode& at = beams.tree.nodes[static_cast<std::size_t>(node)];
            place[static_cast<std::size_t>(node)] = std::ssize(tree.nodes);
            const std::string& word = beams.words[static_cast<std::size_t>(node)];
            tree.nodes.push_back({at.parent < 0 ? -1 : place[static_cast<std::size_t>(at.parent)],
                                  static_cast<Index>(depth), layout.row(node).value_or(0),
                                  node == 0        ? "start"
                                  : word == "</s>" ? "end"
                                                   : visible_token(word),
                                  node == 0 ? "" : log_probability_text(at.log_probability), at.is_kept,
                                  layout.is_on_best_way(node)});
            panel.row_axis.labels.push_back(node == 0 ? "start" : text_to(transcript, node));
            numbers.push_back(at.log_probability);
        }
    panel.rows = std::ssize(tree.nodes);
    panel.columns = 1;
    panel.column_axis.labels = {"log probability"};
    panel.row_axis.title = "text";
    panel.values = std::move(numbers);
    panel.tree = std::make_shared<const Tree>(std::move(tree));
    panel.title = "Beam search";
    panel.subtitle = "log probability of the text up to each word";
    Figure figure;
    figure.panels.push_back(std::move(panel));
    return figure;
}

}  // namespace headlight
