import { IPAllocation, NetworkPool, ProviderConfig } from "@butler/api";
import { z } from "zod";
import { labelName, objectName } from "../names.ts";
import { filter, flagFilter, listQuery, page } from "../paging.ts";
import { inTeam, onCluster, onPlatform, signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { deletion, objectView } from "../views/object.ts";
import { clusterParams } from "./clusters.ts";
import { teamParams } from "./teams.ts";

/** Access to infrastructure, without its credentials. */
export const providerView = objectView(ProviderConfig);
const poolView = objectView(NetworkPool);
const allocationView = objectView(IPAllocation);

/** Which object of a namespace is meant. */
export const objectParams = (what: string) => z.object({ namespace: labelName("namespace"), name: objectName(what) });
const poolParams = objectParams("network pool");

const providerQuery = listQuery(["name", "created", "type"], {
  type: filter("Only this kind of infrastructure."),
  ready: flagFilter("Only those that are ready, or only others."),
});

export const listProviders = defineRoute({
  id: "providers.list",
  method: "GET",
  path: "/api/providers",
  summary: "List the providers that the caller's teams can use",
  permission: signedIn,
  query: providerQuery,
  responses: { 200: page("providers", providerView) },
  audit: "none",
});

export const getProvider = defineRoute({
  id: "providers.get",
  method: "GET",
  path: "/api/providers/{namespace}/{name}",
  summary: "Show a provider",
  permission: signedIn,
  params: objectParams("provider"),
  responses: { 200: providerView },
  audit: "none",
});

export const listTeamProviders = defineRoute({
  id: "providers.ofTeam",
  method: "GET",
  path: "/api/teams/{team}/providers",
  summary: "List the providers that a team can use",
  permission: inTeam("viewer"),
  params: teamParams,
  query: providerQuery,
  responses: { 200: page("providers", providerView) },
  audit: "none",
});

export const listNetworks = defineRoute({
  id: "networks.list",
  method: "GET",
  path: "/api/admin/networks",
  summary: "List network pools",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created", "available"], {}),
  responses: { 200: page("pools", poolView) },
  audit: "none",
});

export const getNetwork = defineRoute({
  id: "networks.get",
  method: "GET",
  path: "/api/admin/networks/{namespace}/{name}",
  summary: "Show a network pool",
  permission: onPlatform("viewer"),
  params: poolParams,
  responses: { 200: poolView },
  audit: "none",
});

const poolBody = z.strictObject({
  cidr: z.string().max(64).describe("The network, such as 10.40.0.0/16."),
  reserved: z
    .array(
      z.strictObject({
        cidr: z.string().max(64).describe("The part."),
        description: z.string().optional().describe("Why."),
      }),
    )
    .max(256)
    .optional()
    .describe("Parts that are kept back."),
  tenantAllocation: z.record(z.string(), z.unknown()).optional().describe("What tenants get: ranges and defaults."),
});

export const createNetwork = defineRoute({
  id: "networks.create",
  method: "POST",
  path: "/api/admin/networks",
  summary: "Make a network pool",
  permission: onPlatform("admin"),
  body: poolBody
    .extend({
      name: objectName("network pool"),
      namespace: labelName("namespace").default("butler-system").describe("Namespace; butler-system when absent."),
    })
    .meta({ id: "NewNetwork", examples: [{ name: "datacenter", cidr: "10.40.0.0/16" }] }),
  responses: { 201: poolView },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind: "NetworkPool" },
});

export const updateNetwork = defineRoute({
  id: "networks.update",
  method: "PUT",
  path: "/api/admin/networks/{namespace}/{name}",
  summary: "Change a network pool; what is absent stays",
  permission: onPlatform("admin"),
  params: poolParams,
  body: poolBody
    .partial()
    .extend({ resourceVersion: z.string().min(1).optional().describe("The version that the change is meant for.") })
    .meta({ id: "NetworkChange", examples: [{ reserved: [{ cidr: "10.40.0.0/24" }] }] }),
  responses: { 200: poolView },
  audit: { action: "update", kind: "NetworkPool" },
});

export const deleteNetwork = defineRoute({
  id: "networks.delete",
  method: "DELETE",
  path: "/api/admin/networks/{namespace}/{name}",
  summary: "Delete a network pool; it goes when nothing uses its addresses any more",
  permission: onPlatform("admin"),
  params: poolParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind: "NetworkPool" },
});

const allocationFilters = {
  phase: filter("Only allocations in this phase."),
  type: filter("Only allocations of this type: nodes or loadbalancer."),
  cluster: filter("Only allocations of this cluster, by name."),
};

export const listAllocations = defineRoute({
  id: "networks.allocations",
  method: "GET",
  path: "/api/admin/networks/{namespace}/{name}/allocations",
  summary: "List the allocations of a network pool",
  permission: onPlatform("viewer"),
  params: poolParams,
  query: listQuery(["name", "created", "cluster"], allocationFilters),
  responses: { 200: page("allocations", allocationView) },
  audit: "none",
});

export const listAllAllocations = defineRoute({
  id: "networks.allAllocations",
  method: "GET",
  path: "/api/admin/ipallocations",
  summary: "List all allocations of addresses",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created", "cluster"], allocationFilters),
  responses: { 200: page("allocations", allocationView) },
  audit: "none",
});

export const listClusterAddresses = defineRoute({
  id: "networks.ofCluster",
  method: "GET",
  path: "/api/clusters/{namespace}/{name}/addresses",
  summary: "List the addresses that are set aside for a cluster",
  permission: onCluster("viewer"),
  params: clusterParams,
  query: listQuery(["name", "created"], { phase: allocationFilters.phase, type: allocationFilters.type }),
  responses: { 200: page("allocations", allocationView) },
  audit: "none",
});

export const deleteAllocation = defineRoute({
  id: "networks.deleteAllocation",
  method: "DELETE",
  path: "/api/admin/ipallocations/{namespace}/{name}",
  summary: "Give addresses back that no cluster needs any more",
  description:
    "While the cluster that they are for is there, this is refused unless `force` is true: somebody else could get " +
    "addresses that are in use.",
  permission: onPlatform("admin"),
  params: objectParams("allocation"),
  query: z.object({ force: flagFilter("Whether to give them back though the cluster is there.") }),
  responses: { 202: deletion },
  audit: { action: "delete", kind: "IPAllocation" },
});

/** Every route about providers and networks. */
export const infrastructureRoutes = [
  listProviders,
  getProvider,
  listTeamProviders,
  listNetworks,
  getNetwork,
  createNetwork,
  updateNetwork,
  deleteNetwork,
  listAllocations,
  listAllAllocations,
  listClusterAddresses,
  deleteAllocation,
] as const;
