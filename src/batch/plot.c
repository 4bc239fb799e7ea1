/* Axes, ticks at powers of ten (or at round counts), points with their names as titles. */
#include "batch/plot.h"

#include <math.h>

enum { WIDTH = 560, HEIGHT = 380, LEFT = 62, RIGHT = 14, TOP = 26, BOTTOM = 44, COLOURS = 6, LINE = 16 };

typedef struct axis {
  double low, high; /* as drawn: logarithms unless it is linear */
  bool is_linear;
} axis;

void html_add(text *out, const char *string) {
  for (const char *c = string; *c; c++) switch (*c) {
      case '&': text_add(out, "&amp;"); break;
      case '<': text_add(out, "&lt;"); break;
      case '>': text_add(out, "&gt;"); break;
      case '"': text_add(out, "&quot;"); break;
      default: text_add_char(out, (unsigned char)*c < ' ' && *c != '\n' ? ' ' : *c);
    }
}

static double drawn(const axis *a, double value) { return a->is_linear ? value : log10(value); }

static void widen_axis(axis *a, double value) {
  double v = drawn(a, value);
  if (v < a->low) a->low = v;
  if (v > a->high) a->high = v;
}

/* Whole powers of ten, at least one apart. */
static void round_axis(axis *a) {
  if (a->low > a->high) a->low = a->high = 0;
  a->low = floor(a->low);
  a->high = ceil(a->high);
  if (a->high - a->low < 1) a->high = a->low + 1;
}

static axis axis_of(const plot *p, bool is_x) {
  axis a = {INFINITY, -INFINITY, is_x && p->x_is_linear};
  if (a.is_linear) a.low = 0;
  for (size_t i = 0; i < p->series.count; i++)
    for (size_t j = 0; j < p->series.at[i].points.count; j++) {
      const plot_point *at = &p->series.at[i].points.at[j];
      widen_axis(&a, is_x ? at->x : at->y);
      if (p->has_diagonal) widen_axis(&a, is_x ? at->y : at->x);
    }
  round_axis(&a);
  return a;
}

static double x_of(const axis *a, double value) {
  return LEFT + (drawn(a, value) - a->low) / (a->high - a->low) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const axis *a, double value) {
  return HEIGHT - BOTTOM - (drawn(a, value) - a->low) / (a->high - a->low) * (HEIGHT - TOP - BOTTOM);
}

static double step_of(const axis *a) {
  double step = 1;
  while (a->is_linear && (a->high - a->low) / step > 8) step *= step == 1 || log10(step) == floor(log10(step)) ? 5 : 2;
  return step;
}

static void add_x_axis(text *out, const axis *a, const char *title) {
  double step = step_of(a);
  for (double at = a->low; at <= a->high; at += step) {
    double value = a->is_linear ? at : pow(10, at), x = x_of(a, value);
    text_add(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP, HEIGHT - BOTTOM);
    text_add(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>", x, HEIGHT - BOTTOM + LINE, value);
  }
  text_add(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
  html_add(out, title);
  text_add(out, "</text>");
}

static void add_y_axis(text *out, const axis *a, const char *title) {
  for (double at = a->low; at <= a->high; at++) {
    double value = pow(10, at), y = y_of(a, value);
    text_add(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y);
    text_add(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>", LEFT - 6, y + 4, value);
  }
  text_add(out, "<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
           (TOP + HEIGHT - BOTTOM) / 2);
  html_add(out, title);
  text_add(out, "</text>");
}

static void add_line(text *out, const plot_series *s, size_t colour, const axis *x, const axis *y) {
  text_add(out, "<polyline class=\"c%zu\" points=\"", colour);
  for (size_t i = 0; i < s->points.count; i++)
    text_add(out, "%.1f,%.1f ", x_of(x, s->points.at[i].x), y_of(y, s->points.at[i].y));
  text_add(out, "\"/>");
}

static void add_points(text *out, const plot_series *s, size_t colour, bool is_coloured, const axis *x, const axis *y) {
  for (size_t i = 0; i < s->points.count; i++) {
    const plot_point *at = &s->points.at[i];
    text_add(out, "<circle r=\"3\" cx=\"%.1f\" cy=\"%.1f\" class=\"", x_of(x, at->x), y_of(y, at->y));
    if (is_coloured)
      text_add(out, "c%zu", colour);
    else
      text_add(out, "%s", at->look);
    text_add(out, "\"><title>");
    html_add(out, at->label);
    text_add(out, "</title></circle>");
  }
}

void plot_add(text *out, const plot *p) {
  axis x = axis_of(p, true), y = axis_of(p, false);
  text_add(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\"><text class=\"title\" x=\"%d\" y=\"16\">", WIDTH, HEIGHT,
           LEFT);
  html_add(out, p->title);
  text_add(out, "</text>");
  add_x_axis(out, &x, p->x_title);
  add_y_axis(out, &y, p->y_title);
  if (p->has_diagonal)
    text_add(out, "<line class=\"diagonal\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", LEFT, HEIGHT - BOTTOM,
             WIDTH - RIGHT, TOP);
  for (size_t i = 0; i < p->series.count; i++) {
    const plot_series *s = &p->series.at[i];
    if (p->has_lines) add_line(out, s, i % COLOURS, &x, &y);
    add_points(out, s, i % COLOURS, p->has_lines, &x, &y);
    if (p->series.count < 2) continue;
    text_add(out, "<text class=\"c%zu\" x=\"%d\" y=\"%zu\">", i % COLOURS, LEFT + 8, (size_t)TOP + LINE * (i + 1));
    html_add(out, s->name);
    text_add(out, "</text>");
  }
  text_add(out, "</svg>\n");
}

void plot_clear(plot *p) {
  for (size_t i = 0; i < p->series.count; i++) VECTOR_FREE(p->series.at[i].points);
  VECTOR_FREE(p->series);
}
