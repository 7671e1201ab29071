/* CPU sets over hwloc bitmaps, and the kernel's two texts for them. Knows no topology. */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hwloc/bitmap.h>

#include <steer/cleanup.h>
#include <steer/cpuset.h>

static void need(int failed)
{
	if (failed) {
		fputs("steerd: out of memory\n", stderr);
		abort();
	}
}

cpuset *cpuset_new(void)
{
	cpuset *set = hwloc_bitmap_alloc();

	need(!set);
	return set;
}

cpuset *cpuset_dup(const cpuset *set)
{
	cpuset *copy = set ? hwloc_bitmap_dup(set) : NULL;

	need(set && !copy);
	return copy;
}

cpuset *cpuset_one(unsigned cpu)
{
	cpuset *set = cpuset_new();

	cpuset_add(set, cpu);
	return set;
}

void cpuset_free(cpuset *set)
{
	if (set)
		hwloc_bitmap_free(set);
}

void cpuset_freep(cpuset **set)
{
	cpuset_free(*set);
	*set = NULL;
}

void cpuset_add(cpuset *set, unsigned cpu)
{
	need(hwloc_bitmap_set(set, cpu));
}

void cpuset_drop(cpuset *set, unsigned cpu)
{
	need(hwloc_bitmap_clr(set, cpu));
}

void cpuset_add_all(cpuset *set, const cpuset *other)
{
	if (other)
		need(hwloc_bitmap_or(set, set, other));
}

void cpuset_keep(cpuset *set, const cpuset *other)
{
	if (other)
		need(hwloc_bitmap_and(set, set, other));
	else
		hwloc_bitmap_zero(set);
}

void cpuset_drop_all(cpuset *set, const cpuset *other)
{
	if (other)
		need(hwloc_bitmap_andnot(set, set, other));
}

bool cpuset_has(const cpuset *set, unsigned cpu)
{
	return set && hwloc_bitmap_isset(set, cpu);
}

bool cpuset_empty(const cpuset *set)
{
	return !set || hwloc_bitmap_iszero(set);
}

bool cpuset_equal(const cpuset *a, const cpuset *b)
{
	if (!a || !b)
		return cpuset_empty(a) && cpuset_empty(b);
	return hwloc_bitmap_isequal(a, b);
}

bool cpuset_within(const cpuset *part, const cpuset *whole)
{
	if (!part || !whole)
		return cpuset_empty(part);
	return hwloc_bitmap_isincluded(part, whole);
}

bool cpuset_overlap(const cpuset *a, const cpuset *b)
{
	return a && b && hwloc_bitmap_intersects(a, b);
}

unsigned cpuset_count(const cpuset *set)
{
	return set ? (unsigned)hwloc_bitmap_weight(set) : 0;
}

int cpuset_first(const cpuset *set)
{
	return set ? hwloc_bitmap_first(set) : -1;
}

int cpuset_next(const cpuset *set, int before)
{
	return set ? hwloc_bitmap_next(set, before) : -1;
}

