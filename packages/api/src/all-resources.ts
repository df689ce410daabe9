import type { Resource } from "@butler/resource";
import { AddonDefinition } from "./butler/addon-definition.ts";
import { AuditSegment } from "./butler/audit-segment.ts";
import { ButlerConfig } from "./butler/butler-config.ts";
import { ClusterBootstrap } from "./butler/cluster-bootstrap.ts";
import { ClusterCreationPolicy } from "./butler/cluster-creation-policy.ts";
import { IdentityProvider } from "./butler/identity-provider.ts";
import { ImageSync } from "./butler/image-sync.ts";
import { IPAllocation } from "./butler/ip-allocation.ts";
import { LoadBalancerRequest } from "./butler/load-balancer-request.ts";
import { MachineRequest } from "./butler/machine-request.ts";
import { ManagementAddon } from "./butler/management-addon.ts";
import { NetworkPool } from "./butler/network-pool.ts";
import { ProviderConfig } from "./butler/provider-config.ts";
import { Team } from "./butler/team.ts";
import { TenantAddon } from "./butler/tenant-addon.ts";
import { TenantCluster } from "./butler/tenant-cluster.ts";
import { User } from "./butler/user.ts";
import { WorkspaceTemplate } from "./butler/workspace-template.ts";
import { Workspace } from "./butler/workspace.ts";
import { DataStore } from "./steward/data-store.ts";
import { KubeconfigGenerator } from "./steward/kubeconfig-generator.ts";
import { StewardControlPlaneTemplate } from "./steward/steward-control-plane-template.ts";
import { StewardControlPlane } from "./steward/steward-control-plane.ts";
import { TenantControlPlane } from "./steward/tenant-control-plane.ts";
import { LocalCluster } from "./local/local-cluster.ts";
import { LocalMachineTemplate } from "./local/local-machine-template.ts";
import { LocalMachine } from "./local/local-machine.ts";

/** Every kind that Butler owns. */
export const allResources: readonly Resource[] = [
  AddonDefinition,
  AuditSegment,
  ButlerConfig,
  ClusterBootstrap,
  ClusterCreationPolicy,
  IdentityProvider,
  ImageSync,
  IPAllocation,
  LoadBalancerRequest,
  MachineRequest,
  ManagementAddon,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  User,
  WorkspaceTemplate,
  Workspace,
  DataStore,
  KubeconfigGenerator,
  StewardControlPlaneTemplate,
  StewardControlPlane,
  TenantControlPlane,
  LocalCluster,
  LocalMachineTemplate,
  LocalMachine,
];
