#pragma once

#include <QWidget>

#include <optional>

namespace headlight {

/// A part of a bar that is copied: hatched, so that nobody needs to tell two colours apart.
void fill_copied(QPainter& painter, const QRectF& bar, const QColor& colour);

/// Shows, for one decoding step of a pointer-generator, how probable it is that the word is generated from
/// the vocabulary, and how probable that it is copied from the source (See, Liu & Manning 2017, equation 8).
/// It is the legend of the candidates' bars as well: what is copied is hatched, so that nobody needs to tell
/// two colours apart.
class CopyBar : public QWidget {
    Q_OBJECT
public:
    explicit CopyBar(QWidget* parent = nullptr);

    /// p_gen; nothing to be seen where a model does not copy. Of a pointer network, which `points`, it is the
    /// probability of the end.
    void show_step(std::optional<double> generates, bool points = false);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString explanation() const;
    QString generated_text() const;
    QString copied_text() const;

    double generates_ = 1;
    bool points_ = false;
};

}  // namespace headlight
