/* Tables for people. Hides libsmartcols. */
#pragma once

#include "pen.h"

struct table;

struct column {
	const char *title;
	enum { COLUMN_LEFT, COLUMN_RIGHT, COLUMN_WRAP } kind; /* wrap: gives way when the table is too wide */
};

struct table *table_new(const struct pen *pen, const struct column *columns, size_t n);
void table_free(struct table *table);
void table_freep(struct table **table); /* for CLEANUP */

/* A row of as many cells as there are columns; the cells are copied, NULL is an empty one. */
void table_row(struct table *table, enum ink ink, const char *const *cells);

/* Prints it, indented by two. Columns in which every cell is empty are left out. Nothing for a table without rows. */
void table_print(struct table *table);
