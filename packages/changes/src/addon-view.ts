import type { ManagementAddon, TenantAddon } from "@butler/api";
import { ageOf, type Column, type Fact, factLines, printable, renderRows, section, type Style } from "@butler/cli-kit";
import type { Condition } from "@butler/resource";

type AnyAddon = TenantAddon | ManagementAddon;
type Status = NonNullable<AnyAddon["status"]>;
type Waiting = NonNullable<NonNullable<Status["resources"]>["waiting"]>[number];
type Revision = NonNullable<Status["history"]>[number];

const phaseStyles: Readonly<Record<string, Style>> = {
  Installed: "good",
  Installing: "busy",
  Upgrading: "busy",
  RollingBack: "busy",
  WaitingForDependencies: "busy",
  Degraded: "bad",
  Failed: "bad",
  Pending: "faint",
  Deleting: "leaving",
  Uninstalling: "leaving",
};

/** The color of an add-on's phase. */
export function addonPhaseStyle(phase: string): Style | undefined {
  return phaseStyles[phase];
}

/** Ready and total number of objects that the chart created. */
export function readyText({ status }: AnyAddon): string {
  return status?.resources === undefined ? "-" : `${status.resources.ready}/${status.resources.total}`;
}

/** A catalog entry as text: facts, its description, and further sections. */
export function entryLines(facts: readonly Fact[], description: string, sections: readonly string[]): string[] {
  const printed = facts.map(([title, value]): Fact => [title, printable(value ?? "")]);
  return [...factLines(printed, 13), "", printable(description), ...sections];
}

/** Display name of an object that a chart created. */
export function objectName({ kind, namespace, name }: Pick<Waiting, "kind" | "namespace" | "name">): string {
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
}

/** The objects that an add-on is waiting for. */
export function waitingSection({ resources }: Status): string[] {
  const columns: readonly Column<Waiting>[] = [
    { title: "OBJECT", value: objectName },
    { title: "STATE", value: ({ state }) => state },
    { title: "MESSAGE", value: ({ message }) => message },
  ];
  return section("Waiting for", renderRows(columns, resources?.waiting));
}

/** The revisions of an add-on, and its conditions. */
export function recordSections({ history, conditions }: Status, now: Date): string[] {
  const historyColumns: readonly Column<Revision>[] = [
    { title: "REVISION", value: ({ revision }) => String(revision) },
    { title: "VERSION", value: ({ version }) => version },
    { title: "STATUS", value: ({ status }) => status },
    { title: "AGE", value: ({ deployedAt }) => ageOf(deployedAt, now) },
    { title: "DESCRIPTION", value: ({ description }) => description ?? "" },
  ];
  const conditionColumns: readonly Column<Condition>[] = [
    { title: "CONDITION", value: ({ type }) => type },
    { title: "STATUS", value: ({ status }) => status },
    { title: "REASON", value: ({ reason }) => reason },
    { title: "AGE", value: ({ lastTransitionTime }) => ageOf(lastTransitionTime, now) },
    { title: "MESSAGE", value: ({ message }) => message },
  ];
  return [
    ...section("History", renderRows(historyColumns, history)),
    ...section("Conditions", renderRows(conditionColumns, conditions)),
  ];
}
