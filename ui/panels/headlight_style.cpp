#include "ui/panels/headlight_style.h"

#include "ui/panels/recoloured_palette.h"
#include "ui/panels/struck_out.h"
#include "ui/panels/style_bars.h"
#include "ui/panels/style_buttons.h"
#include "ui/panels/style_frames.h"
#include "ui/panels/takes_text.h"
#include "ui/views/role.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace headlight {
namespace {

constexpr QMargins padding_of_way{9, 7, 9, 7};
constexpr double radius_of_focus = 3;
constexpr int edge_of_on = 2;  ///< pixels, as paint_button_ground() draws it

/// It was given the keys by keys: who clicks sees where.
bool shows_focus(const QStyleOption& option) {
    constexpr QStyle::State by_keys = QStyle::State_HasFocus | QStyle::State_KeyboardFocusChange;
    return (option.state & by_keys) == by_keys;
}

/// The palette with which Fusion draws edges in a colour: it has them a little darker than the window, which
/// on a dark window is nothing.
QPalette outlined(const QPalette& palette, const QColor& edge) {
    constexpr int fusion_darkens = 140;
    return recoloured(palette, QPalette::Window, edge.lighter(fusion_darkens));
}

/// Fusion marks what has the keys in a pale colour: it paints as if nothing had.
template <class Option>
Option without_focus(const Option& option) {
    Option plain(option);
    plain.state &= ~QStyle::State_HasFocus;
    return plain;
}

bool has_edge(QStyle::PrimitiveElement element) {
    return element == QStyle::PE_Frame || element == QStyle::PE_FrameLineEdit ||
           element == QStyle::PE_FrameMenu || element == QStyle::PE_PanelButtonCommand;
}

}  // namespace

HeadlightStyle::HeadlightStyle() : QProxyStyle(QStringLiteral("fusion")) {}

void HeadlightStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QScrollBar*>(widget))
        widget->setAttribute(Qt::WA_OpaquePaintEvent, false);  // what lies under it is seen beside its thumb
    // Tooltips and message boxes, too: "<s>" is a token, and no label strikes out what comes after it.
    // Whoever writes HTML says so.
    if (auto* label = qobject_cast<QLabel*>(widget); label && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
}

// Painting

void HeadlightStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const {
    const bool is_of_a_list = option->state.testFlag(State_Item);  // whose rows have a ground instead
    if (element == PE_FrameFocusRect && !is_of_a_list) {
        if (option->state.testFlag(State_KeyboardFocusChange))
            paint_focus(*painter, option->rect, radius_of_focus, option->palette);
        return;
    }
    if (element == PE_IndicatorDockWidgetResizeHandle)
        return painter->fillRect(option->rect, theme_.thumb);
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton)
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            return draw_check(element, *button, painter, widget);
    if (has_edge(element)) {
        draw_edged(element, *option, painter, widget);
        if (element == PE_FrameLineEdit && shows_focus(*option))
            paint_focus(*painter, option->rect, radius_of_focus, option->palette);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void HeadlightStyle::draw_edged(PrimitiveElement element, const QStyleOption& option, QPainter* painter,
                                const QWidget* widget) const {
    const bool is_field = element == PE_FrameLineEdit || (element == PE_Frame && takes_text(widget));
    const auto draw = [&](auto with_edge) {
        with_edge.palette = edged(with_edge, is_field);
        QProxyStyle::drawPrimitive(element, &with_edge, painter, widget);
    };
    if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(&option))
        draw(*frame);
    else if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option))
        draw(*button);
    else
        draw(option);
    if (is_struck_out(option))
        paint_dashed_edge(*painter, option.rect, theme_.edge);
}

bool HeadlightStyle::is_struck_out(const QStyleOption& option) const {
    return theme_.edge.isValid() && !option.state.testFlag(State_Enabled);
}

void HeadlightStyle::drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette,
                                  bool enabled, const QString& text, QPalette::ColorRole role) const {
    const QFont before = painter->font();
    if (!enabled && theme_.edge.isValid())
        painter->setFont(struck_out(before));
    QProxyStyle::drawItemText(painter, rect, flags, palette, enabled, text, role);
    painter->setFont(before);
}

QPalette HeadlightStyle::edged(const QStyleOption& option, bool is_field) const {
    if (is_struck_out(option))
        return outlined(option.palette, option.palette.color(QPalette::Window));
    const QColor& edge = is_field && option.state.testFlag(State_Enabled) ? theme_.field_edge : theme_.edge;
    return edge.isValid() ? outlined(option.palette, edge) : option.palette;
}

void HeadlightStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    switch (element) {
    case CE_ToolBar:
        return;  // lies on what is under it
    case CE_ShapedFrame:
        if (const Role role = role_of(widget); has_frame(role))
            return paint_frame(*painter, option->rect, role, theme_);
        break;
    case CE_Splitter:
        return paint_splitter(*painter, *option);
    case CE_ComboBoxLabel:
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
            return draw_combo_label(*combo, painter, widget);
        break;
    case CE_PushButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            button && role_of(widget) == Role::way)
            return draw_way(*button, painter, widget);
        QProxyStyle::drawControl(element, option, painter, widget);
        if (shows_focus(*option))
            paint_focus(*painter, option->rect, radius_of_focus, option->palette);
        return;
    case CE_CheckBox:
    case CE_RadioButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
            return draw_checkable(element, *button, painter, widget);
        break;
    case CE_ProgressBar:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            QStyleOptionProgressBar quiet(*bar);
            quiet.palette = recoloured(quiet.palette, QPalette::Highlight, theme_.thumb);
            return QProxyStyle::drawControl(element, &quiet, painter, widget);
        }
        break;
    case CE_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            item && is_struck_out(*item)) {
            const QStyleOptionMenuItem struck = struck_out(*item);
            return QProxyStyle::drawControl(element, &struck, painter, widget);
        }
        break;
    case CE_ItemViewItem:  // a heading is off, too, but is nothing that could be chosen elsewhere
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
            item && is_struck_out(*item) && item->index.flags().testFlag(Qt::ItemIsSelectable)) {
            const QStyleOptionViewItem struck = struck_out(*item);
            return QProxyStyle::drawControl(element, &struck, painter, widget);
        }
        break;
    case CE_TabBarTabShape:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            return paint_tab_shape(*painter, *tab);
        break;
    case CE_TabBarTabLabel:
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            const QStyleOptionTab label = without_focus(tab_label(*tab, theme_.thumb));
            QProxyStyle::drawControl(element, &label, painter, widget);
            if (shows_focus(*tab))
                paint_focus(*painter, label.rect.adjusted(1, 1, -1, -1), radius_of_focus, tab->palette);
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void HeadlightStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                        QPainter* painter, const QWidget* widget) const {
    if (control == CC_ToolButton) {
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
            return draw_tool_button(*button, painter, widget);
    } else if (control == CC_GroupBox) {
        if (const auto* group = qstyleoption_cast<const QStyleOptionGroupBox*>(option)) {
            const QStyleOptionGroupBox plain = without_focus(*group);
            QProxyStyle::drawComplexControl(control, &plain, painter, widget);
            if (shows_focus(*group))
                paint_focus(*painter,
                            subControlRect(control, group, SC_GroupBoxLabel, widget).adjusted(-3, -1, 3, 1),
                            radius_of_focus, group->palette);
            return;
        }
    } else if (control == CC_ComboBox || control == CC_SpinBox) {
        const auto draw = [&](auto with_edge) {
            with_edge.palette = edged(with_edge, true);
            QProxyStyle::drawComplexControl(control, &with_edge, painter, widget);
        };
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
            draw(*combo);
        else if (const auto* number = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            draw(*number);
        if (is_struck_out(*option))
            paint_dashed_edge(*painter, option->rect, theme_.edge);
        if (shows_focus(*option))
            paint_focus(*painter, option->rect, radius_of_focus, option->palette);
        return;
    } else if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
        if (control == CC_ScrollBar)
            return paint_scroll_bar(*painter, scroll_bar_part(*slider, SC_ScrollBarSlider), theme_.thumb);
        if (control == CC_Slider)
            return draw_slider(*slider, painter, widget);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void HeadlightStyle::draw_check(PrimitiveElement element, const QStyleOptionButton& button, QPainter* painter,
                                const QWidget* widget) const {
    QStyleOptionButton framed(button);
    framed.palette = outlined(button.palette, button.palette.color(QPalette::PlaceholderText));
    QProxyStyle::drawPrimitive(element, &framed, painter, widget);
}

void HeadlightStyle::draw_checkable(ControlElement element, const QStyleOptionButton& button,
                                    QPainter* painter, const QWidget* widget) const {
    const QStyleOptionButton plain = without_focus(button);
    QProxyStyle::drawControl(element, &plain, painter, widget);
    if (!shows_focus(button))
        return;
    const QRect words = subElementRect(element == CE_CheckBox ? SE_CheckBoxContents : SE_RadioButtonContents,
                                       &button, widget);
    const int alignment =
        visualAlignment(button.direction, Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextShowMnemonic;
    const QRect around = button.text.isEmpty()
                             ? button.rect
                             : itemTextRect(button.fontMetrics, words, alignment, true, button.text)
                                   .adjusted(-3, -2, 3, 2)
                                   .intersected(button.rect);
    paint_focus(*painter, around, radius_of_focus, button.palette);
}

void HeadlightStyle::draw_slider(const QStyleOptionSlider& slider, QPainter* painter,
                                 const QWidget* widget) const {
    const QColor line = slider.palette.color(slider.state.testFlag(State_Enabled) ? QPalette::PlaceholderText
                                                                                  : QPalette::Mid);
    if (slider.subControls.testFlag(SC_SliderTickmarks)) {
        QStyleOptionSlider ticks(slider);
        ticks.subControls = SC_SliderTickmarks;
        ticks.palette = outlined(slider.palette, line);
        QProxyStyle::drawComplexControl(CC_Slider, &ticks, painter, widget);
    }
    const SliderParts parts{.groove = subControlRect(CC_Slider, &slider, SC_SliderGroove, widget),
                            .handle = subControlRect(CC_Slider, &slider, SC_SliderHandle, widget)};
    paint_slider(*painter, slider, parts, {.line = line, .fill = theme_.thumb});
    if (shows_focus(slider))
        paint_focus(*painter, slider.rect, radius_of_focus, slider.palette);
}

void HeadlightStyle::draw_combo_label(const QStyleOptionComboBox& combo, QPainter* painter,
                                      const QWidget* widget) const {
    QStyleOptionComboBox ended(combo);
    const int icon = combo.currentIcon.isNull() ? 0 : combo.iconSize.width() + 4;
    const int room = subControlRect(CC_ComboBox, &combo, SC_ComboBoxEditField, widget).width() - icon;
    ended.currentText = combo.fontMetrics.elidedText(combo.currentText, Qt::ElideRight, room);
    QProxyStyle::drawControl(CE_ComboBoxLabel, &ended, painter, widget);
}

void HeadlightStyle::draw_tool_button(const QStyleOptionToolButton& button, QPainter* painter,
                                      const QWidget* widget) const {
    const std::optional<ButtonLook> look = button_look(widget);
    if (!look) {
        const QStyleOptionToolButton plain = without_focus(button);
        QProxyStyle::drawComplexControl(CC_ToolButton, &plain, painter, widget);
        if (shows_focus(button))
            paint_focus(*painter, button.rect, radius_of_focus, button.palette);
        return;
    }
    paint_button_ground(*painter, button, *look, theme_);
    if (shows_focus(button)) {
        // Within the edge of a button that is on, which is as light as the frame.
        const bool has_edge =
            look->line != ButtonLook::Line::below_checked && button.state.testFlag(State_On);
        const int inside = has_edge ? edge_of_on + 1 : 0;
        paint_focus(*painter, button.rect.adjusted(inside, inside, -inside, -inside),
                    std::max(radius_of_focus, look->radius - inside), button.palette);
    }
    QStyleOptionToolButton label = button_label(button, *look);
    drawControl(CE_ToolButtonLabel, &label, painter, widget);
    if (look->arrow && button.features.testFlag(QStyleOptionToolButton::HasMenu)) {
        label.rect = button_arrow(button.rect);
        drawPrimitive(PE_IndicatorArrowDown, &label, painter, widget);
    }
}

void HeadlightStyle::draw_way(const QStyleOptionButton& button, QPainter* painter,
                              const QWidget* widget) const {
    constexpr double radius = 4;
    if (is_in_hand(button))
        paint_ground(*painter, button.rect, radius, theme_.faint, {});
    if (shows_focus(button))
        paint_focus(*painter, button.rect, radius, button.palette);
    const int words = Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic;
    drawItemText(painter, button.rect.marginsRemoved(padding_of_way), words, button.palette,
                 button.state.testFlag(State_Enabled), button.text, QPalette::ButtonText);
    if (button.features.testFlag(QStyleOptionButton::HasMenu)) {
        QStyleOption arrow(button);
        arrow.rect = button_arrow(button.rect);
        drawPrimitive(PE_IndicatorArrowDown, &arrow, painter, widget);
    }
}

// Places and sizes

QRect HeadlightStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                     SubControl part, const QWidget* widget) const {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        bar && control == CC_ScrollBar)
        return scroll_bar_part(*bar, part);
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect HeadlightStyle::subElementRect(SubElement element, const QStyleOption* option,
                                     const QWidget* widget) const {
    if (element == SE_ShapedFrameContents)
        if (const Role role = role_of(widget); has_frame(role))
            return option->rect.marginsRemoved(frame_margins(role));
    if (element == SE_TabWidgetLeftCorner || element == SE_TabWidgetRightCorner)  // level with the titles
        return QProxyStyle::subElementRect(element, option, widget).translated(0, -tab_underline);
    return QProxyStyle::subElementRect(element, option, widget);
}

QSize HeadlightStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                       const QWidget* widget) const {
    if (type == CT_TabBarTab)
        return size;
    if (type == CT_ToolButton)
        if (const std::optional<ButtonLook> look = button_look(widget)) {
            const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
            const bool has_arrow =
                look->arrow && button && button->features.testFlag(QStyleOptionToolButton::HasMenu);
            return size.grownBy(look->padding) + QSize(has_arrow ? arrow_side : 0, 0);
        }
    if (type == CT_PushButton && role_of(widget) == Role::way)
        return size.grownBy(padding_of_way);
    return QProxyStyle::sizeFromContents(type, option, size, widget);
}

int HeadlightStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return scroll_bar_width;
    case PM_ScrollBarSliderMin:
        return shortest_thumb;
    case PM_ToolBarFrameWidth:
    case PM_ToolBarItemMargin:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
        return 0;
    case PM_ToolBarItemSpacing:
        return 2;
    case PM_DockWidgetSeparatorExtent:
        return 1;
    case PM_TabBarTabHSpace:
        return tab_padding(widget).width();
    case PM_TabBarTabVSpace:
        return tab_padding(widget).height();
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int HeadlightStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* more) const {
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0
                                                       : QProxyStyle::styleHint(hint, option, widget, more);
}

}  // namespace headlight
