import type { TenantAddon } from "@butler/api";
import { ageOf, type Column, type Paint, plainPaint, printable, renderTable } from "@butler/cli-kit";
import type { Condition } from "@butler/resource";
import { addonPhase, addonPhaseStyle, readyText } from "./addon-view.ts";
import { addonTitle } from "./find-addon.ts";

interface Look {
  readonly paint?: Paint;
  readonly now: Date;
}

type Status = NonNullable<TenantAddon["status"]>;
type Waiting = NonNullable<NonNullable<Status["resources"]>["waiting"]>[number];
type Revision = NonNullable<Status["history"]>[number];
type Drifted = NonNullable<Status["drift"]>[number];

/** An add-on in full: where it stands first, then what it waits for, its history and its conditions. */
export function describeAddon(addon: TenantAddon, { paint = plainPaint, now }: Look): string[] {
  const { resources, history = [], conditions = [], drift = [] } = addon.status ?? {};
  return [
    ...overview(addon, { paint, now }),
    ...section("Waiting for", renderRows(waitingColumns, resources?.waiting ?? [])),
    ...section("Changed by somebody", renderRows(driftColumns, drift)),
    ...section("History", renderRows(historyColumns(now), history)),
    ...section("Conditions", renderRows(conditionColumns(now), conditions)),
  ];
}

type Fact = readonly [title: string, value: string | undefined];

function overview(addon: TenantAddon, { paint, now }: Required<Look>): string[] {
  const { metadata, status = {} } = addon;
  const facts: readonly Fact[] = [
    ["Name", metadata.name],
    ["Cluster", addon.spec.clusterRef.name],
    ["Phase", paint(addonPhaseStyle(addon), addonPhase(addon))],
    ["Message", printable(status.message ?? "")],
    ...wishFacts(addon),
    ["Installed", status.installedVersion],
    ["Ready", readyText(addon)],
    ...releaseFacts(status),
    ["Last", status.lastAttempt && attemptText(status.lastAttempt, now)],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
  return facts.flatMap(([title, value]) => (value ? [`${`${title}:`.padEnd(11)}${value}`] : []));
}

function wishFacts(addon: TenantAddon): readonly Fact[] {
  const { helm, version, rollbackTo, paused } = addon.spec;
  return [
    ["Add-on", helm === undefined ? addonTitle(addon) : `${helm.chart} from ${helm.repository}`],
    ["Wanted", version || "whatever is installed first"],
    ["Held at", rollbackTo === undefined ? "" : `revision ${rollbackTo}, until the next upgrade`],
    ["Paused", paused ? "yes: changes wait until spec.paused is false" : ""],
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

const objectName = ({ kind, namespace, name }: Waiting | Drifted): string =>
  `${kind} ${namespace ? `${namespace}/` : ""}${name}`;

const waitingColumns: readonly Column<Waiting>[] = [
  { title: "OBJECT", value: objectName },
  { title: "STATE", value: ({ state }) => state, style: ({ state }) => (state === "failed" ? "bad" : "busy") },
  { title: "MESSAGE", value: ({ message }) => message },
];

const driftColumns: readonly Column<Drifted>[] = [
  { title: "OBJECT", value: objectName },
  { title: "MESSAGE", value: ({ message }) => message },
];

const historyColumns = (now: Date): readonly Column<Revision>[] => [
  { title: "REVISION", value: ({ revision }) => String(revision) },
  { title: "VERSION", value: ({ version }) => version },
  { title: "STATUS", value: ({ status }) => status },
  { title: "AGE", value: ({ deployedAt }) => ageOf(deployedAt, now) },
  { title: "HOW", value: ({ description }) => description ?? "" },
];

const conditionColumns = (now: Date): readonly Column<Condition>[] => [
  { title: "CONDITION", value: ({ type }) => type },
  { title: "STATUS", value: ({ status }) => status },
  { title: "REASON", value: ({ reason }) => reason },
  { title: "AGE", value: ({ lastTransitionTime }) => ageOf(lastTransitionTime, now) },
  { title: "MESSAGE", value: ({ message }) => message },
];

function renderRows<T>(columns: readonly Column<T>[], rows: readonly T[]): readonly string[] {
  return rows.length === 0 ? [] : renderTable(columns, rows);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
}
