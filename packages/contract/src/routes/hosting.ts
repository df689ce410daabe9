import { z } from "zod";
import { moment } from "../names.ts";
import { filter, flagFilter, listQuery, page } from "../paging.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";

/** A hosted control plane, as those see it who look after the platform. */
export const controlPlaneView = z
  .object({
    name: z.string().describe("Name of the control plane."),
    namespace: z.string().describe("Namespace that it runs in."),
    cluster: z.string().optional().describe("Cluster that it belongs to, as namespace/name; absent when to none."),
    team: z.string().optional().describe("Team of the cluster."),
    phase: z.string().describe("Where it is in its life, such as Ready or Upgrading."),
    version: z.string().describe("Kubernetes version that is asked for."),
    runningVersion: z.string().describe("Kubernetes version that runs; empty when none does."),
    endpoint: z.string().describe("Address of its API server; empty while it has none."),
    replicas: z.int().describe("Pods that are asked for."),
    readyReplicas: z.int().describe("Pods that are ready."),
    dataStore: z.string().describe("DataStore of its state; empty while it has none."),
    createdAt: moment("When it was made").optional(),
    deletedAt: moment("When its deletion was asked for").optional(),
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

/** A store of control planes, without anything that one could get into it with. */
export const dataStoreView = z
  .object({
    name: z.string().describe("Name of the store."),
    driver: z.string().describe("Kind of store, such as etcd."),
    isDedicated: z.boolean().describe("Whether each control plane gets a store for itself."),
    endpoints: z.array(z.string()).describe("Addresses of its members, as host:port; none for dedicated ones."),
    ready: z.boolean().describe("Whether control planes can keep their state there."),
    message: z.string().describe("What was last found, for people."),
    version: z.string().describe("Version of the store; empty while it is not known."),
    databaseSize: z.string().describe("About how much room the largest member's database takes up."),
    quota: z.string().describe("How large a member's database may become."),
    usedBy: z.array(z.string()).describe("Control planes that keep their state there, as namespace/name."),
    createdAt: moment("When it was made").optional(),
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
  summary: "List the control planes that the platform hosts",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created", "phase", "version"], {
    phase: filter("Only control planes in this phase."),
    dataStore: filter("Only control planes that keep their state in this DataStore."),
    team: filter("Only control planes of clusters of this team."),
  }),
  responses: { 200: page("controlPlanes", controlPlaneView) },
  audit: "none",
});

export const listDataStores = defineRoute({
  id: "dataStores.list",
  method: "GET",
  path: "/api/admin/data-stores",
  summary: "List the stores of control planes",
  permission: onPlatform("viewer"),
  query: listQuery(["name", "created", "driver"], { ready: flagFilter("Only those that are ready, or only others.") }),
  responses: { 200: page("dataStores", dataStoreView) },
  audit: "none",
});

/** Every route about what hosts control planes. */
export const hostingRoutes = [listControlPlanes, listDataStores] as const;
