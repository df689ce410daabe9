import { wantedManagementRelease, type WantedResult } from "@butler/addons";
import { AddonDefinition, ManagementAddon } from "@butler/api";
import type { ObserveContext } from "@butler/controller";
import { isBeingDeleted, isConditionTrue } from "@butler/resource";
import { isActive } from "../release/attempts.ts";
import { jobKeyOf } from "../release/job-key.ts";
import type { ReleasePlace } from "../release/read-history.ts";
import type { Observation } from "../release/observation.ts";
import type { ReleasePorts } from "../release/release-ports.ts";
import type { JobView } from "../release/situation.ts";

/** Ports of the controller. */
export interface ManagementAddonPorts extends ReleasePorts {
  /** Whether this process may install charts on its own cluster. */
  readonly isAllowed: boolean;
}

/** Everything needed to plan an add-on of the management cluster. */
export interface Observed {
  readonly addon: ManagementAddon;
  readonly wanted: WantedResult;
  readonly place: ReleasePlace | undefined;
  /** Names of unmet dependencies. */
  readonly missing: readonly string[];
  /** Names of the other add-ons by their uid. */
  readonly others: ReadonlyMap<string, string>;
  readonly isAllowed: boolean;
  readonly job: JobView | undefined;
  readonly observation: Observation | undefined;
  readonly graceMs: number;
  readonly unreachableMs: number;
}

/** Reads what the plan needs. */
export async function observe(
  context: ObserveContext<typeof ManagementAddon, ManagementAddonPorts>,
): Promise<Observed> {
  const { primary: addon, read, ports, signal } = context;
  const key = jobKeyOf("management", addon.metadata);
  // Before the inspection of the release, so that it sees what the job has done.
  const job = ports.jobs.of(key);
  const definition = read.get(AddonDefinition, { name: addon.spec.addon });
  const wanted = wantedManagementRelease({ addon, definition });
  const place = placeOf(addon, wanted);
  const others = read.list(ManagementAddon).filter(({ metadata }) => metadata.name !== addon.metadata.name);
  const needed = definition?.spec.dependsOn ?? [];
  const { isAllowed, graceMs, unreachableMs } = ports;
  const rest = {
    addon,
    wanted,
    place,
    missing: needed.filter((name) => !others.some((other) => other.spec.addon === name && isReady(other))),
    others: new Map(others.map(({ metadata }) => [metadata.uid ?? "", metadata.name])),
    isAllowed,
    job,
    graceMs,
    unreachableMs,
  };
  if (place === undefined || !isAllowed) return { ...rest, observation: undefined };
  const { phase, lastTransitionTime } = addon.status ?? {};
  const observation = await ports.observer.observe({
    key,
    group: "",
    place,
    phase,
    phaseSinceMs: lastTransitionTime === undefined ? undefined : Date.parse(lastTransitionTime),
    isWorkedOn: isActive(job),
    isQueued: job?.state === "waiting",
    client: (limit) => ports.access.clientFor({ kind: "management" }, limit),
    signal,
  });
  return { ...rest, observation };
}

/** An installed release stays in its place: the definition sets it, and it does not move. */
function placeOf({ status }: ManagementAddon, wanted: WantedResult): ReleasePlace | undefined {
  const { name, namespace } = status?.helmRelease ?? {};
  if (name && namespace) return { release: name, namespace };
  return "wanted" in wanted ? { release: wanted.wanted.release, namespace: wanted.wanted.namespace } : undefined;
}

function isReady(addon: ManagementAddon): boolean {
  const { status } = addon;
  return !isBeingDeleted(addon) && status?.phase === "Installed" && isConditionTrue(status.conditions, "Ready");
}
