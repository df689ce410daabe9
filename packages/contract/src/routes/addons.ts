import { z } from "zod";
import { objectName } from "../names.ts";
import { filter, flagFilter, listQuery, page } from "../paging.ts";
import { onCluster, signedIn } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { addonView, catalogueEntry } from "../views/addon.ts";
import { deletion } from "../views/object.ts";
import { clusterParams } from "./clusters.ts";

const kind = "TenantAddon";
const all = "/api/clusters/{namespace}/{name}/addons";
const addonParams = clusterParams.extend({ addon: objectName("add-on, as the list of add-ons gives it") });
const version = z.string().max(128).optional().describe("Version; when absent the catalogue's.");
const values = z.record(z.string(), z.unknown()).optional().describe("Helm values, laid over the catalogue's.");

export const listCatalogue = defineRoute({
  id: "addons.catalogue",
  method: "GET",
  path: "/api/addons/catalog",
  summary: "List the add-ons that there are",
  permission: signedIn,
  query: listQuery(["name", "category"], {
    category: filter("Only entries of this category."),
    platform: flagFilter("Only entries that the platform relies on, or only others."),
  }),
  responses: {
    200: page("addons", catalogueEntry).extend({
      categories: z
        .array(z.object({ name: z.string().describe("The category."), count: z.int().describe("Entries in it.") }))
        .describe("Categories that have entries."),
    }),
  },
  audit: "none",
});

export const getCatalogueEntry = defineRoute({
  id: "addons.catalogueEntry",
  method: "GET",
  path: "/api/addons/catalog/{name}",
  summary: "Show an entry of the catalogue",
  permission: signedIn,
  params: z.object({ name: objectName("entry") }),
  responses: { 200: catalogueEntry },
  audit: "none",
});

export const listAddons = defineRoute({
  id: "addons.list",
  method: "GET",
  path: all,
  summary: "List the add-ons of a cluster",
  permission: onCluster("viewer"),
  params: clusterParams,
  query: listQuery(["name", "phase"], { phase: filter("Only add-ons in this phase.") }),
  responses: { 200: page("addons", addonView) },
  audit: "none",
});

export const getAddon = defineRoute({
  id: "addons.get",
  method: "GET",
  path: `${all}/{addon}`,
  summary: "Show an add-on of a cluster",
  permission: onCluster("viewer"),
  params: addonParams,
  responses: { 200: addonView },
  audit: "none",
});

export const enableAddon = defineRoute({
  id: "addons.enable",
  method: "POST",
  path: all,
  summary: "Install an add-on into a cluster",
  permission: onCluster("operator"),
  params: clusterParams,
  body: z
    .strictObject({
      name: objectName("add-on")
        .optional()
        .describe("Name of the add-on; when absent made from the entry's and the cluster's."),
      addon: objectName("entry").optional().describe("Entry of the catalogue; either this or helm."),
      helm: z
        .strictObject({
          repository: z.string().max(2048).describe("Address of the chart repository: https, http or oci."),
          chart: z.string().min(1).max(253).describe("Name of the chart."),
          version: z.string().max(128).optional().describe("Version of the chart; when absent the newest."),
          releaseName: z.string().max(53).optional().describe("Name of the release."),
          namespace: z.string().max(63).optional().describe("Namespace to install into."),
          createNamespace: z.boolean().optional().describe("Whether to make the namespace; true when absent."),
        })
        .optional()
        .describe("A chart that is not in the catalogue."),
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
  summary: "Change version or values of an add-on",
  permission: onCluster("operator"),
  params: addonParams,
  body: z
    .strictObject({
      version,
      values: values.describe("Helm values; they take the place of those that are there."),
      paused: z.boolean().optional().describe("Whether the add-on is left as it is."),
      resourceVersion: z.string().min(1).optional().describe("The version that the change is meant for."),
    })
    .meta({ id: "AddonChange", examples: [{ version: "v1.17.0" }] }),
  responses: { 200: addonView },
  audit: { action: "update", kind },
});

export const rollBackAddon = defineRoute({
  id: "addons.rollback",
  method: "POST",
  path: `${all}/{addon}/rollback`,
  summary: "Set an add-on back to an earlier revision, or let it go forward again",
  permission: onCluster("operator"),
  params: addonParams,
  body: z
    .strictObject({
      revision: z.int().min(1).optional().describe("Revision to go back to; when absent it goes forward again."),
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

/** Every route about add-ons. */
export const addonRoutes = [
  listCatalogue,
  getCatalogueEntry,
  listAddons,
  getAddon,
  enableAddon,
  changeAddon,
  rollBackAddon,
  deleteAddon,
] as const;
