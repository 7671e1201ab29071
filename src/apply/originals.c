/* Remembers what was there before the first write, in a JSON file that is always whole. Never overwrites a value that
 * is remembered. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include <steer/cleanup.h>

#include "originals.h"
#include "value.h"

enum { FORMAT = 1 };

static void free_json(json_t **json)
{
	json_decref(*json);
	*json = NULL;
}

static void original_clear(struct original *original)
{
	free(original->device);
	free(original->path);
	free(original->part);
	free(original->value);
}

void originals_free(struct originals *originals)
{
	if (!originals)
		return;
	for (size_t i = 0; i < originals->n; i++)
		original_clear(&originals->items[i]);
	originals_free(originals->trial);
	free(originals->items);
	free(originals->run_directory);
	free(originals);
}

void originals_freep(struct originals **originals)
{
	originals_free(*originals);
	*originals = NULL;
}

size_t originals_count(const struct originals *originals)
{
	return originals->n;
}

/* ---- the list --------------------------------------------------------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return text_natural(a, b);
}

static int compare(const void *left, const void *right)
{
	const struct original *a = left, *b = right;
	int order = compare_text(a->path, b->path);

	if (!order)
		order = compare_text(a->device, b->device);
	if (!order)
		order = (a->ifindex > b->ifindex) - (a->ifindex < b->ifindex);
	if (!order)
		order = (a->setting > b->setting) - (a->setting < b->setting);
	return order ? order : compare_text(a->part, b->part);
}

void originals_sort(struct originals *originals)
{
	if (originals->n)
		qsort(originals->items, originals->n, sizeof *originals->items, compare);
}

/* Two ports of one PCI function share a path, and a name may change: an entry with another name is this nic's too,
 * unless a port of that name is there. */
bool original_is_of(const struct original *original, const struct machine *machine, const struct nic *nic)
{
	const struct nic *other;

	if (!nic || !original->path)
		return !nic && !original->path;
	if (original->ifindex && nic->ifindex)
		return original->ifindex == nic->ifindex;
	if (!text_equal(original->path, nic->path))
		return false;
	if (text_equal(original->device, nic->name))
		return true;
	other = machine ? machine_nic(machine, original->device) : NULL;
	return machine && !(other && text_equal(other->path, nic->path));
}

static bool remembered(const struct originals *originals, const struct machine *machine, const struct nic *nic,
		       enum setting setting, const char *part)
{
	for (size_t i = 0; i < originals->n; i++) {
		const struct original *item = &originals->items[i];

		if (item->setting == setting && text_equal(item->part, part) && original_is_of(item, machine, nic))
			return true;
	}
	return false;
}

void originals_add(struct originals *originals, const struct machine *machine, const struct nic *nic,
		   enum setting setting, const char *part, const char *value)
{
	struct original *item;

	if (!value || (nic && !nic->path) || (!part && (setting_is_irq(setting) || !nic)))
		return;
	if (originals->trial)
		originals_add(originals->trial, machine, nic, setting, part, value);
	if (remembered(originals, machine, nic, setting, part))
		return;
	originals->items = alloc_more(originals->items, originals->n, sizeof *originals->items);
	item = &originals->items[originals->n++];
	item->setting = setting;
	item->device = nic ? alloc_string(nic->name) : NULL;
	item->path = nic ? alloc_string(nic->path) : NULL;
	item->ifindex = nic && text_starts(nic->path, "virtual/") ? nic->ifindex : 0;
	item->part = alloc_string(part);
	item->value = alloc_string(value);
	item->tried = originals->trial;
	originals->changed = true;
}

static void add_parts(struct originals *originals, const struct machine *machine, const struct nic *nic,
		      const char *part, const enum setting *settings, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		CLEANUP(free_string) char *value = value_now(machine, nic, settings[i], part);

		originals_add(originals, machine, nic, settings[i], part, value);
	}
}

