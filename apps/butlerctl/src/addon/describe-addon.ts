import type { TenantAddon } from "@butler/api";
import { addonPhaseStyle, objectName, readyText, recordSections, waitingSection } from "@butler/changes";
import {
  ageOf,
  type Column,
  type Fact,
  factLines,
  type Paint,
  plainPaint,
  printable,
  renderRows,
  section,
} from "@butler/cli-kit";
import { addonPhase } from "./addon-view.ts";
import { addonTitle } from "./find-addon.ts";

interface Look {
  readonly paint?: Paint;
  readonly now: Date;
}

type Status = NonNullable<TenantAddon["status"]>;
type Drifted = NonNullable<Status["drift"]>[number];

/** An add-on in full: its state first, then what it waits for, its history and its conditions. */
export function describeAddon(addon: TenantAddon, { paint = plainPaint, now }: Look): string[] {
  const { status = {} } = addon;
  return [
    ...overview(addon, { paint, now }),
    ...waitingSection(status),
    ...section("Drift", renderRows(driftColumns, status.drift)),
    ...recordSections(status, now),
  ];
}

function overview(addon: TenantAddon, { paint, now }: Required<Look>): string[] {
  const { metadata, status = {} } = addon;
  const facts: readonly Fact[] = [
    ["Name", metadata.name],
    ["Cluster", addon.spec.clusterRef.name],
    ["Phase", paint(addonPhaseStyle(addonPhase(addon)), addonPhase(addon))],
    ["Message", printable(status.message ?? "")],
    ...wishFacts(addon),
    ["Installed", status.installedVersion],
    ["Ready", readyText(addon)],
    ...releaseFacts(status),
    ["Attempt", status.lastAttempt && attemptText(status.lastAttempt, now)],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
  return factLines(facts, 11);
}

function wishFacts(addon: TenantAddon): readonly Fact[] {
  const { helm, version, rollbackTo, paused } = addon.spec;
  return [
    ["Add-on", helm === undefined ? addonTitle(addon) : `${helm.chart} from ${helm.repository}`],
    ["Version", version || "not pinned; stays at the initially installed version"],
    ["Rollback", rollbackTo === undefined ? "" : `revision ${rollbackTo}, until the next upgrade`],
    ["Paused", paused ? "yes (changes are applied once spec.paused is false)" : ""],
  ];
}

function releaseFacts({ helmRelease }: Status): readonly Fact[] {
  if (helmRelease === undefined) return [];
  return [
    ["Release", helmRelease.name && `${helmRelease.name} in namespace ${helmRelease.namespace ?? ""}`],
    ["Revision", helmRelease.revision?.toString()],
  ];
}

function attemptText(attempt: NonNullable<Status["lastAttempt"]>, now: Date): string {
  const { action, outcome, message, finishedAt, startedAt, failures = 0 } = attempt;
  const when = `${ageOf(finishedAt ?? startedAt, now)} ago`;
  const often = failures > 1 ? `, ${failures} times in a row` : "";
  return `${action} ${outcome.toLowerCase()} ${when}${often}${message ? `: ${printable(message)}` : ""}`;
}

const driftColumns: readonly Column<Drifted>[] = [
  { title: "OBJECT", value: objectName },
  { title: "MESSAGE", value: ({ message }) => message },
];
