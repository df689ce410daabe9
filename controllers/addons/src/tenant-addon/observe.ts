import { isOfBaseline, judgeDependencies, wantedRelease, type WantedResult } from "@butler/addons";
import {
  AddonDefinition,
  ButlerConfig,
  butlerConfigName,
  ProviderConfig,
  providerKeyOf,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import type { CacheReader, ObserveContext } from "@butler/controller";
import { keyOf, keyText } from "@butler/resource";
import { isActive } from "../release/attempts.ts";
import { jobKeyOf } from "../release/job-key.ts";
import type { ReleasePlace } from "../release/read-history.ts";
import type { ReleasePorts } from "../release/release-ports.ts";
import { sightOf } from "./cluster-sight.ts";
import type { Observed } from "./observed.ts";

/** The index over TenantAddons by `namespace/name` of their cluster. */
export const byCluster = "cluster";

/** Ports of the controller. */
export interface TenantAddonPorts extends ReleasePorts {
  /** Watches objects of charts in a cluster, as long as the cluster has add-ons. */
  readonly attend: (cluster: NonNullable<ReturnType<typeof accessIn>>) => void;
}

type Context = ObserveContext<typeof TenantAddon, TenantAddonPorts>;

/** Reads what the plan needs. */
export async function observe(context: Context): Promise<Observed> {
  const { primary, ports, signal } = context;
  // Before the inspection of the release, so that it sees what the job has done.
  const key = jobKeyOf("tenant", primary.metadata);
  const job = ports.jobs.of(key);
  const known = observeHere(context);
  const access = accessIn(known);
  const rest = { ...known, job, graceMs: ports.graceMs, unreachableMs: ports.unreachableMs };
  if (access === undefined || known.place === undefined) return { ...rest, observation: undefined };
  ports.attend(access);
  const { phase, lastTransitionTime } = primary.status ?? {};
  const observation = await ports.observer.observe({
    key,
    group: keyText(access.cluster),
    place: known.place,
    phase,
    phaseSinceMs: lastTransitionTime === undefined ? undefined : Date.parse(lastTransitionTime),
    isWorkedOn: isActive(job),
    isQueued: job?.state === "waiting",
    client: (limit) => ports.access.clientFor(access, limit),
    signal,
  });
  return { ...rest, observation };
}

type Known = Pick<Observed, "addon" | "sight" | "wanted" | "isBaseline" | "verdict" | "place" | "isMoving" | "others">;

function accessIn({ sight }: Pick<Known, "sight">) {
  const access = "access" in sight ? sight.access : undefined;
  return access?.kind === "tenant" ? access : undefined;
}

function observeHere({ primary: addon, read }: Context): Known {
  const { name } = addon.spec.clusterRef;
  const clusterKey = { name, namespace: addon.metadata.namespace };
  const cluster = read.get(TenantCluster, clusterKey);
  const addons = read.byIndex(TenantAddon, byCluster, keyText(clusterKey));
  const others = addons.filter(({ metadata }) => metadata.name !== addon.metadata.name);
  const team = teamOf(cluster, read);
  const providerType = cluster && providerTypeOf(cluster, team, read);
  const definition = addon.spec.addon ? read.get(AddonDefinition, { name: addon.spec.addon }) : undefined;
  const wanted = cluster && wantedRelease({ addon, definition, cluster, team, providerType });
  const definitions = read.list(AddonDefinition);
  return {
    addon,
    sight: sightOf(cluster, name),
    wanted,
    isBaseline: cluster !== undefined && isOfBaseline(addon, { cluster, providerType }),
    verdict: judgeDependencies(addon, { addons: others, definitions, providerType }),
    ...placesOf(addon, wanted),
    others: new Map(others.map(({ metadata }) => [metadata.uid ?? "", metadata.name])),
  };
}

function placesOf(addon: TenantAddon, wanted: WantedResult | undefined): Pick<Known, "place" | "isMoving"> {
  const { name, namespace } = addon.status?.helmRelease ?? {};
  const present: ReleasePlace | undefined = name && namespace ? { release: name, namespace } : undefined;
  if (wanted === undefined || "fault" in wanted) return { place: present, isMoving: false };
  const { release, namespace: home } = wanted.wanted;
  const isMoving = present !== undefined && (present.release !== release || present.namespace !== home);
  return { place: isMoving ? present : { release, namespace: home }, isMoving };
}

function teamOf(cluster: TenantCluster | undefined, read: CacheReader): Team | undefined {
  const name = cluster?.spec.teamRef?.name;
  return name === undefined ? undefined : read.get(Team, { name });
}

function providerTypeOf(cluster: TenantCluster, team: Team | undefined, read: CacheReader) {
  const config = read.get(ButlerConfig, { name: butlerConfigName });
  const key = providerKeyOf(cluster, { team, config });
  return key && read.get(ProviderConfig, key)?.spec.provider;
}

/** The key of the cluster that an add-on is for. */
export function clusterKeyOf({ spec, metadata }: TenantAddon) {
  return { name: spec.clusterRef.name, namespace: metadata.namespace };
}

/** The keys of the add-ons of a cluster. */
export function addonsOf(cluster: TenantCluster, read: CacheReader) {
  return read.byIndex(TenantAddon, byCluster, keyText(keyOf(cluster))).map(keyOf);
}