static void add_irq(struct originals *originals, const struct machine *machine, const struct nic *nic,
		    const struct irq *irq)
{
	CLEANUP(free_string) char *part = part_of_irq(nic, irq);
	CLEANUP(free_string) char *value = irq->affinity ? cpuset_list(irq->affinity) : NULL;

	originals_add(originals, machine, nic, irq->role == IRQ_CONTROL ? SETTING_IRQ_CONTROL : SETTING_IRQ, part,
		      value);
}

void originals_add_device(struct originals *originals, const struct machine *machine, const struct nic *nic)
{
	static const enum setting whole[] = { SETTING_PAUSE,       SETTING_RING_RX,     SETTING_RING_TX,
					      SETTING_CHANNELS_RX, SETTING_CHANNELS_TX, SETTING_CHANNELS_COMBINED };
	static const enum setting queues[] = { SETTING_RPS, SETTING_RPS_FLOWS, SETTING_XPS, SETTING_XPS_RXQS };

	add_parts(originals, machine, nic, NULL, whole, COUNT_OF(whole));
	for (size_t i = 0; i < nic->nqueues; i++) {
		const struct queue *queue = &nic->queues[i];
		CLEANUP(free_string) char *part = text_format("%s-%u", queue_type_name(queue->type), queue->index);

		add_parts(originals, machine, nic, part, queues, COUNT_OF(queues));
	}
	for (size_t i = 0; i < nic->nirqs; i++)
		if (!nic->irqs[i].fixed && !nic->irqs[i].shared)
			add_irq(originals, machine, nic, &nic->irqs[i]);
}

static bool is_same_device(const struct original *a, const struct original *b)
{
	if (a->ifindex && b->ifindex)
		return a->ifindex == b->ifindex;
	return text_equal(a->path, b->path) && text_equal(a->device, b->device);
}

bool originals_have(const struct originals *originals, const struct original *original)
{
	for (size_t i = 0; i < originals->n; i++) {
		const struct original *item = &originals->items[i];

		if (item->setting == original->setting && text_equal(item->part, original->part) &&
		    is_same_device(item, original))
			return true;
	}
	return false;
}

void originals_forget(struct originals *originals, size_t index)
{
	original_clear(&originals->items[index]);
	memmove(&originals->items[index], &originals->items[index + 1],
		(--originals->n - index) * sizeof *originals->items);
	originals->changed = true;
}

