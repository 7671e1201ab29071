/* Prints tables by libsmartcols, the only file that knows it. Decides nothing about what is in them. */
#include <stdlib.h>
#include <string.h>

#include <libsmartcols/libsmartcols.h>

#include <steer/cleanup.h>

#include "table.h"

enum { INDENT = 2, GAP = 2, LEAST_WRAPPED = 20 };

struct table {
	const struct pen *pen;
	struct libscols_table *scols;
	size_t ncolumns;
};

static void *or_end(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

struct table *table_new(const struct pen *pen, const struct column *columns, size_t n)
{
	struct table *table = alloc_zero(1, sizeof *table);
	static const int flags[] = {
		[COLUMN_LEFT] = 0, [COLUMN_RIGHT] = SCOLS_FL_RIGHT, [COLUMN_WRAP] = SCOLS_FL_WRAP
	};

	*table = (struct table){ .pen = pen, .scols = or_end(scols_new_table()), .ncolumns = n };
	for (size_t i = 0; i < n; i++)
		or_end(scols_table_new_column(table->scols, columns[i].title, 0, flags[columns[i].kind]));
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table);
}

void table_freep(struct table **table)
{
	table_free(*table);
	*table = NULL;
}

void table_row(struct table *table, enum ink ink, const char *const *cells)
{
	struct libscols_line *line = or_end(scols_table_new_line(table->scols, NULL));

	for (size_t i = 0; i < table->ncolumns; i++)
		if (cells[i] && scols_line_set_data(line, i, cells[i]) < 0)
			abort();
	if (ink_sequence(ink)) {
		CLEANUP(free_string) char *sequence = text_format("\033[%sm", ink_sequence(ink));

		if (scols_line_set_color(line, sequence) < 0)
			abort();
	}
}

static void hide_empty_columns(struct table *table)
{
	for (size_t i = 0; i < table->ncolumns; i++) {
		bool empty = true;

		for (size_t k = 0; k < scols_table_get_nlines(table->scols) && empty; k++) {
			const char *cell = scols_line_get_column_data(scols_table_get_line(table->scols, k),
								      scols_table_get_column(table->scols, i));

			empty = !cell || !*cell;
		}
		if (empty)
			scols_column_set_flags(scols_table_get_column(table->scols, i), SCOLS_FL_HIDDEN);
	}
}

static unsigned column_columns(struct table *table, size_t column)
{
	const char *title = scols_column_get_name(scols_table_get_column(table->scols, column));
	unsigned most = title ? text_columns(title) : 0;

	for (size_t i = 0; i < scols_table_get_nlines(table->scols); i++) {
		const char *cell = scols_line_get_column_data(scols_table_get_line(table->scols, i),
							      scols_table_get_column(table->scols, column));

		if (cell && text_columns(cell) > most)
			most = text_columns(cell);
	}
	return most;
}

/* Breaks the cells of a column between words, so that no line of them is wider than `columns`. */
static void break_cells(struct table *table, size_t column, unsigned columns)
{
	struct libscols_column *wrapped = scols_table_get_column(table->scols, column);

	for (size_t i = 0; i < scols_table_get_nlines(table->scols); i++) {
		struct libscols_line *line = scols_table_get_line(table->scols, i);
		const char *cell = scols_line_get_column_data(line, wrapped);
		CLEANUP(free_string) char *broken = cell ? text_break(cell, columns) : NULL;

		if (broken && scols_line_set_column_data(line, wrapped, broken) < 0)
			abort();
	}
	scols_column_set_wrapfunc(wrapped, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
	scols_column_set_safechars(wrapped, "\n");
}

/* Gives the wrapping column (at most one) what the others leave of the width. */
static void fit(struct table *table, unsigned width)
{
	unsigned others = 0;
	size_t wrapped = table->ncolumns;

	for (size_t i = 0; i < table->ncolumns; i++) {
		struct libscols_column *column = scols_table_get_column(table->scols, i);

		if (scols_column_is_wrap(column))
			wrapped = i;
		else if (!scols_column_is_hidden(column))
			others += column_columns(table, i) + GAP;
	}
	if (wrapped < table->ncolumns && others + column_columns(table, wrapped) > width)
		break_cells(table, wrapped, width > others + LEAST_WRAPPED ? width - others : LEAST_WRAPPED);
}

void table_print(struct table *table)
{
	CLEANUP(free_string) char *text = NULL;
	CLEANUP(strings_clear) struct strings lines = { 0 };

	if (scols_table_get_nlines(table->scols) == 0)
		return;
	hide_empty_columns(table);
	scols_table_set_column_separator(table->scols, "  ");
	scols_table_enable_colors(table->scols, table->pen->colour);
	scols_table_set_termforce(table->scols, SCOLS_TERMFORCE_NEVER);
	if (table->pen->width > INDENT)
		fit(table, table->pen->width - INDENT);
	if (scols_print_table_to_string(table->scols, &text) < 0)
		abort();
	strings_split(&lines, text, "\n");
	for (size_t i = 0; i < lines.n; i++) {
		size_t length = strlen(lines.items[i]);

		while (length && lines.items[i][length - 1] == ' ')
			length--;
		fprintf(table->pen->out, "%*s%.*s\n", INDENT, "", (int)length, lines.items[i]);
	}
}
