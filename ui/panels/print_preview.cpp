#include "ui/panels/print_preview.h"

#include "ui/render/paint_context.h"
#include "ui/render/painter.h"
#include "ui/views/inside_qt.h"

#include <QAction>
#include <QPainter>
#include <QPrintPreviewDialog>
#include <QPrinter>

#include <algorithm>

namespace headlight {

void print_figure(const Figure& figure, QPrinter& printer) {
    QPainter painter(&printer);
    if (!painter.isActive())  // no room for the file, or a printer that is gone: Qt has said so
        return;
    const QSizeF page = printer.pageLayout().paintRect(QPageLayout::Point).size(),
                 size = natural_size(figure);
    const double scale = std::min({2.0, page.width() / size.width(), page.height() / size.height()});
    const double pixels = printer.resolution() / 72.0;
    painter.scale(pixels, pixels);
    painter.translate(0.5 * (page.width() - scale * size.width()),
                      0.5 * (page.height() - scale * size.height()));
    painter.scale(scale, scale);
    painter.setRenderHint(QPainter::Antialiasing);
    // As into a file: a page has a hundred million pixels, and an image as fine as that would hold up the
    // window.
    paint_figure(painter, figure, layout_figure(figure, QRectF(QPointF(), size), 1), 1,
                 {.cells = CellDrawing::one_image});
}

void preview_print(const std::shared_ptr<const Figure>& figure, QWidget* parent) {
    const auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    const QSizeF size = natural_size(*figure);
    printer->setPageOrientation(size.width() > size.height() ? QPageLayout::Landscape
                                                             : QPageLayout::Portrait);
    printer->setDocName(QString::fromStdString(figure->title));
    auto* dialog = new QPrintPreviewDialog(printer.get(), parent, Qt::Window);
    dialog->setObjectName(QStringLiteral("print_preview"));
    dialog->setWindowTitle(QPrintPreviewDialog::tr("Print the figure"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->resize(900, 700);
    // Where there is no printer it writes a PDF, and the dialog of a printer's paper would not open.
    if (printer->outputFormat() != QPrinter::NativeFormat)
        for (QAction* action : actions_inside(*dialog))
            if (action->text() == QPrintPreviewDialog::tr("Page setup"))
                action->setVisible(false);
    QObject::connect(dialog, &QPrintPreviewDialog::paintRequested, dialog,
                     [figure](QPrinter* onto) { print_figure(*figure, *onto); });
    QObject::connect(dialog, &QObject::destroyed,
                     [printer] {});  // it draws onto the printer as long as it lives
    dialog->open();
}

}  // namespace headlight