void originals_forget_nic(struct originals *originals, unsigned ifindex)
{
	if (!ifindex)
		return;
	if (originals->trial)
		originals_forget_nic(originals->trial, ifindex);
	for (size_t i = originals->n; i-- > 0;)
		if (originals->items[i].ifindex == ifindex)
			originals_forget(originals, i);
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static char *file_name(const struct originals *originals, const char *suffix)
{
	return text_format("%s/originals.json%s", originals->run_directory, suffix);
}

/* Takes one entry over, or says that it is not one. */
static int read_item(struct originals *originals, json_t *json)
{
	const char *word, *value, *device = NULL, *path = NULL, *part = NULL;
	struct nic nic = { 0 };
	enum setting setting;
	int ifindex = 0;

	if (json_unpack(json, "{s:s, s:s, s?s, s?s, s?i, s?s}", "setting", &word, "value", &value, "device", &device,
			"path", &path, "ifindex", &ifindex, "part", &part) < 0)
		return -EINVAL;
	if (setting_parse(word, &setting) < 0 || !device != !path || ifindex < 0)
		return -EINVAL;
	nic.name = (char *)device;
	nic.path = (char *)path;
	nic.ifindex = (unsigned)ifindex;
	originals_add(originals, NULL, device ? &nic : NULL, setting, part, value);
	return 0;
}

static int read_text(struct originals *originals, const char *text)
{
	CLEANUP(free_json) json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	json_t *list = json_object_get(root, "originals"), *item;
	size_t i;
	int r;

	if (json_integer_value(json_object_get(root, "format")) != FORMAT || !json_is_array(list))
		return -EINVAL;
	json_array_foreach(list, i, item)
	{
		if ((r = read_item(originals, item)) < 0)
			return r;
	}
	return 0;
}

static int read_all(const char *path, char **ret)
{
	CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	CLEANUP(free_string) char *text = NULL;
	struct stat status;
	ssize_t got;

	if (fd < 0 || fstat(fd, &status) < 0)
		return -errno;
	text = alloc_zero((size_t)status.st_size + 1, 1);
	got = read(fd, text, (size_t)status.st_size);
	if (got < 0)
		return -errno;
	*ret = TAKE(text);
	return 0;
}

static struct originals *new_list(const char *run_directory)
{
	struct originals *originals = alloc_zero(1, sizeof *originals);

	originals->run_directory = alloc_string(run_directory);
	return originals;
}

int originals_load(const char *run_directory, struct originals **ret, struct notes *notes)
{
	CLEANUP(originals_freep) struct originals *originals = new_list(run_directory);
	CLEANUP(free_string) char *path = file_name(originals, ""), *bad = file_name(originals, ".bad"), *text = NULL;
	int r = read_all(path, &text);

	if (r < 0 && r != -ENOENT)
		return r;
	if (r == 0 && read_text(originals, text) < 0) {
		if (rename(path, bad) < 0)
			return -errno;
		notes_add(notes, NOTE_ERROR, NULL, "%s is damaged and was put aside as %s", path, bad)->hint =
			alloc_string("the values from before steerd that it held are not put back by revert");
		originals_free(originals);
		originals = new_list(run_directory);
	}
	originals->changed = false;
	*ret = TAKE(originals);
	return 0;
}

static json_t *make_json(const struct originals *originals)
{
	json_t *list = json_array();

	for (size_t i = 0; i < originals->n; i++) {
		const struct original *item = &originals->items[i];

		json_t *json =
			json_pack("{s:s*, s:s*, s:s, s:s*, s:s}", "device", item->device, "path", item->path, "setting",
				  setting_name(item->setting), "part", item->part, "value", item->value);

		if (item->ifindex)
			json_object_set_new(json, "ifindex", json_integer(item->ifindex));
		json_array_append_new(list, json);
	}
	return json_pack("{s:i, s:o}", "format", FORMAT, "originals", list);
}

static int write_whole(const char *path, const char *text)
{
	CLEANUP(close_fd) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	size_t length = strlen(text);

	if (fd < 0)
		return -errno;
	for (size_t done = 0; done < length;) {
		ssize_t put = write(fd, text + done, length - done);

		if (put < 0)
			return -errno;
		done += (size_t)put;
	}
	return 0;
}

/* Whole or not at all for whoever reads it. Not brought to a disk: with the next boot the values are gone too. */
static int write_file(const struct originals *originals)
{
	CLEANUP(free_string) char *path = file_name(originals, ""), *fresh = file_name(originals, ".new"), *text = NULL;
	CLEANUP(free_json) json_t *json = make_json(originals);
	int r;

	text = json_dumps(json, JSON_INDENT(1));
	if (!text)
		return -EINVAL;
	if ((r = write_whole(fresh, text)) < 0 || rename(fresh, path) < 0) {
		r = r < 0 ? r : -errno;
		(void)unlink(fresh);
		return r;
	}
	return 0;
}

int originals_save(struct originals *originals)
{
	CLEANUP(free_string) char *path = file_name(originals, "");
	int r = originals->trial ? originals_save(originals->trial) : 0;

	if (r < 0)
		return r;
	if (!originals->changed)
		return 0;
	if (originals->n == 0) {
		if (unlink(path) < 0 && errno != ENOENT)
			return -errno;
	} else {
		originals_sort(originals);
		r = write_file(originals);
	}
	originals->changed = r < 0;
	return r;
}
