import type { AddonDefinition, TenantAddon } from "@butler/api";
import { renderValue, type Terminal, UsageError } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { deepEqual } from "@butler/std";
import type { Command } from "commander";
import {
  addonCommand,
  type AddonOptions,
  type DryRunOptions,
  type WaitOptions,
  withDryRun,
  withWait,
} from "./arguments.ts";
import { checkAddon } from "./build-addon.ts";
import { changeAddon, type SpecChange } from "./change-addon.ts";
import { readAddonFacts } from "./facts.ts";
import { addonTitle, requireAddon } from "./find-addon.ts";
import { onAddon } from "./on-addon.ts";
import { hasValues, type ValueFlags, valuesOf, withValueOptions } from "./value-options.ts";
import { waitForInstalled, waitOrHint } from "./wait-for-addon.ts";

interface UpgradeOptions extends AddonOptions, ValueFlags, DryRunOptions, WaitOptions {
  readonly version?: string;
  readonly resetValues?: boolean;
}

/** `butlerctl addon upgrade`. */
export function upgradeCommand(terminal: Terminal): Command {
  const command = addonCommand("upgrade", "Upgrade an add-on to another version, or change its values", [
    "butlerctl addon upgrade blue traefik --version 34.3.0 --wait",
    "butlerctl addon upgrade blue traefik --set deployment.replicas=3",
    "butlerctl addon upgrade blue traefik",
  ]);
  withValueOptions(command)
    .option("--version <version>", "version to upgrade to (default: the catalog default, unless values are given)")
    .option("--reset-values", "discard previously set values");
  return withWait(withDryRun(command, "print the resulting object without changing anything")).action(
    onAddon<UpgradeOptions>(terminal, async ({ session, options, found, names }) => {
      const facts = await readAddonFacts(session, found);
      const before = requireAddon(facts.addons, found, names.addon);
      const definition = facts.definitions.find(({ metadata }) => metadata.name === before.spec.addon);
      const change = await changeOf(before, definition, { options, terminal });
      const after = { ...before, spec: { ...before.spec, ...change } } as TenantAddon;
      const notes = checkAddon({ ...facts, addons: facts.addons.filter((each) => each !== before) }, after);
      if (options.dryRun) {
        const { apiVersion, kind, metadata, spec } = after;
        const { name, namespace } = metadata;
        terminal.print(renderValue({ apiVersion, kind, metadata: { name, namespace }, spec }, options.output));
        return;
      }
      for (const note of notes) terminal.say(note);
      await upgrade({ terminal, session, options }, before, change);
    }),
  );
}

interface Upgrading {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: UpgradeOptions;
}

async function upgrade(
  { terminal, session, options }: Upgrading,
  before: TenantAddon,
  change: SpecChange,
): Promise<void> {
  const title = addonTitle(before);
  const lines = changeLines(before, change);
  if (lines.length === 0) {
    terminal.say(`${title} already has the requested configuration.`);
    if (options.wait) await waitForInstalled({ terminal, session, timeoutMs: options.timeout }, before);
    return;
  }
  const changed = await changeAddon(session, before, change);
  for (const line of lines) terminal.say(`${title} ${line}.`);
  await waitOrHint({ terminal, session, options }, changed, `${title} is ready on ${before.spec.clusterRef.name}.`);
}

interface Asked {
  readonly options: UpgradeOptions;
  readonly terminal: Terminal;
}

async function changeOf(
  addon: TenantAddon,
  definition: AddonDefinition | undefined,
  { options, terminal }: Asked,
): Promise<SpecChange> {
  const changesValues = hasValues(options) || options.resetValues === true;
  const version = options.version ?? (changesValues ? undefined : definition?.spec.chart.defaultVersion);
  if (version === undefined && !changesValues) {
    throw new UsageError(`${addonTitle(addon)} is not in the catalog, so it has no default version`, {
      hint: "Specify one with --version.",
    });
  }
  return {
    ...(version === undefined ? {} : { version }),
    ...(changesValues ? { values: await newValues(addon, { options, terminal }) } : {}),
    // While rollbackTo is set, neither version nor values are applied.
    ...(addon.spec.rollbackTo === undefined ? {} : { rollbackTo: undefined }),
  };
}

async function newValues({ spec }: TenantAddon, { options, terminal }: Asked): Promise<TenantAddon["spec"]["values"]> {
  const values = await valuesOf(options, terminal, options.resetValues ? {} : spec.values);
  return Object.keys(values).length === 0 ? undefined : values;
}

/** The effects of a change, each as the end of a sentence; empty when nothing changes. */
export function changeLines({ spec, status }: TenantAddon, change: SpecChange): readonly string[] {
  const isOtherValues = "values" in change && !deepEqual(change.values ?? {}, spec.values ?? {});
  return [
    ...versionLines(change.version, { pinned: spec.version, running: status?.installedVersion ?? spec.version }),
    ...(isOtherValues ? ["uses the new values"] : []),
    ...("rollbackTo" in change ? [`is no longer rolled back to revision ${spec.rollbackTo}`] : []),
  ];
}

interface Versions {
  readonly pinned: string | undefined;
  readonly running: string | undefined;
}

function versionLines(wanted: string | undefined, { pinned, running }: Versions): readonly string[] {
  if (wanted === undefined || wanted === pinned) return [];
  return [wanted === running ? `is pinned to ${running}` : `changes from ${running ?? "no version"} to ${wanted}`];
}
