import { TenantAddon } from "@butler/api";
import { matching, renderValue, type Terminal } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { Conflict } from "@butler/std";
import { type Command, Option } from "commander";
import { explainRefusal } from "@butler/changes";
import {
  addonCommand,
  type AddonNames,
  type AddonOptions,
  type DryRunOptions,
  type WaitOptions,
  withDryRun,
  withWait,
} from "./arguments.ts";
import { addonPhase } from "./addon-view.ts";
import { buildAddon, checkAddon, type NewAddon } from "./build-addon.ts";
import { type AddonFacts, readAddonFacts } from "./facts.ts";
import { addonTitle, chooseAddon } from "./find-addon.ts";
import { onAddon } from "./on-addon.ts";
import { hasValues, type ValueFlags, valuesOf, withValueOptions } from "./value-options.ts";
import { waitForInstalled, waitOrHint } from "./wait-for-addon.ts";

interface EnableOptions extends AddonOptions, ValueFlags, DryRunOptions, WaitOptions {
  readonly version?: string;
  readonly repository?: string;
  readonly chart?: string;
  readonly into?: string;
  readonly credentials?: string;
}

/** `butlerctl addon enable`. */
export function enableCommand(terminal: Terminal): Command {
  const command = addonCommand("enable", "Install an add-on on a cluster", [
    "butlerctl addon enable blue traefik --wait",
    "butlerctl addon enable blue cnpg --version 0.22.1 --set replicaCount=2",
    "butlerctl addon enable blue podinfo --repository oci://ghcr.io/stefanprodan/charts --chart podinfo --version 6.7.0",
  ]).alias("install");
  withValueOptions(command)
    .option("--version <version>", "chart version (default: the catalog default)")
    .addOption(
      new Option("--repository <url>", "URL of the repository for a chart that is not in the catalog").argParser(
        matching(/^(https?|oci):\/\/\S+$/, "Must be an https, http or oci URL."),
      ),
    )
    .option("--chart <chart>", "name of the chart in the repository (default: the add-on name)")
    .option("--into <namespace>", "namespace to install the chart into (default: the chart name)")
    .option(
      "--credentials <secret>",
      "Secret that contains the repository credentials, in the TenantCluster's namespace",
    );
  return withWait(withDryRun(command, "print the object without creating it")).action(
    onAddon<EnableOptions>(terminal, async ({ session, options, found, names }) => {
      const facts = await readAddonFacts(session, found);
      await enable({ terminal, session, options, facts }, names);
    }),
  );
}

interface Enabling {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: EnableOptions;
  readonly facts: AddonFacts;
}

async function enable({ terminal, session, options, facts }: Enabling, { cluster, addon }: AddonNames): Promise<void> {
  const existing = chooseAddon(facts.addons, { cluster, name: addon });
  if (existing !== undefined) {
    requireNothingNew(existing, options);
    terminal.say(`${addonTitle(existing)} already exists on ${cluster} (phase: ${addonPhase(existing)}).`);
    if (options.wait) await waitForInstalled({ terminal, session, timeoutMs: options.timeout }, existing);
    return;
  }
  const wish = buildAddon(facts, addon, { ...options, values: await valuesOf(options, terminal) });
  const notes = checkAddon(facts, wish);
  if (options.dryRun) {
    terminal.print(renderValue(wish, options.output));
    return;
  }
  const made = await send(session, wish);
  terminal.say(`Installing ${addon} on ${cluster}.`);
  for (const note of notes) terminal.say(note);
  await waitOrHint({ terminal, session, options }, made, `${addon} is ready on ${cluster}.`);
}

function requireNothingNew(existing: TenantAddon, options: EnableOptions): void {
  const { version, repository } = options;
  const isNew =
    (version !== undefined && version !== existing.spec.version) || hasValues(options) || repository !== undefined;
  if (!isNew) return;
  const title = addonTitle(existing);
  throw new Conflict(`${title} already exists on ${existing.spec.clusterRef.name}; nothing was changed`, {
    hint: `Change it with: butlerctl addon upgrade ${existing.spec.clusterRef.name} ${title}`,
  });
}

async function send({ client, signal }: Session, wish: NewAddon): Promise<TenantAddon> {
  try {
    return await client.create(TenantAddon, wish, { fieldManager: "butlerctl", fieldValidation: "Strict", signal });
  } catch (error) {
    if (error instanceof AlreadyExists) {
      throw new Conflict(`TenantAddon ${wish.metadata.name} already exists and belongs to another cluster`, {
        hint: "Choose another add-on name, and pass the chart with --repository and --chart.",
      });
    }
    throw explainRefusal(`the add-on ${wish.metadata.name}`, error);
  }
}
