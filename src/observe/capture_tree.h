/* Writing a captured tree: the same relative paths below another directory. */
#pragma once

#include <steer/host.h>
#include <steer/machine.h>

struct capture {
	struct host *host;
	const char *directory;
	char *made; /* the directory made last */
	int error;  /* the first failure to write; nothing is written behind it */
};

void put_directory(struct capture *capture, const char *path);
void put_text(struct capture *capture, const char *path, const char *text); /* a line end is added */

/* Copies what can be read; what cannot is left out, which is what a replay takes for unknown. */
void copy_file(struct capture *capture, const char *directory, const char *name);
void copy_files(struct capture *capture, const char *directory, const char *const *names, size_t n);
void copy_link(struct capture *capture, const char *directory, const char *name); /* its target is made a directory */
void copy_irq(struct capture *capture, unsigned irq); /* with the mode, which tells whether it can be moved */

/* Addresses of the text, "00:00:5e:00:53:01", become zeros. In place. */
void scrub_addresses(char *text);
/* Of a kernel command line: values that name this machine, its disks or its network become "...". The caller frees. */
char *scrub_cmdline(const struct strings *tokens);
/* The lines of "KEY: VALUE" text with one of the keys, and empty lines. The caller frees. */
char *keep_lines(const char *text, const char *const *keys, size_t n);

/* ---- parts of a capture ------------------------------------------------------------------------------------------ */

void capture_cpus(struct capture *capture); /* capture_host.c */
void capture_proc(struct capture *capture, const struct machine *machine);
void capture_nic(struct capture *capture, const struct nic *nic);               /* capture_nic.c */
void capture_flows(struct capture *capture, const struct flow_offloads *flows); /* capture_flow.c */
void capture_fman(struct capture *capture, const struct fman *fman);            /* capture_fman.c */
void capture_ethtool(struct capture *capture, const struct machine *machine);   /* capture_ethtool.c */
