/* `steerctl fmc`: prints the two files that a policy makes for fmc(8), has fmc load them, or take them out again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <steer/cleanup.h>
#include <steer/fmc.h>
#include <steer/fmc_load.h>
#include <steer/log.h>

#include "cli.h"

enum { TIMEOUT = 30 }; /* s */

struct loading {
	struct session session;
	struct fmc_wanted wanted;
	struct lock *lock;
};

static void loading_clear(struct loading *loading)
{
	lock_release(loading->lock);
	fmc_wanted_clear(&loading->wanted);
	session_clear(&loading->session);
}

static const struct change *change_of(const struct plan *plan)
{
	for (size_t i = 0; i < plan->nchanges; i++)
		if (plan->changes[i].setting == SETTING_FMC)
			return &plan->changes[i];
	return NULL;
}

static int say_problems(const struct fmc_wanted *wanted)
{
	for (size_t i = 0; i < wanted->problems.n; i++)
		cli_say("fmc: %s", wanted->problems.items[i]);
	return wanted->problems.n ? FAILED : DONE;
}

/* ---- printing --------------------------------------------------------------------------------------------------- */

/* Config first; each is a document of its own. */
static int print(const struct loading *loading)
{
	const struct fmc_wanted *wanted = &loading->wanted;

	if (!wanted->config)
		return wanted->problems.n ? say_problems(wanted) : puts("off: nothing is loaded") < 0 ? FAILED : DONE;
	fputs(wanted->config, stdout);
	puts(wanted->config[strlen(wanted->config) - 1] == '\n' ? "" : "\n");
	fputs(wanted->policy, stdout);
	return say_problems(wanted);
}

/* ---- loading ---------------------------------------------------------------------------------------------------- */

static int open_job(const struct cli *cli, struct loading *loading, char **boot, char **directory, struct fmc_job *ret)
{
	const struct fmc_section *section = &loading->session.policy->fmc;
	const struct fman *fman = &loading->session.look.machine.fman;
	int holder = 0, r;

	*directory = text_format("%s/fmc", cli_run_directory(cli));
	r = host_read(loading->session.host, "proc/sys/kernel/random/boot_id", boot);
	if (r == 0 && mkdir(*directory, 0700) < 0 && errno != EEXIST)
		r = -errno;
	if (r == 0)
		r = lock_take(*directory, &loading->lock, &holder);
	if (r < 0) {
		cli_say(r == -EAGAIN ? "another steerctl loads rules now" : "cannot load rules: %s%s", strerror(-r),
			geteuid() ? " (it needs root)" : "");
		return FAILED;
	}
	*ret = (struct fmc_job){
		.program = fman->program,
		.pdl = section->pdl.text ? section->pdl.text : FMC_PDL,
		.pdl_digest = fman->pdl,
		.boot = *boot,
		.directory = *directory,
		.timeout = section->timeout.mode == COUNT_NUMBER ? section->timeout.number : TIMEOUT,
		.share_state = section->share_state.value,
		.config = section->config.text,
		.policy = section->policy.text,
		.wanted = &loading->wanted,
	};
	return DONE;
}

static int carry_out(const struct cli *cli, struct loading *loading, bool unload)
{
	CLEANUP(free_string) char *boot = NULL, *directory = NULL;
	CLEANUP(notes_clear) struct notes notes = { 0 };
	struct fmc_job job;
	int r, status = open_job(cli, loading, &boot, &directory, &job);

	if (status != DONE)
		return status;
	if (!job.program || (!unload && !loading->session.look.machine.fman.device)) {
		cli_say(job.program ? "there is no /dev/fm0" : "there is no program fmc");
		return FAILED;
	}
	log_set_level(LOG_LEVEL_INFO); /* what fmc prints is for the journal */
	r = unload ? fmc_unload(&job, &notes) : fmc_load(&job, &notes);
	log_notes(&notes);
	if (r < 0)
		return FAILED;
	printf("%s: %s\n", FMC_DEVICE, unload ? "what was loaded is taken out" : loading->wanted.what);
	return DONE;
}

static int apply(const struct cli *cli, struct loading *loading)
{
	const struct look *look = &loading->session.look;
	const struct change *change = change_of(&look->plan);

	if (say_problems(&loading->wanted) != DONE)
		return FAILED;
	if (look->plan.refused || change->state == CHANGE_SKIPPED) {
		cli_say("%s: not loaded: %s", FMC_DEVICE,
			change->skipped ? change->skipped : look->plan.unmet.items[0]);
		return FAILED;
	}
	if (change->state == CHANGE_TODO)
		return carry_out(cli, loading, !loading->wanted.config);
	printf("%s: %s, as it is\n", FMC_DEVICE, loading->wanted.what);
	return DONE;
}

static int clean(const struct cli *cli, struct loading *loading)
{
	if (loading->session.look.machine.fman.record.what)
		return carry_out(cli, loading, true);
	printf("%s: nothing was loaded by steerctl in this boot\n", FMC_DEVICE);
	return DONE;
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static int check_trust(const struct loading *loading)
{
	CLEANUP(notes_clear) struct notes notes = { 0 };
	int r = loading->session.policy_path && geteuid() == 0 ? policy_trusted(loading->session.policy_path, &notes)
							       : 0;

	log_notes(&notes);
	return r < 0 ? USAGE : DONE;
}

int cli_fmc(const struct cli *cli)
{
	CLEANUP(loading_clear) struct loading loading = { 0 };
	bool loads = cli->given & OPTION_APPLY, cleans = cli->given & OPTION_CLEAN;
	int status;

	if (loads && cleans) {
		cli_say("--apply and --clean are two things");
		return USAGE;
	}
	if ((loads || cleans) && cli->given & OPTION_ROOT) {
		cli_say("%s is for this machine", loads ? "--apply" : "--clean");
		return USAGE;
	}
	status = session_look(cli, LOOK_POLICY, NULL, &loading.session);
	if (status != DONE)
		return status;
	if (!loading.session.policy->fmc.at.line) {
		printf("policy %s has no [fmc] section\n", loading.session.policy->name);
		return DONE;
	}
	fmc_make(&loading.session.look.machine, loading.session.policy, &loading.wanted);
	if ((loads || cleans) && check_trust(&loading) != DONE)
		return USAGE;
	if (cleans)
		return clean(cli, &loading);
	return loads ? apply(cli, &loading) : print(&loading);
}
