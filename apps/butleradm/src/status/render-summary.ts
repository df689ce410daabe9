import { type Column, type Paint, plainPaint, printable, renderTable } from "@butler/cli-kit";
import { counted } from "../common/words.ts";
import { type Component, isComponentWell } from "../platform/components.ts";
import type { Summary } from "./summary.ts";

const columns: readonly Column<Component>[] = [
  { title: "COMPONENT", value: ({ name }) => name },
  {
    title: "READY",
    value: ({ ready, wanted }) => `${ready}/${wanted}`,
    style: (component) => (isComponentWell(component) ? "good" : "bad"),
  },
  { title: "VERSION", value: ({ version }) => version },
  { title: "RESTARTS", value: ({ restarts }) => String(restarts) },
  { title: "LEADER", value: ({ leader, isLed }) => leader ?? (isLed === false ? "none" : "-") },
];

/** The summary of an installation as text. */
export function renderSummary(summary: Summary, paint: Paint = plainPaint): string[] {
  const { release, namespace, kubernetes, components } = summary;
  const what =
    release === undefined
      ? "no Helm release"
      : `Butler ${release.version}, revision ${release.revision}, ${release.status}`;
  const facts: readonly (readonly [string, string])[] = [
    ["CRDs", kindsText(summary)],
    [
      "Webhooks",
      summary.webhooks
        .map(({ name, kind, asks }) => `${name} ${kind.startsWith("V") ? "validates" : "mutates"} ${asks}`)
        .join(", ") || "none",
    ],
    ["Clusters", clustersText(summary)],
    [
      "Pools",
      summary.pools
        .map(({ name, used, state }) => `${name} ${used}${state === "Well" ? "" : ` (${state})`}`)
        .join(", ") || "none",
    ],
    [
      "Stores",
      summary.dataStores.map(({ name, ready }) => `${name} ${ready ? "ready" : "not ready"}`).join(", ") || "none",
    ],
    ["Certificates", certificatesText(summary)],
  ];
  return [
    `${what}, in ${namespace}; Kubernetes ${kubernetes}`,
    "",
    ...(components.length === 0 ? ["No components found."] : renderTable(columns, components, { paint })),
    "",
    ...facts.map(([title, text]) => `${`${title}:`.padEnd(14)}${printable(text)}`),
    ...summary.unreadable.map(({ what: thing, why }) => `Unreadable:   ${printable(`${thing}: ${why}`)}`),
  ];
}

function kindsText({ kinds: { wanted, missing, different, notServed } }: Summary): string {
  const parts = [
    `${wanted - missing.length} of ${wanted}`,
    ...(different.length > 0 ? [`${different.length} differing from this version`] : []),
    ...(notServed.length > 0 ? [`${notServed.length} not served`] : []),
  ];
  return parts.join(", ");
}

function clustersText({ clusters: { total, phases } }: Summary): string {
  const parts = Object.entries(phases).map(([phase, count]) => `${count} ${phase}`);
  return total === 0 ? "none" : `${total}: ${parts.join(", ")}`;
}

function certificatesText({ certificates: { total, first } }: Summary): string {
  if (first === undefined) return "none";
  const when = first.daysLeft < 0 ? "has expired" : `expires in ${counted(first.daysLeft, "day")}`;
  return `${total}; the earliest ${when} (${first.what})`;
}
