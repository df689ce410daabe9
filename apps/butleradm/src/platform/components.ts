import { type DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import type { PlatformFacts } from "./facts.ts";

/** One of Butler's own processes, with how many of it there are. */
export interface Component {
  readonly name: string;
  readonly wanted: number;
  readonly ready: number;
  /** Whether what runs is what was asked for last. */
  readonly isUpToDate: boolean;
  readonly version: string;
  readonly restarts: number;
  /** Who works, where processes take turns. */
  readonly leader: string | undefined;
  /** Whether whoever works has said so lately; undefined where they take no turns. */
  readonly isLed: boolean | undefined;
}

/** Each of Butler's own processes, as its Deployment, its pods and its Lease tell. */
export function componentsOf(facts: PlatformFacts): Component[] {
  return facts.deployments.map((deployment) => componentOf(deployment, facts));
}

function componentOf(deployment: DynamicObject, facts: PlatformFacts): Component {
  const { name, generation = 0 } = deployment.metadata;
  const { spec, status } = deployment;
  const wanted = numberAt(spec, "replicas", 1);
  const lease = facts.leases.find(({ metadata }) => metadata.name === name);
  const takesTurns = wanted > 1 && argumentsOf(spec).includes("--leader-election");
  return {
    name,
    wanted,
    ready: numberAt(status, "availableReplicas"),
    isUpToDate: numberAt(status, "observedGeneration") >= generation && numberAt(status, "updatedReplicas") >= wanted,
    version: versionOf(containersOf(spec)[0]?.["image"]),
    restarts: restartsOf(facts, name.replace(/^butler-/, "")),
    leader: takesTurns ? leaderOf(lease) : undefined,
    isLed: takesTurns ? isFresh(lease, facts.now) : undefined,
  };
}

function containersOf(spec: unknown): Record<string, unknown>[] {
  const template = isRecord(spec) ? spec["template"] : undefined;
  const podSpec = isRecord(template) ? template["spec"] : undefined;
  const containers: unknown = isRecord(podSpec) ? podSpec["containers"] : undefined;
  return Array.isArray(containers) ? containers.filter(isRecord) : [];
}

function argumentsOf(spec: unknown): string[] {
  const args: unknown = containersOf(spec)[0]?.["args"];
  return Array.isArray(args) ? args.map(String) : [];
}

/** The tag of an image, or the beginning of its digest. */
export function versionOf(image: unknown): string {
  const name = typeof image === "string" ? image : "";
  const [, tag, digest] = /(?::([\w.-]+))?(?:@sha256:([a-f0-9]{12})[a-f0-9]*)?$/.exec(name) ?? [];
  return tag ?? digest ?? "";
}

function restartsOf({ pods }: PlatformFacts, component: string): number {
  return pods
    .filter(({ metadata }) => metadata.labels?.["app.kubernetes.io/component"] === component)
    .flatMap(({ status }) => status?.containerStatuses ?? [])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function leaderOf(lease: DynamicObject | undefined): string | undefined {
  const holder = isRecord(lease?.["spec"]) ? lease["spec"]["holderIdentity"] : undefined;
  // Behind the pod's name is what keeps a container apart from the one that it replaces.
  return typeof holder === "string" && holder !== "" ? holder.replace(/_[0-9a-f-]{36}$/, "") : undefined;
}

/** Leaders renew every two seconds; clocks may differ a little. */
const staleAfterMs = 60_000;

function isFresh(lease: DynamicObject | undefined, now: Date): boolean {
  const renewed = isRecord(lease?.["spec"]) ? lease["spec"]["renewTime"] : undefined;
  return leaderOf(lease) !== undefined && now.getTime() - Date.parse(String(renewed)) < staleAfterMs;
}

function numberAt(fields: unknown, name: string, whenAbsent = 0): number {
  const value = isRecord(fields) ? fields[name] : undefined;
  return typeof value === "number" ? value : whenAbsent;
}

/** Whether all processes of a component are there as they should be. */
export function isComponentWell({ wanted, ready, isUpToDate, isLed }: Component): boolean {
  return ready >= wanted && isUpToDate && isLed !== false;
}
