import type { ManagementAddon } from "@butler/api";
import { readyText, recordSections, waitingSection } from "@butler/changes";
import { ageOf, type Fact, factLines, printable } from "@butler/cli-kit";
import { managementPhase } from "./views.ts";

/** Details of an add-on of the management cluster: state, pending resources, history and conditions. */
export function describeManagement(addon: ManagementAddon, now: Date): readonly string[] {
  const { status = {} } = addon;
  return [...factLines(factsOf(addon, now), 11), ...waitingSection(status), ...recordSections(status, now)];
}

function factsOf(addon: ManagementAddon, now: Date): readonly Fact[] {
  const { metadata, spec, status = {} } = addon;
  const { resources, helmRelease } = status;
  return [
    ["Name", metadata.name],
    ["Add-on", spec.addon],
    ["Phase", managementPhase(addon)],
    ["Message", printable(status.message ?? "")],
    ["Requested", spec.version || "catalog default at installation time"],
    ["Installed", status.installedVersion],
    ["Ready", resources && readyText(addon)],
    ["Release", helmRelease && `${helmRelease.name ?? ""} in namespace ${helmRelease.namespace ?? ""}`],
    ["Paused", spec.paused ? "yes; set spec.paused to false to resume" : ""],
    ["Age", ageOf(metadata.creationTimestamp, now)],
  ];
}
