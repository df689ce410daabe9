import { AddonDefinition } from "@butler/api";
import { z } from "zod";
import { objectName } from "../names.ts";
import { onPlatform } from "../permission.ts";
import { defineRoute } from "../route.ts";
import { catalogueEntry } from "../views/addon.ts";
import { deletion } from "../views/object.ts";

const kind = "AddonDefinition";
const all = "/api/admin/addons/catalog";
const params = z.object({ name: objectName("entry") });
const { shape } = AddonDefinition.spec;

/** What a new entry of the catalogue is asked for with. */
const newEntry = z.strictObject({ name: objectName("entry"), ...shape }).meta({
  id: "NewCatalogueEntry",
  examples: [
    {
      name: "velero",
      displayName: "Velero",
      description: "Backs up clusters and brings them back.",
      category: "backup",
      chart: {
        repository: "https://vmware-tanzu.github.io/helm-charts",
        name: "velero",
        defaultVersion: "8.1.0",
      },
    },
  ],
});

/** The fields of an entry that a change names; one that is absent gets no default, so that it stays as it is. */
const entryChange = z
  .strictObject(shape)
  .partial()
  .extend({
    platform: z.boolean().optional().describe("Whether the platform itself relies on the add-on."),
    resourceVersion: z.string().min(1).optional().describe("The version that the change is meant for."),
  })
  .meta({ id: "CatalogueEntryChange", examples: [{ description: "Backs up clusters." }] });

/** What an entry can be changed in. */
export type CatalogueEntryChange = z.output<typeof entryChange>;

export const createCatalogueEntry = defineRoute({
  id: "addons.createEntry",
  method: "POST",
  path: all,
  summary: "Add an entry to the catalogue",
  permission: onPlatform("admin"),
  body: newEntry,
  responses: { 201: catalogueEntry },
  errors: ["ALREADY_EXISTS"],
  audit: { action: "create", kind },
});

export const updateCatalogueEntry = defineRoute({
  id: "addons.updateEntry",
  method: "PUT",
  path: `${all}/{name}`,
  summary: "Change an entry of the catalogue; what is absent stays",
  description:
    "A field that is sent takes the place of the one that is there. Entries that come with Butler follow its releases " +
    "and cannot be changed.",
  permission: onPlatform("admin"),
  params,
  body: entryChange,
  responses: { 200: catalogueEntry },
  audit: { action: "update", kind },
});

export const deleteCatalogueEntry = defineRoute({
  id: "addons.deleteEntry",
  method: "DELETE",
  path: `${all}/{name}`,
  summary: "Take an entry that nothing uses out of the catalogue",
  permission: onPlatform("admin"),
  params,
  responses: { 202: deletion },
  audit: { action: "delete", kind },
});

/** Every route that changes the catalogue. */
export const catalogueRoutes = [createCatalogueEntry, updateCatalogueEntry, deleteCatalogueEntry] as const;
