import { TenantAddon } from "@butler/api";
import { addonPhaseStyle } from "@butler/changes";
import {
  formatAge,
  type Paint,
  printable,
  Progress,
  shellCommand,
  type Terminal,
  type Verdict,
  waitUntil,
} from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { findCondition, isBeingDeleted, isConditionTrue, keyOf } from "@butler/resource";
import { InvalidInput, NotFound, Unavailable } from "@butler/std";
import { observeObject } from "../watch-objects.ts";
import { addonPhase } from "./addon-view.ts";
import type { WaitOptions } from "./arguments.ts";
import { addonTitle } from "./find-addon.ts";

interface Waiting {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly timeoutMs: number;
}

type Seen = TenantAddon | undefined;

/** Waits until an add-on is installed and ready, printing progress; throws when it fails. */
export function waitForInstalled(waiting: Waiting, addon: TenantAddon): Promise<Seen> {
  const what = `${addonTitle(addon)} on ${addon.spec.clusterRef.name} to be ready`;
  return waitFor(waiting, addon, { what, judge: (seen) => judgeInstalled(seen, addon) });
}

/** With `--wait`, waits until an add-on is ready and prints `done`; otherwise prints how to check the status. */
export async function waitOrHint(
  { terminal, session, options }: Pick<Waiting, "terminal" | "session"> & { readonly options: WaitOptions },
  addon: TenantAddon,
  done: string,
): Promise<void> {
  if (options.wait) await waitForInstalled({ terminal, session, timeoutMs: options.timeout }, addon);
  terminal.say(options.wait ? done : statusHint(addon));
}

/** Waits until an add-on is removed, printing progress. */
export function waitForRemoved(waiting: Waiting, addon: TenantAddon): Promise<Seen> {
  const what = `${addonTitle(addon)} on ${addon.spec.clusterRef.name} to be removed`;
  return waitFor(waiting, addon, { what, judge: (seen) => judgeRemoved(seen, addon) });
}

interface Goal {
  readonly what: string;
  readonly judge: (seen: Seen) => Verdict;
}

function waitFor({ terminal, session, timeoutMs }: Waiting, addon: TenantAddon, goal: Goal): Promise<Seen> {
  const { clock, signal, sayPaint: paint } = terminal;
  const startMs = clock.monotonicMs();
  return waitUntil<Seen>({
    ...goal,
    observe: (ended) => observeObject(session.client, { kind: TenantAddon, key: keyOf(addon) }, ended),
    tell: (before, after) =>
      after === undefined ? [] : addonProgress(before, after, { paint, elapsedMs: clock.monotonicMs() - startMs }),
    timeoutMs,
    hint: `The operation continues in the background. ${statusHint(addon)}`,
    progress: new Progress(terminal),
    clock,
    signal,
  });
}

/** How progress lines are formatted. */
export interface ProgressText {
  readonly paint: Paint;
  /** How long the command has been waiting. */
  readonly elapsedMs: number;
}

/** What changed about an add-on since it was last observed. */
export function addonProgress(before: Seen, after: TenantAddon, { paint, elapsedMs }: ProgressText): string[] {
  const [earlier, now] = [before === undefined ? "" : stateOf(before), stateOf(after)];
  if (earlier === now) return [];
  const time = paint("faint", formatAge(elapsedMs).padStart(4));
  const phase = paint(addonPhaseStyle(addonPhase(after)), addonPhase(after));
  const message = printable(after.status?.message ?? "");
  return [`${time}  ${phase}${message === "" ? "" : `: ${message}`}`];
}

function stateOf(addon: TenantAddon): string {
  return `${addonPhase(addon)} ${addon.status?.message ?? ""}`;
}

/** Whether an add-on is installed and ready. */
export function judgeInstalled(seen: Seen, addon: TenantAddon): Verdict {
  const title = addonTitle(addon);
  if (seen === undefined || seen.metadata.uid !== addon.metadata.uid || isBeingDeleted(seen)) {
    return { state: "failed", error: new NotFound(`${title} was deleted while waiting`) };
  }
  return judgeStatus(seen, title);
}

function judgeStatus(seen: TenantAddon, title: string): Verdict {
  const { status = {} } = seen;
  if ((status.observedGeneration ?? 0) < (seen.metadata.generation ?? 0)) {
    return { state: "waiting", for: "the controller has not observed the change yet" };
  }
  if (status.phase === "Installed" && isConditionTrue(status.conditions, "Ready")) return { state: "done" };
  const message = status.message || addonPhase(seen);
  if (!isOver(status)) return { state: "waiting", for: message };
  const why = findCondition(status.conditions, "Ready")?.message || message;
  return { state: "failed", error: new Unavailable(`${title} has failed: ${why}`, { hint: statusHint(seen) }) };
}

/** Whether the requested change failed, although Butler may retry it later. */
function isOver({ phase, conditions }: NonNullable<TenantAddon["status"]>): boolean {
  if (phase === "Failed" || phase === "Degraded") return true;
  return phase === "Installed" && findCondition(conditions, "Ready")?.reason === "UpgradeFailed";
}

/** Whether an add-on is removed completely. */
export function judgeRemoved(seen: Seen, addon: TenantAddon): Verdict {
  if (seen === undefined || seen.metadata.uid !== addon.metadata.uid) return { state: "done" };
  if (!isBeingDeleted(seen)) {
    return { state: "failed", error: new InvalidInput(`${addonTitle(addon)} is not being removed`) };
  }
  return { state: "waiting", for: seen.status?.message || "removing the chart's resources" };
}

/** How to check the status of an add-on, as a sentence. */
export function statusHint(addon: TenantAddon): string {
  const { namespace = "", name } = addon.metadata;
  const title = addon.spec.addon || name;
  return `Check its status with: ${shellCommand("butlerctl", "addon", "status", addon.spec.clusterRef.name, title, "-n", namespace)}`;
}
