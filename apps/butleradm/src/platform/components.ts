import { type DynamicObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import type { PlatformFacts } from "./facts.ts";

/** A component of Butler and its replicas. */
export interface Component {
  readonly name: string;
  readonly wanted: number;
  readonly ready: number;
  /** Whether the latest revision is rolled out. */
  readonly isUpToDate: boolean;
  readonly version: string;
  readonly restarts: number;
  /** The leader, where replicas elect one. */
  readonly leader: string | undefined;
  /** Whether the leader has renewed its Lease recently; undefined without leader election. */
  readonly isLed: boolean | undefined;
}

/** Butler's components, from their Deployments, pods and Leases. */
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
  // The suffix distinguishes a container from the one that it replaces.
  return typeof holder === "string" && holder !== "" ? holder.replace(/_[0-9a-f-]{36}$/, "") : undefined;
}

/** Leaders renew every two seconds; this tolerates clock skew. */
const staleAfterMs = 60_000;

function isFresh(lease: DynamicObject | undefined, now: Date): boolean {
  const renewed = isRecord(lease?.["spec"]) ? lease["spec"]["renewTime"] : undefined;
  return leaderOf(lease) !== undefined && now.getTime() - Date.parse(String(renewed)) < staleAfterMs;
}

function numberAt(fields: unknown, name: string, whenAbsent = 0): number {
  const value = isRecord(fields) ? fields[name] : undefined;
  return typeof value === "number" ? value : whenAbsent;
}

/** Whether a component is fully rolled out, ready and has a leader. */
export function isComponentWell({ wanted, ready, isUpToDate, isLed }: Component): boolean {
  return ready >= wanted && isUpToDate && isLed !== false;
}
