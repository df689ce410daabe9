import { AddonDefinition, builtinSource, labels } from "@butler/api";
import { type CatalogEntryChange, createCatalogEntry, deleteCatalogEntry, updateCatalogEntry } from "@butler/contract";
import { keyOf } from "@butler/resource";
import { type Handler, handle } from "../http/handler.ts";
import { RouteProblem } from "../http/problem.ts";
import { showEntry } from "../views/addon-view.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject, newObject, replacement } from "./writing.ts";

/** What administrators do with the catalog. */
export function catalogHandlers({ state }: HandlerContext): Handler[] {
  const find = (name: string): AddonDefinition => {
    const entry = state.definitions.get({ name });
    if (entry === undefined) throw new RouteProblem("NOT_FOUND", `add-on ${name} not found in the catalog`);
    requireOwnEntry(entry);
    return entry;
  };
  return [
    handle(createCatalogEntry, async ({ body, asPerson, signal, note }) => {
      const { name, ...spec } = body;
      note({ name });
      const entry = newObject(AddonDefinition, { name }, { spec });
      return showEntry(await createObject({ client: asPerson, state, signal }, AddonDefinition, entry));
    }),
    handle(updateCatalogEntry, async ({ params, body, asPerson, signal }) => {
      const entry = find(params.name);
      const { resourceVersion } = body;
      const change = { key: keyOf(entry), patch: planEntryChange(entry, body), resourceVersion };
      return showEntry(await changeObject({ client: asPerson, state, signal }, AddonDefinition, change));
    }),
    handle(deleteCatalogEntry, async ({ params, asPerson, signal }) => {
      const entry = find(params.name);
      await asPerson.delete(AddonDefinition, keyOf(entry), { uid: entry.metadata.uid, signal });
      return { message: `${params.name} is being deleted from the catalog` };
    }),
  ];
}

/** Entries shipped with Butler are restored at its next start: a change would appear to succeed and then be lost. */
export function requireOwnEntry({ metadata }: AddonDefinition): void {
  if (metadata.labels?.[labels.source] !== builtinSource) return;
  throw new RouteProblem("REFUSED", `${metadata.name} is shipped with Butler and cannot be changed`, {
    hint: "Create your own entry with a different name.",
  });
}

/** The patch for a change of an entry. */
export function planEntryChange({ spec }: AddonDefinition, change: CatalogEntryChange) {
  const { resourceVersion: _version, ...fields } = change;
  const before = spec as Readonly<Record<string, unknown>>;
  const changes = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, replacement(before[name], value)] as const],
  );
  return { spec: Object.fromEntries(changes) };
}
