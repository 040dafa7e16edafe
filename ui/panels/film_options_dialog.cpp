#include "ui/panels/film_options_dialog.h"

#include "ui/views/describe.h"
#include "ui/views/plain_number_box.h"
#include "ui/views/save_path.h"
#include "ui/views/whole_number_box.h"
#include "ui/views/word_at_minimum.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {

FilmOptionsDialog::FilmOptionsDialog(const FilmOptions& options, Of of, QWidget* parent)
    : QDialog(parent), width_(new WholeNumberBox), seconds_(new PlainNumberBox),
      shows_loss_(new QCheckBox(tr("With the l&oss curve"))) {
    setObjectName(QStringLiteral("film_options"));
    setWindowTitle(tr("Export the film"));
    describe(width_, QStringLiteral("film_width"), tr("Width"),
             tr("Of every picture, in pixels; labels and lines grow with it"));
    // One below the least stands for no choice.
    width_->setRange(least_film_width - 1, largest_film_width);
    show_word_at_minimum(*width_, tr("comfortable to read"));
    width_->setSuffix(tr(" px"));
    width_->setSingleStep(80);
    width_->setValue(options.width.value_or(0));
    describe(seconds_, QStringLiteral("film_seconds"), tr("Length"),
             tr("Of an animated picture, in seconds: a longer one is slower"));
    seconds_->setRange(0, longest_film_seconds);
    show_word_at_minimum(*seconds_, of == Of::motion ? tr("as in the window") : tr("about ten seconds"));
    seconds_->setSuffix(tr(" s"));
    seconds_->setValue(options.seconds.value_or(0));
    describe(shows_loss_, QStringLiteral("film_loss"), tr("With the loss curve"),
             tr("Beside the map, or under several, the loss up to the step of each picture"));
    shows_loss_->setChecked(options.shows_loss);
    auto* form = new QFormLayout;
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Length"), seconds_);
    form->addRow(shows_loss_);
    form->setRowVisible(shows_loss_, of == Of::training);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("&Choose the file…"));
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

FilmOptions FilmOptionsDialog::options() const {
    FilmOptions options;
    if (width_->value() >= least_film_width)
        options.width = width_->value();
    if (seconds_->value() > 0)
        options.seconds = std::max(seconds_->value(), least_film_seconds);
    options.shows_loss = shows_loss_->isChecked();
    return options;
}

std::optional<QString> ask_film_file(FilmOptions& options, FilmOptionsDialog::Of of, QWidget* parent) {
    FilmOptionsDialog asked(options, of, parent);
    if (asked.exec() != QDialog::Accepted)
        return std::nullopt;
    options = asked.options();
    QStringList types;
    for (const FilmFormat& format : film_formats())
        types << QStringLiteral("%1 (*%2)")
                     .arg(FilmOptionsDialog::tr(format.title), QLatin1String(format.extension));
    QString type = types.constFirst();
    const QString name = QFileDialog::getSaveFileName(parent, FilmOptionsDialog::tr("Export the film"),
                                                      pictures_folder() + QStringLiteral("/film.gif"),
                                                      types.join(QStringLiteral(";;")), &type);
    if (name.isEmpty())
        return std::nullopt;
    const auto chosen = static_cast<std::size_t>(std::max<qsizetype>(0, types.indexOf(type)));
    const std::filesystem::path path = film_path(name.toStdString(), film_formats()[chosen].extension);
    // The file dialog has asked about the name that was typed alone.
    const QString place = QString::fromStdString(film_place(path).string());
    if (place != name && !may_replace(parent, place))
        return std::nullopt;
    return QString::fromStdString(path.string());
}

}  // namespace headlight
