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

/** Path parameters of a namespaced object. */
export const objectParams = (what: string) => z.object({ namespace: labelName("namespace"), name: objectName(what) });
const poolParams = objectParams("network pool");

const providerQuery = listQuery(["name", "created", "type"], {
  type: filter("Return only providers of this infrastructure type."),
  ready: flagFilter("Return only providers that are ready (true) or not ready (false)."),
});

export const listProviders = defineRoute({
  id: "providers.list",
  method: "GET",
  path: "/api/providers",
  summary: "List providers available to your teams",
  permission: signedIn,
  query: providerQuery,
  responses: { 200: page("providers", providerView) },
  audit: "none",
});

export const getProvider = defineRoute({
  id: "providers.get",
  method: "GET",
  path: "/api/providers/{namespace}/{name}",
  summary: "Get a provider",
  permission: signedIn,
  params: objectParams("provider"),
  responses: { 200: providerView },
  audit: "none",
});

export const listTeamProviders = defineRoute({
  id: "providers.ofTeam",
  method: "GET",
  path: "/api/teams/{team}/providers",
  summary: "List providers available to a team",
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
  summary: "Get a network pool",
  permission: onPlatform("viewer"),
  params: poolParams,
  responses: { 200: poolView },
  audit: "none",
});

const poolBody = z.strictObject({
  cidr: z.string().max(64).describe("CIDR of the pool, such as 10.40.0.0/16."),
  reserved: z
    .array(
      z.strictObject({
        cidr: z.string().max(64).describe("CIDR of the reserved range."),
        description: z.string().optional().describe("Reason for the reservation."),
      }),
    )
    .max(256)
    .optional()
    .describe("Reserved ranges, excluded from allocation."),
  tenantAllocation: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Ranges and defaults for tenant allocations."),
});

export const createNetwork = defineRoute({
  id: "networks.create",
  method: "POST",
  path: "/api/admin/networks",
  summary: "Create a network pool",
  permission: onPlatform("admin"),
  body: poolBody
    .extend({
      name: objectName("network pool"),
      namespace: labelName("namespace").default("butler-system").describe("Namespace. Defaults to butler-system."),
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
  summary: "Update a network pool; absent fields stay unchanged",
  permission: onPlatform("admin"),
  params: poolParams,
  body: poolBody
    .partial()
    .extend({ resourceVersion: z.string().min(1).optional().describe("Resource version that the update is based on.") })
    .meta({ id: "NetworkChange", examples: [{ reserved: [{ cidr: "10.40.0.0/24" }] }] }),
  responses: { 200: poolView },
  audit: { action: "update", kind: "NetworkPool" },
});

export const deleteNetwork = defineRoute({
  id: "networks.delete",
  method: "DELETE",
  path: "/api/admin/networks/{namespace}/{name}",
  summary: "Delete a network pool; deletion completes when its addresses are no longer in use",
  permission: onPlatform("admin"),
  params: poolParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind: "NetworkPool" },
});

const allocationFilters = {
  phase: filter("Return only allocations in this phase."),
  type: filter("Return only allocations of this type: nodes or loadbalancer."),
  cluster: filter("Return only allocations for the cluster with this name."),
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
  summary: "List address allocations of all network pools",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created", "cluster"], allocationFilters),
  responses: { 200: page("allocations", allocationView) },
  audit: "none",
});

export const listClusterAddresses = defineRoute({
  id: "networks.ofCluster",
  method: "GET",
  path: "/api/clusters/{namespace}/{name}/addresses",
  summary: "List the address allocations of a cluster",
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
  summary: "Release the addresses of an allocation",
  description:
    "Rejected while the cluster exists, unless `force` is true: addresses still in use could be allocated to another " +
    "cluster.",
  permission: onPlatform("admin"),
  params: objectParams("allocation"),
  query: z.object({ force: flagFilter("Release the addresses even if the cluster exists.") }),
  responses: { 202: deletion },
  audit: { action: "delete", kind: "IPAllocation" },
});

/** All routes for providers and networks. */
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
