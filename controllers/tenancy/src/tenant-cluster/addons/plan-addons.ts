import type { TenantAddon, TenantCluster } from "@butler/api";
import { holds, lacks, type PlannedEvent } from "@butler/controller";
import { type Blocker, type ConditionStatement, isBeingDeleted } from "@butler/resource";
import { nameSome } from "@butler/std";
import type { Observed } from "../observed.ts";
import { wasReady } from "../was-ready.ts";
import { addonObject } from "./addon-object.ts";
import type { Member } from "./member.ts";
import { membersOf } from "./members.ts";
import { type AddonState, stateOf } from "./addon-state.ts";

type ObservedAddon = NonNullable<NonNullable<NonNullable<TenantCluster["status"]>["observedState"]>["addons"]>[number];

/** The plan for a cluster's add-ons, and their state. */
export interface AddonPlan {
  readonly apply: readonly TenantAddon[];
  readonly condition: ConditionStatement;
  /** What a new cluster waits for before it is Ready; undefined when no add-on blocks it. */
  readonly blocker: Blocker | undefined;
  /** Why the pod network is not ready; undefined when it is, or when the machines provide it. */
  readonly networkGap: string | undefined;
  readonly events: readonly PlannedEvent[];
  /** For the status: the cluster's own add-ons and those that users added. */
  readonly found: readonly ObservedAddon[];
}

interface Judged extends AddonState {
  readonly member: Member;
}

/**
 * Applies the baseline add-ons of a cluster once its API server is available. Nothing here ever
 * removes one: an installed add-on stays, even if it fails, leaves the catalog or leaves the spec.
 */
export function planAddons(observed: Observed): AddonPlan {
  const members = membersOf(observed);
  const judged = members.map((member) => ({ member, ...stateOf(member) }));
  const isOpenTo = observed.controlPlane?.status?.initialized === true && !isLeftAlone(observed.cluster);
  const stated = members.filter(({ blocker }) => blocker === undefined);
  // Where it is unsupported, the machines provide the pod network.
  const network = judged.find(({ member, reason }) => member.wanted.slot === "cni" && reason !== "UnsupportedProvider");
  return {
    apply: isOpenTo ? stated.map((member) => addonObject(observed, member, members)) : [],
    condition: conditionOf(judged),
    blocker: blockerOf(observed, judged),
    networkGap: network === undefined || network.state === "ready" ? undefined : network.message,
    events: judged.flatMap(failureEvent),
    found: foundAddons(observed, judged),
  };
}

/** Butler does not manage the add-ons of such a cluster after its first installation. */
function isLeftAlone(cluster: TenantCluster): boolean {
  return cluster.spec.managementPolicy.mode !== "Active" && wasReady(cluster);
}

function conditionOf(judged: readonly Judged[]): ConditionStatement {
  const missing = judged.filter(({ state }) => state !== "ready");
  const [first, ...others] = missing;
  if (first === undefined) {
    const names = judged.map(({ member }) => member.wanted.name);
    return holds("AddonsReady", "AddonsInstalled", names.length === 0 ? "" : `ready: ${nameSome(names)}`);
  }
  const rest = others.map(({ member }) => member.wanted.name);
  const { reason, message } = first;
  return lacks("AddonsReady", reason, rest.length === 0 ? message : `${message}; also not ready: ${nameSome(rest)}`);
}

/** Phases of an add-on that was installed before. */
const laterPhases: ReadonlySet<string> = new Set(["Installed", "Upgrading", "RollingBack"]);

/**
 * A new cluster waits for the first installation of its add-ons. It does not wait for one that has failed, nor for
 * its dependents, nor for any once it has been ready.
 */
function blockerOf({ cluster, addons }: Observed, judged: readonly Judged[]): Blocker | undefined {
  if (wasReady(cluster)) return undefined;
  const hasFailed = (name: string): boolean => {
    const ours = judged.find(({ member }) => member.name === name);
    if (ours !== undefined) return ours.state === "failed";
    const found = addons.find(({ metadata }) => metadata.name === name);
    return found === undefined || found.status?.phase === "Failed" || found.status?.phase === "Degraded";
  };
  const first = judged.find(
    ({ member, state }) =>
      state === "progressing" &&
      !laterPhases.has(member.found?.status?.phase ?? "") &&
      ![...needsOf(member.name, { judged, addons })].some(hasFailed),
  );
  return first && { reason: first.reason, message: first.message };
}

/** The TenantAddons that one depends on, directly or transitively. */
function needsOf(
  start: string,
  { judged, addons }: { readonly judged: readonly Judged[]; readonly addons: readonly TenantAddon[] },
): ReadonlySet<string> {
  const members = judged.map(({ member }) => member);
  const directly = (name: string): string[] => {
    const member = members.find((each) => each.name === name);
    const stated = addons.find(({ metadata }) => metadata.name === name)?.spec.dependsOn ?? [];
    const ours = members.filter((each) => member?.wanted.dependsOn.includes(each.wanted.name) === true);
    return [...stated.map((each) => each.name), ...ours.map((each) => each.name)];
  };
  const seen = new Set<string>();
  const left = directly(start);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    left.push(...directly(next));
  }
  return seen;
}

/** Without details that change between attempts, so that a failure is reported once. */
function failureEvent({ member, state }: Judged): PlannedEvent[] {
  if (state !== "failed" || member.found?.status?.phase !== "Failed") return [];
  const message = `failed to install add-on ${member.wanted.name}; see the status of TenantAddon ${member.name}`;
  return [{ type: "Warning", reason: "AddonInstallFailed", message }];
}

function foundAddons({ addons }: Observed, judged: readonly Judged[]): readonly ObservedAddon[] {
  const missing = judged.filter(({ member }) => member.found === undefined);
  return [
    ...addons.filter((addon) => !isBeingDeleted(addon)).map(observedAddon),
    ...missing.map(({ member }) => ({ ...pendingAddon, name: member.wanted.name })),
  ].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

const pendingAddon = { version: "", status: "Pending", managedBy: "butler" } as const;

const statuses: Readonly<Record<string, ObservedAddon["status"]>> = {
  Installing: "Installing",
  Upgrading: "Installing",
  RollingBack: "Installing",
  Installed: "Healthy",
  Degraded: "Degraded",
  Failed: "Failed",
};

function observedAddon({ metadata, spec, status }: TenantAddon): ObservedAddon {
  return {
    name: (spec.helm === undefined ? spec.addon : undefined) || metadata.name,
    version: status?.installedVersion || spec.version || "unknown",
    status: statuses[status?.phase ?? ""] ?? "Pending",
    managedBy: "butler",
  };
}
