#include "core/model/local_window.h"

namespace headlight {

void LocalWindow::describe(AttentionSpec& spec) const {
    if (kind == Kind::monotonic)
        spec.mask.rule = PatternMask{MaskPattern::local, {{"radius", radius}}};
    if (kind == Kind::predicted)
        spec.selection = {SelectionType::predicted_window, {{"radius", radius}}};
}

}  // namespace headlight
