import { z } from "zod";
import { objectName } from "../names.ts";
import { filter, flagFilter, listQuery, page } from "../paging.ts";
import { onCluster, signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { addonView, catalogEntry } from "../views/addon.ts";
import { deletion } from "../views/object.ts";
import { clusterParams } from "./clusters.ts";

const kind = "TenantAddon";
const all = "/api/clusters/{namespace}/{name}/addons";
const addonParams = clusterParams.extend({ addon: objectName("add-on, as shown in the add-on list") });
const version = z.string().max(128).optional().describe("Version. Defaults to the catalog default.");
const values = z.record(z.string(), z.unknown()).optional().describe("Helm values, merged over the catalog values.");

export const listCatalog = defineRoute({
  id: "addons.catalog",
  method: "GET",
  path: "/api/addons/catalog",
  summary: "List the add-on catalog",
  permission: signedIn,
  query: listQuery(["name", "category"], {
    category: filter("Return only entries in this category."),
    platform: flagFilter("Return only entries that the platform depends on (true) or does not depend on (false)."),
  }),
  responses: {
    200: page("addons", catalogEntry).extend({
      categories: z
        .array(
          z.object({
            name: z.string().describe("Name of the category."),
            count: z.int().describe("Number of entries."),
          }),
        )
        .describe("Categories with at least one entry."),
    }),
  },
  audit: "none",
});

export const getCatalogEntry = defineRoute({
  id: "addons.catalogEntry",
  method: "GET",
  path: "/api/addons/catalog/{name}",
  summary: "Get a catalog entry",
  permission: signedIn,
  params: z.object({ name: objectName("entry") }),
  responses: { 200: catalogEntry },
  audit: "none",
});

export const listAddons = defineRoute({
  id: "addons.list",
  method: "GET",
  path: all,
  summary: "List the add-ons of a cluster",
  permission: onCluster("viewer"),
  params: clusterParams,
  query: listQuery(["name", "phase"], { phase: filter("Return only add-ons in this phase.") }),
  responses: { 200: page("addons", addonView) },
  audit: "none",
});

export const getAddon = defineRoute({
  id: "addons.get",
  method: "GET",
  path: `${all}/{addon}`,
  summary: "Get an add-on of a cluster",
  permission: onCluster("viewer"),
  params: addonParams,
  responses: { 200: addonView },
  audit: "none",
});

export const enableAddon = defineRoute({
  id: "addons.enable",
  method: "POST",
  path: all,
  summary: "Install an add-on",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({
      name: objectName("add-on")
        .optional()
        .describe("Name of the add-on. Defaults to a name derived from the catalog entry and the cluster."),
      addon: objectName("entry").optional().describe("Catalog entry. Set either addon or helm."),
      helm: z
        .strictObject({
          repository: z.string().max(2048).describe("Chart repository URL: https, http or oci."),
          chart: z.string().min(1).max(253).describe("Name of the chart."),
          version: z.string().max(128).optional().describe("Chart version. Defaults to the latest."),
          releaseName: z.string().max(53).optional().describe("Name of the Helm release."),
          namespace: z.string().max(63).optional().describe("Namespace to install into."),
          createNamespace: z.boolean().optional().describe("Whether to create the namespace. Defaults to true."),
        })
        .optional()
        .describe("A chart that is not in the catalog."),
      version,
      values,
    })
    .meta({ id: "NewAddon", examples: [{ addon: "cert-manager", version: "v1.16.2" }] }),
  responses: { 201: addonView },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind },
});

export const changeAddon = defineRoute({
  id: "addons.change",
  method: "PUT",
  path: `${all}/{addon}`,
  summary: "Update the version or values of an add-on",
  permission: onCluster("operator"),
  params: addonParams,
  body: z
    .strictObject({
      version,
      values: values.describe("Helm values. Replaces the current values."),
      paused: z.boolean().optional().describe("Whether reconciliation of the add-on is paused."),
      resourceVersion: z.string().min(1).optional().describe("Resource version that the update is based on."),
    })
    .meta({ id: "AddonChange", examples: [{ version: "v1.17.0" }] }),
  responses: { 200: addonView },
  audit: { action: "update", kind },
});

export const rollBackAddon = defineRoute({
  id: "addons.rollback",
  method: "POST",
  path: `${all}/{addon}/rollback`,
  summary: "Roll an add-on back to an earlier revision, or resume upgrades",
  permission: onCluster("operator"),
  params: addonParams,
  body: z
    .strictObject({
      revision: z.int().min(1).optional().describe("Revision to roll back to. If absent, upgrades resume."),
    })
    .meta({ id: "AddonRollback", examples: [{ revision: 3 }] }),
  responses: { 200: addonView },
  audit: { action: "rollback", kind },
});

export const deleteAddon = defineRoute({
  id: "addons.delete",
  method: "DELETE",
  path: `${all}/{addon}`,
  summary: "Uninstall an add-on",
  permission: onCluster("operator"),
  params: addonParams,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

/** All routes for add-ons. */
export const addonRoutes = [
  listCatalog,
  getCatalogEntry,
  listAddons,
  getAddon,
  enableAddon,
  changeAddon,
  rollBackAddon,
  deleteAddon,
] as const;
