import type { ManagementAddon } from "@butler/api";
import { ageOf, type Column, printable, renderTable } from "@butler/cli-kit";
import type { Condition } from "@butler/resource";
import { managementPhase } from "./views.ts";

type Status = NonNullable<ManagementAddon["status"]>;
type Waiting = NonNullable<NonNullable<Status["resources"]>["waiting"]>[number];
type Revision = NonNullable<Status["history"]>[number];

/** An add-on of the management cluster in full: where it stands, what it waits for, its history and its conditions. */
export function describeManagement(addon: ManagementAddon, now: Date): readonly string[] {
  const { status = {} } = addon;
  return [
    ...factsOf(addon, now).flatMap(([title, value]) => (value ? [`${`${title}:`.padEnd(11)}${value}`] : [])),
    ...section("Waiting for", { columns: waitingColumns, rows: status.resources?.waiting ?? [] }),
    ...section("History", { columns: historyColumns(now), rows: status.history ?? [] }),
    ...section("Conditions", { columns: conditionColumns(now), rows: status.conditions ?? [] }),
  ];
}

type Fact = readonly [title: string, value: string | undefined];

function factsOf(addon: ManagementAddon, now: Date): readonly Fact[] {
  const { metadata, spec, status = {} } = addon;
  const { resources, helmRelease } = status;
  return [
    ["Name", metadata.name],
    ["Add-on", spec.addon],
    ["Phase", managementPhase(addon)],
    ["Message", printable(status.message ?? "")],
    ["Wanted", spec.version || "whatever is installed first"],
    ["Installed", status.installedVersion],
    ["Ready", resources && `${resources.ready}/${resources.total}`],
    ["Release", helmRelease && `${helmRelease.name ?? ""} in namespace ${helmRelease.namespace ?? ""}`],
    ["Paused", spec.paused ? "yes: changes wait until spec.paused is false" : ""],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
}

const waitingColumns: readonly Column<Waiting>[] = [
  { title: "OBJECT", value: ({ kind, namespace, name }) => `${kind} ${namespace ? `${namespace}/` : ""}${name}` },
  { title: "STATE", value: ({ state }) => state },
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

function section<T>(
  title: string,
  table: { readonly columns: readonly Column<T>[]; readonly rows: readonly T[] },
): string[] {
  if (table.rows.length === 0) return [];
  return ["", `${title}:`, ...renderTable(table.columns, table.rows).map((line) => `  ${line}`)];
}
