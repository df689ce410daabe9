import { z } from "zod";
import { moment } from "../names.ts";
import { filter, flagFilter, listQuery, page } from "../paging.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";

/** A hosted control plane, as platform administrators see it. */
export const controlPlaneView = z
  .object({
    name: z.string().describe("Name of the control plane."),
    namespace: z.string().describe("Namespace of the control plane."),
    cluster: z
      .string()
      .optional()
      .describe("Cluster that the control plane belongs to, as namespace/name. Absent if none."),
    team: z.string().optional().describe("Team that owns the cluster."),
    phase: z.string().describe("Phase, such as Ready or Upgrading."),
    version: z.string().describe("Desired Kubernetes version."),
    runningVersion: z.string().describe("Running Kubernetes version. Empty if none."),
    endpoint: z.string().describe("API server endpoint, as host:port. Empty until assigned."),
    replicas: z.int().describe("Desired number of replicas."),
    readyReplicas: z.int().describe("Number of ready replicas."),
    dataStore: z.string().describe("DataStore that the control plane uses. Empty until assigned."),
    createdAt: moment("Creation time").optional(),
    deletedAt: moment("Deletion time").optional(),
  })
  .meta({
    id: "ControlPlaneView",
    examples: [
      {
        name: "shop",
        namespace: "tenant-shop",
        cluster: "payments/shop",
        team: "payments",
        phase: "Ready",
        version: "v1.36.3",
        runningVersion: "v1.36.3",
        endpoint: "10.40.0.10:6443",
        replicas: 2,
        readyReplicas: 2,
        dataStore: "default",
      },
    ],
  });

/** A data store of control planes, without its credentials. */
export const dataStoreView = z
  .object({
    name: z.string().describe("Name of the data store."),
    driver: z.string().describe("Driver, such as etcd."),
    isDedicated: z.boolean().describe("Whether each control plane gets a dedicated data store."),
    endpoints: z.array(z.string()).describe("Member endpoints, as host:port. Empty if dedicated."),
    ready: z.boolean().describe("Whether control planes can use the data store."),
    message: z.string().describe("Human-readable result of the last check."),
    version: z.string().describe("Data store version. Empty if unknown."),
    databaseSize: z.string().describe("Approximate database size of the largest member."),
    quota: z.string().describe("Maximum database size per member."),
    usedBy: z.array(z.string()).describe("Control planes that use the data store, as namespace/name."),
    createdAt: moment("Creation time").optional(),
  })
  .meta({
    id: "DataStoreView",
    examples: [
      {
        name: "default",
        driver: "etcd",
        isDedicated: false,
        endpoints: ["etcd-0.etcd.steward-system.svc:2379"],
        ready: true,
        message: "",
        version: "3.6.5",
        databaseSize: "160Mi",
        quota: "8Gi",
        usedBy: ["tenant-shop/shop"],
      },
    ],
  });

export const listControlPlanes = defineRoute({
  id: "controlPlanes.list",
  method: "GET",
  path: "/api/admin/control-planes",
  summary: "List hosted control planes",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created", "phase", "version"], {
    phase: filter("Return only control planes in this phase."),
    dataStore: filter("Return only control planes that use this DataStore."),
    team: filter("Return only control planes of this team's clusters."),
  }),
  responses: { 200: page("controlPlanes", controlPlaneView) },
  audit: "none",
});

export const listDataStores = defineRoute({
  id: "dataStores.list",
  method: "GET",
  path: "/api/admin/data-stores",
  summary: "List data stores",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created", "driver"], {
    ready: flagFilter("Return only data stores that are ready (true) or not ready (false)."),
  }),
  responses: { 200: page("dataStores", dataStoreView) },
  audit: "none",
});

/** All routes for hosted control planes and data stores. */
export const hostingRoutes = [listControlPlanes, listDataStores] as const;
