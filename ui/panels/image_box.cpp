#include "ui/panels/image_box.h"

#include "core/io/image_session.h"
#include "core/workbench/sequence_edits.h"
#include "ui/models/document.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"
#include "ui/views/picture_thumbnail.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

constexpr Index most_offered_columns = 64;  // a wide panorama has more

std::vector<double> offered_columns(const Picture& picture) {
    std::vector<double> all;
    for (Index columns = 1; columns <= std::min(most_patch_columns(picture), most_offered_columns); ++columns)
        all.push_back(double(columns));
    return all;
}

}  // namespace

ImageBox::ImageBox(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), name_(new QLabel), close_(new QToolButton),
      thumbnail_(new PictureThumbnail),
      columns_(new NumberControl(QStringLiteral("patch_columns"), tr("Patches across"),
                                 tr("Into how many patches the image is cut from left to right; each is a "
                                    "token, and about square"),
                                 {1, double(most_offered_columns), true})) {
    name_->setObjectName(QStringLiteral("image_name"));
    name_->setTextFormat(Qt::RichText);
    name_->setWordWrap(true);
    describe(close_, QStringLiteral("close_image"), tr("Back to text"),
             tr("Takes the tokens from the text again; undo brings the image back"));
    close_->setText(QStringLiteral("×"));
    close_->setAutoRaise(true);
    describe(thumbnail_, QStringLiteral("image_thumbnail"), tr("The image and its patches"),
             tr("Every patch is a token, numbered by row and column; outlined is the selected one"));
    auto* label = new QLabel(tr("Pat&ches across"));
    label->setBuddy(columns_);
    label->setToolTip(columns_->toolTip());

    auto* head = new QHBoxLayout;
    head->addWidget(name_, 1);
    head->addWidget(close_, 0, Qt::AlignTop);
    auto* cut = new QHBoxLayout;
    cut->setSpacing(8);
    cut->addWidget(label);
    cut->addWidget(columns_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(thumbnail_);
    layout->addLayout(cut);

    connect(close_, &QToolButton::clicked, this,
            [this] { document_.edit(leave_image(document_.session())); });
    connect(columns_, &NumberControl::edited, this, [this](double value, int gesture) {
        document_.edit(cut_image(document_.session(), static_cast<Index>(value), gesture));
        refresh();
    });
    connect(&document_, &Document::session_changed, this, &ImageBox::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &ImageBox::refresh);
    refresh();
}

void ImageBox::refresh() {
    const Session& session = document_.session();
    const PatchedPicture& image = session.sequence.image;
    setVisible(bool(image));
    if (!image) {
        thumbnail_->show_picture({}, {});
        return;
    }
    const PatchGrid grid = image.grid();
    name_->setText(tr("Patches of <b>%1</b>, %2 × %3")
                       .arg(QString::fromStdString(session.sequence.image_name).toHtmlEscaped())
                       .arg(grid.rows)
                       .arg(grid.columns));
    const Selection& selection = session.view.selection;
    thumbnail_->show_picture(image, reads_image_alone(session) ? selection.query : selection.key);
    columns_->set_stops(offered_columns(*image.picture));
    columns_->set_value(double(image.columns));
}

}  // namespace headlight
