#pragma once

#include "ui/models/found_tokens.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace headlight {

/// The tokens of a sequence as chips that wrap like text, in the direction of their script. Unknown words are
/// marked. Clicking a chip, or walking over them with the arrow keys, chooses its token. Of a long text it
/// has the first ones and says how many more there are: a person reads it in the view.
class TokenStrip : public QWidget {
    Q_OBJECT
public:
    static constexpr int most_shown = 512;

    explicit TokenStrip(QWidget* parent = nullptr);

    /// `unknown` may be empty: every token is known. False when they are what is shown already.
    bool set_tokens(const QStringList& tokens, const std::vector<bool>& unknown);
    void set_selected(std::optional<int> token);
    /// Tokens that were searched for are underlined.
    void set_found(std::vector<TokenRange> found);
    const QStringList& tokens() const { return tokens_; }  ///< that have a chip
    QRect chip(int token) const { return chips_.at(static_cast<std::size_t>(token)); }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void token_chosen(int token);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool is_unknown(int token) const;
    /// " … and 31,000 more"
    QString more() const;
    /// The chips in a widget of that width, and their total height.
    int lay_out(int width, std::vector<QRect>& chips) const;
    std::optional<int> token_at(QPoint point) const;

    QStringList given_, tokens_;  ///< all of them, and those that have a chip
    std::vector<bool> unknown_;
    std::vector<QRect> chips_;
    std::optional<int> selected_;
    std::vector<TokenRange> found_;
    bool right_to_left_ = false;
};

}  // namespace headlight
