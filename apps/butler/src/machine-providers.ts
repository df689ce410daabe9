import type { MachineProvider } from "@butler/provider";
import { harvesterMachines } from "@butler/provider-harvester";
import { localMachines } from "@butler/provider-local/machines";
import { nutanixMachines } from "@butler/provider-nutanix";

/** Every infrastructure that Butler creates tenant clusters on: a folder of `providers/`, and a line here. */
export const machineProviders: readonly MachineProvider[] = [localMachines, harvesterMachines, nutanixMachines];
