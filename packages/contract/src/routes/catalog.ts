import { AddonDefinition } from "@butler/api";
import { z } from "zod";
import { objectName } from "../names.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { catalogEntry } from "../views/addon.ts";
import { deletion } from "../views/object.ts";

const kind = "AddonDefinition";
const all = "/api/admin/addons/catalog";
const params = z.object({ name: objectName("entry") });
const { shape } = AddonDefinition.spec;

/** Request body for a new catalog entry. */
const newEntry = z.strictObject({ name: objectName("entry"), ...shape }).meta({
  id: "NewCatalogEntry",
  examples: [
    {
      name: "velero",
      displayName: "Velero",
      description: "Backs up and restores clusters.",
      category: "backup",
      chart: {
        repository: "https://vmware-tanzu.github.io/helm-charts",
        name: "velero",
        defaultVersion: "8.1.0",
      },
    },
  ],
});

/** The fields of an entry to change. Absent fields get no default, so that they stay unchanged. */
const entryChange = z
  .strictObject(shape)
  .partial()
  .extend({
    platform: z.boolean().optional().describe("Whether the platform depends on the add-on."),
    resourceVersion: z.string().min(1).optional().describe("Resource version that the update is based on."),
  })
  .meta({ id: "CatalogEntryChange", examples: [{ description: "Backs up clusters." }] });

/** Fields of an entry that can be changed. */
export type CatalogEntryChange = z.output<typeof entryChange>;

export const createCatalogEntry = defineRoute({
  id: "addons.createEntry",
  method: "POST",
  path: all,
  summary: "Create a catalog entry",
  permission: onPlatform("admin"),
  body: newEntry,
  responses: { 201: catalogEntry },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind },
});

export const updateCatalogEntry = defineRoute({
  id: "addons.updateEntry",
  method: "PUT",
  path: `${all}/{name}`,
  summary: "Update a catalog entry; absent fields stay unchanged",
  description:
    "Each field in the request replaces the current value. Entries shipped with Butler are updated with its releases " +
    "and cannot be changed.",
  permission: onPlatform("admin"),
  params,
  body: entryChange,
  responses: { 200: catalogEntry },
  audit: { action: "update", kind },
});

export const deleteCatalogEntry = defineRoute({
  id: "addons.deleteEntry",
  method: "DELETE",
  path: `${all}/{name}`,
  summary: "Delete an unused catalog entry",
  permission: onPlatform("admin"),
  params,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

/** All routes that change the catalog. */
export const catalogRoutes = [createCatalogEntry, updateCatalogEntry, deleteCatalogEntry] as const;
