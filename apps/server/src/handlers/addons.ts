import { includesRole, memberRoleOf } from "@butler/access";
import { type AddonDefinition, TenantAddon, type TenantCluster } from "@butler/api";
import {
  changeAddon,
  deleteAddon,
  enableAddon,
  getAddon,
  getCatalogEntry,
  listAddons,
  listCatalog,
  rollBackAddon,
} from "@butler/contract";
import type { AccessSubject } from "@butler/access";
import { keyOf } from "@butler/resource";
import { type Handler, handle } from "../http/handler.ts";
import { type ListShape, pageOf } from "../http/listing.ts";
import { RouteProblem } from "../http/problem.ts";
import type { SignedIn } from "../ports.ts";
import { addonsFound, showAddon, showEntry } from "../views/addon-view.ts";
import { byObject, passes, searchText } from "../views/object-view.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject, newObject, replacement } from "./writing.ts";

type AddonEntry = ReturnType<typeof showAddon>;

const catalogList: ListShape<AddonDefinition> = {
  id: byObject.id,
  sortBy: { name: byObject.name, category: ({ spec }) => spec.category },
  text: (entry) => searchText(entry, entry.spec.displayName, entry.spec.description, entry.spec.category),
};

const addonList: ListShape<AddonEntry> = {
  id: ({ name }) => name,
  sortBy: { name: ({ name }) => name, phase: ({ status }) => status.phase },
  text: ({ name, addon, displayName, status }) => `${name} ${addon} ${displayName} ${status.phase}`,
};

/** The catalog, and the add-ons of clusters. */
export function addonHandlers(context: HandlerContext): Handler[] {
  return [...catalogHandlers(context), ...readHandlers(context), ...writeHandlers(context)];
}

function catalogHandlers({ state }: HandlerContext): Handler[] {
  return [
    handle(listCatalog, ({ query }) => {
      const all = state.definitions.list();
      const found = all.filter(
        ({ spec }) => passes(query.category, spec.category) && (query.platform ?? spec.platform) === spec.platform,
      );
      const { items, ...rest } = pageOf(found, query, catalogList);
      const categories = [...Map.groupBy(all, ({ spec }) => spec.category)]
        .map(([name, entries]) => ({ name, count: entries.length }))
        .sort((left, right) => (left.name < right.name ? -1 : 1));
      return { addons: items.map(showEntry), ...rest, categories };
    }),
    handle(getCatalogEntry, ({ params }) => {
      const entry = state.definitions.get(params);
      if (entry === undefined) throw new RouteProblem("NOT_FOUND", `add-on ${params.name} not found in the catalog`);
      return showEntry(entry);
    }),
  ];
}

/** The caller and the object of the request. */
interface Looking {
  readonly caller: SignedIn;
  readonly subject: AccessSubject | undefined;
}

function readHandlers({ state }: HandlerContext): Handler[] {
  return [
    handle(listAddons, ({ cluster, caller, subject, query }) => {
      const own = state.addonsOf(cluster);
      const shown = own.map((addon) => show(state, addon, { caller, subject }));
      const found = [...shown, ...addonsFound(cluster, own)].filter(({ status }) => passes(query.phase, status.phase));
      const { items, ...rest } = pageOf(found, query, addonList);
      return { addons: [...items], ...rest };
    }),
    handle(getAddon, ({ cluster, params, caller, subject }) => {
      const own = state.addonsOf(cluster);
      const found = own.find(({ metadata }) => metadata.name === params.addon);
      if (found !== undefined) return show(state, found, { caller, subject });
      const ofPlatform = addonsFound(cluster, own).find(({ name }) => name === params.addon);
      return ofPlatform ?? absent(params.addon);
    }),
  ];
}

function writeHandlers({ state }: HandlerContext): Handler[] {
  const find = (cluster: TenantCluster, name: string): TenantAddon =>
    state.addonsOf(cluster).find(({ metadata }) => metadata.name === name) ?? absent(name);
  return [
    handle(enableAddon, async ({ cluster, body, asPerson, signal, note, ...looking }) => {
      const addon = newAddon(cluster, body);
      note({ name: addon.metadata.name });
      refusePlatformAddon(state, body.addon);
      return show(state, await createObject({ client: asPerson, state, signal }, TenantAddon, addon), looking);
    }),
    handle(changeAddon, async ({ cluster, params, body, asPerson, signal, ...looking }) => {
      const addon = find(cluster, params.addon);
      const { version, values, paused, resourceVersion } = body;
      const wanted = { version, values: replacement(addon.spec.values, values), paused };
      const spec = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const change = { key: keyOf(addon), patch: { spec }, resourceVersion };
      return show(state, await changeObject({ client: asPerson, state, signal }, TenantAddon, change), looking);
    }),
    handle(rollBackAddon, async ({ cluster, params, body, asPerson, signal, ...looking }) => {
      const patch = { spec: { rollbackTo: body.revision ?? null } };
      const change = { key: keyOf(find(cluster, params.addon)), patch };
      return show(state, await changeObject({ client: asPerson, state, signal }, TenantAddon, change), looking);
    }),
    handle(deleteAddon, async ({ cluster, params, asPerson, signal }) => {
      const addon = find(cluster, params.addon);
      refusePlatformAddon(state, addon.spec.addon);
      await asPerson.delete(TenantAddon, keyOf(addon), { uid: addon.metadata.uid, signal });
      return { message: `${params.addon} is being uninstalled` };
    }),
  ];
}

function show(state: HandlerContext["state"], addon: TenantAddon, { caller, subject }: Looking): AddonEntry {
  const role = subject && memberRoleOf(subject.team, caller.person, subject.environment);
  return showAddon(addon, {
    definition: addon.spec.addon ? state.definitions.get({ name: addon.spec.addon }) : undefined,
    showsValues: includesRole(role, "operator") || caller.platformRole === "admin",
  });
}

function newAddon({ metadata }: TenantCluster, { name, addon, helm, version, values }: NewAddon) {
  if ((addon === undefined) === (helm === undefined)) {
    const message = "set either addon or helm";
    throw new RouteProblem("INVALID", message, { causes: [{ field: "addon", reason: "REQUIRED", message }] });
  }
  const { version: chartVersion, ...chart } = helm ?? {};
  const source = addon === undefined ? { helm: chart } : { addon };
  const spec = { clusterRef: { name: metadata.name }, ...source, version: version ?? chartVersion, values };
  const own = name ?? `${addon ?? helm?.releaseName ?? helm?.chart ?? ""}-${metadata.name}`;
  return newObject(TenantAddon, { name: own, namespace: metadata.namespace }, { spec });
}

interface NewAddon {
  readonly name?: string | undefined;
  readonly addon?: string | undefined;
  readonly helm?:
    | { readonly version?: string | undefined; readonly chart: string; readonly releaseName?: string | undefined }
    | undefined;
  readonly version?: string | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** Platform add-ons are installed and removed with the cluster. */
function refusePlatformAddon(state: HandlerContext["state"], name: string | undefined): void {
  if (!name || state.definitions.get({ name })?.spec.platform !== true) return;
  const message = `platform add-on ${name} can only be installed and removed with the cluster`;
  throw new RouteProblem("REFUSED", message, { causes: [{ field: "addon", reason: "NOT_ALLOWED", message }] });
}

function absent(name: string): never {
  throw new RouteProblem("NOT_FOUND", `add-on ${name} not found on the cluster`);
}
