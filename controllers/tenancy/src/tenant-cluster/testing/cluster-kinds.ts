import {
  AddonDefinition,
  ButlerConfig,
  IPAllocation,
  LocalCluster,
  LocalMachineTemplate,
  NetworkPool,
  ProviderConfig,
  StewardControlPlane,
  Team,
  TenantAddon,
  TenantCluster,
  TenantControlPlane,
} from "@butler/api";
import { Cluster, KubeadmConfigTemplate, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import { localMachines } from "@butler/provider-local/machines";
import { tenantClusterController } from "../controller.ts";

/** The kinds that the controller of tenant clusters reads or writes, with clusters on local machines. */
export const clusterKinds = [
  TenantCluster,
  Team,
  ButlerConfig,
  ProviderConfig,
  TenantAddon,
  AddonDefinition,
  NetworkPool,
  IPAllocation,
  StewardControlPlane,
  LocalCluster,
  LocalMachineTemplate,
];

/** Kinds that are not validated here, so that the simulation of Cluster API needs only the fields that are read. */
export const looseKinds = [Cluster, MachineDeployment, MachineSet, Machine, KubeadmConfigTemplate, TenantControlPlane];

/** The controller of tenant clusters on local machines, and its ports: no Secrets. */
export const localClusters = {
  controller: tenantClusterController({ machineProviders: [localMachines] }),
  ports: { readSecret: () => Promise.resolve(undefined) },
} as const;
