import { AddonDefinition, finalizers, ManagementAddon } from "@butler/api";
import { defineController, viaChanges, viaSpec } from "@butler/controller";
import { isConditionTrue, keyOf } from "@butler/resource";
import type { ReleaseEffect } from "../release/effects.ts";
import { releasePerformers } from "../release/release-ports.ts";
import { type ManagementAddonPorts, observe, type Observed } from "./observe.ts";
import { plan } from "./plan.ts";

/** Installs, reconciles and removes add-ons of the management cluster itself. */
export const managementAddonController = defineController<
  typeof ManagementAddon,
  Observed,
  ReleaseEffect,
  ManagementAddonPorts
>({
  name: "management-addon",
  primary: ManagementAddon,
  watches: [
    viaSpec(AddonDefinition, ({ metadata }, read) =>
      read
        .list(ManagementAddon)
        .filter(({ spec }) => spec.addon === metadata.name)
        .map(keyOf),
    ),
    // Add-ons that wait for dependencies are reconciled when those change.
    viaChanges(ManagementAddon, {
      of: ({ metadata, status }) =>
        [metadata.deletionTimestamp, status?.phase, isConditionTrue(status?.conditions, "Ready")].join(" "),
      map: ({ metadata }, read) =>
        read
          .list(ManagementAddon)
          .filter((other) => other.metadata.name !== metadata.name)
          .filter(({ status }) => !isConditionTrue(status?.conditions, "DependenciesMet"))
          .map(keyOf),
    }),
  ],
  // Credentials of repositories.
  permissions: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
  finalizer: finalizers.managementAddon,
  concurrency: 8,
  timeoutMs: 60_000,
  observe,
  plan,
  perform: releasePerformers,
});
