#include "core/figure/build_figure.h"
#include "core/figure/declarations.h"
#include "core/figure/grid_columns.h"
#include "core/figure/image_view.h"
#include "core/figure/view_titles.h"

namespace headlight {
namespace {

std::string image_lacks(const ViewSubject& subject) {
    if (subject.has_image)
        return {};
    if (!subject.runs_mechanism)
        return "No picture is read here: choose a model that sees one, or choose a mechanism in place of the "
               "model and open an image";
    return "Open an image, or choose File > Example picture: its patches become the tokens, and what one "
           "of them looks at lies over it";
}

void build_image(const PanelMaker& maker, const PatchedPicture& image, Figure& figure) {
    figure.panels = image_panels(maker, image);
    const Picture& picture = *image.picture;
    const Index count = std::ssize(figure.panels);
    figure.columns =
        grid_columns(count, static_cast<double>(picture.height) / static_cast<double>(picture.width));
    if (count == 1)
        return;
    const Panel& first = figure.panels.front();
    figure.title = join(
        {figure.title, join({in_a_sentence(maker.title(first.stage), first.stage), first.subtitle}, ", ")},
        ": ");
    for (Panel& panel : figure.panels)
        panel.subtitle.clear();
}

}  // namespace

View declare_view_image() {
    View view{ViewKind::image};
    view.order = 7;
    view.title = "Image";
    view.shows =
        "What one patch looks at, over the image whose patches are the tokens; click a patch to let it look, "
        "Ctrl+click another for the numbers of the two";
    view.stages = View::Stages::patches;
    view.all_heads = true;
    view.plays = PlayMode::step;
    view.lacks = image_lacks;
    view.build = build_image;
    return view;
}

}  // namespace headlight