int cpuset_last(const cpuset *set)
{
	return set ? hwloc_bitmap_last(set) : -1;
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

/* Reads decimal digits at *at and moves behind them. */
static int read_id(const char **at, unsigned *ret)
{
	unsigned value = 0;

	if (!isdigit((unsigned char)**at))
		return -EINVAL;
	for (; isdigit((unsigned char)**at); (*at)++) {
		value = value * 10 + (unsigned)(**at - '0');
		if (value >= CPUSET_MAX)
			return -ERANGE;
	}
	*ret = value;
	return 0;
}

/* Reads what may follow a range: ":USED/GROUP". */
static int read_stride(const char **at, unsigned *ret_used, unsigned *ret_group)
{
	int r;

	if (**at != ':')
		return 0;
	(*at)++;
	if ((r = read_id(at, ret_used)) < 0)
		return r;
	if (**at != '/')
		return -EINVAL;
	(*at)++;
	if ((r = read_id(at, ret_group)) < 0)
		return r;
	return *ret_used == 0 || *ret_group == 0 || *ret_used > *ret_group ? -EINVAL : 0;
}

static int read_range(const char **at, cpuset *into)
{
	unsigned first, last, used = 1, group = 1;
	int r;

	if ((r = read_id(at, &first)) < 0)
		return r;
	last = first;
	if (**at == '-') {
		(*at)++;
		if ((r = read_id(at, &last)) < 0)
			return r;
		if (last < first)
			return -EINVAL;
		if ((r = read_stride(at, &used, &group)) < 0)
			return r;
	}
	for (unsigned cpu = first; cpu <= last; cpu++)
		if ((cpu - first) % group < used)
			cpuset_add(into, cpu);
	return 0;
}

int cpuset_parse_list(const char *text, cpuset **ret)
{
	CLEANUP(cpuset_freep) cpuset *set = cpuset_new();
	const char *at = text;
	int r;

	while (isspace((unsigned char)*at))
		at++;
	while (*at && !isspace((unsigned char)*at)) {
		if ((r = read_range(&at, set)) < 0)
			return r;
		if (*at != ',')
			break;
		at++;
		if (!isdigit((unsigned char)*at))
			return -EINVAL;
	}
	while (isspace((unsigned char)*at))
		at++;
	if (*at)
		return -EINVAL;
	*ret = TAKE(set);
	return 0;
}

/* Groups are read from the right: the last one holds CPUs 0-31. */
int cpuset_parse_mask(const char *text, cpuset **ret)
{
	CLEANUP(cpuset_freep) cpuset *set = cpuset_new();
	size_t start = strspn(text, " \t\n"), end = strlen(text);
	unsigned bit = 0, in_group = 0;

	while (end > start && isspace((unsigned char)text[end - 1]))
		end--;
	if (end - start > 2 && text[start] == '0' && (text[start + 1] | 0x20) == 'x')
		start += 2;
	if (end == start)
		return -EINVAL;
	for (size_t i = end; i-- > start;) {
		static const char digits[] = "0123456789abcdef";
		const char *digit = text[i] ? strchr(digits, tolower((unsigned char)text[i])) : NULL;

		if (text[i] == ',' && in_group && i > start) {
			bit += 32 - in_group;
			in_group = 0;
			continue;
		}
		if (!digit)
			return -EINVAL;
		if (in_group == 32) {
			/* a mask without commas, as a person writes it, is one long group */
			if (memchr(text + start, ',', end - start))
				return -EINVAL;
			in_group = 0;
		}
		for (unsigned j = 0; j < 4; j++) {
			if (!((digit - digits) >> j & 1))
				continue;
			if (bit + j >= CPUSET_MAX)
				return -ERANGE;
			cpuset_add(set, bit + j);
		}
		bit += 4;
		in_group += 4;
	}
	*ret = TAKE(set);
	return 0;
}

char *cpuset_list(const cpuset *set)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	const char *comma = "";

	need(!out);
	for (int first = cpuset_first(set); first >= 0;) {
		int last = first, next;

		while ((next = cpuset_next(set, last)) == last + 1)
			last = next;
		if (last == first)
			fprintf(out, "%s%d", comma, first);
		else
			fprintf(out, "%s%d-%d", comma, first, last);
		comma = ",";
		first = next;
	}
	need(fclose(out));
	return text;
}

char *cpuset_mask(const cpuset *set, unsigned nr_cpu_ids)
{
	unsigned width = nr_cpu_ids ? nr_cpu_ids : 1;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	need(!out);
	for (unsigned group = (width + 31) / 32; group-- > 0;) {
		unsigned bits = width - 32 * group < 32 ? width - 32 * group : 32;
		uint32_t value = 0;

		for (unsigned j = 0; j < bits; j++)
			if (cpuset_has(set, 32 * group + j))
				value |= UINT32_C(1) << j;
		fprintf(out, "%0*x%s", (int)(bits + 3) / 4, value, group ? "," : "");
	}
	need(fclose(out));
	return text;
}
