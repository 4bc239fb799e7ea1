/* Plots with logarithmic axes as SVG, to stand in a page. */
#ifndef WHET_BATCH_PLOT_H
#define WHET_BATCH_PLOT_H

#include "base/text.h"
#include "base/vector.h"

typedef struct plot_point {
  double x, y;
  const char *label;
  const char *look; /* a class of the page: good, bad, open */
} plot_point;

typedef struct plot_series {
  const char *name;
  VECTOR(plot_point) points;
} plot_series;

typedef struct plot {
  const char *title, *x_title, *y_title;
  bool x_is_linear;  /* counts from 0; else logarithmic */
  bool has_lines;    /* between the points of a series */
  bool has_diagonal; /* where x = y */
  VECTOR(plot_series) series;
} plot;

void plot_add(text *out, const plot *p);
void plot_clear(plot *p);
/* `string` in text or in an attribute of HTML. */
void html_add(text *out, const char *string);

#endif
