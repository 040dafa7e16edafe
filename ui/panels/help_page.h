#pragma once

class QDialog;
class QString;
class QWidget;

namespace headlight {

/// A page to read, in a dialog over `window` that is gone once it is closed.
QDialog* make_help_page(const QString& title, const QString& html, QWidget* window);

/// Every key that is in force.
QDialog* make_keys_page(QWidget* window);
/// What the program is.
QDialog* make_about_page(QWidget* window);

}  // namespace headlight
