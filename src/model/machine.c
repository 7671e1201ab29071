/* The plain value "machine": freeing it and looking things up in it. Reads nothing. */
#include <stdlib.h>
#include <string.h>

#include <steer/cleanup.h>
#include <steer/machine.h>

void machine_clear(struct machine *machine)
{
	topology_clear(&machine->topology);
	for (size_t i = 0; i < machine->nnics; i++)
		nic_clear(&machine->nics[i]);
	for (size_t i = 0; i < machine->nsysctls; i++) {
		free(machine->sysctls[i].name);
		free(machine->sysctls[i].value);
	}
	free(machine->nics);
	free(machine->sysctls);
	free(machine->hostname);
	free(machine->arch);
	free(machine->kernel);
	free(machine->irqbalance);
	strings_clear(&machine->cmdline);
	flowtables_clear(&machine->flows);
	fman_clear(&machine->fman);
	*machine = (struct machine){ 0 };
}

struct nic *machine_nic(const struct machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->nnics; i++)
		if (strcmp(machine->nics[i].name, name) == 0)
			return &machine->nics[i];
	return NULL;
}

const char *machine_sysctl(const struct machine *machine, const char *name)
{
	for (size_t i = 0; i < machine->nsysctls; i++)
		if (strcmp(machine->sysctls[i].name, name) == 0)
			return machine->sysctls[i].value;
	return NULL;
}
