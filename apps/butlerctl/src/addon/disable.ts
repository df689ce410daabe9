import { labels, TenantAddon } from "@butler/api";
import { confirmByTyping, type Terminal, timeoutOption } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { isBeingDeleted, keyOf } from "@butler/resource";
import { InvalidInput, NotFound } from "@butler/std";
import type { Command } from "commander";
import { explainRefusal } from "@butler/changes";
import { addonCommand, type AddonOptions } from "./arguments.ts";
import { type AddonFacts, readAddonFacts } from "./facts.ts";
import { addonTitle, requireAddon } from "./find-addon.ts";
import { onAddon } from "./on-addon.ts";
import { statusHint, waitForRemoved } from "./wait-for-addon.ts";

interface DisableOptions extends AddonOptions {
  readonly yes?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `butlerctl addon disable`. */
export function disableCommand(terminal: Terminal): Command {
  return addonCommand("disable", "Remove an add-on from a cluster", [
    "butlerctl addon disable blue traefik",
    "butlerctl addon disable blue traefik --yes --wait",
  ])
    .alias("uninstall")
    .option("-y, --yes", "skip the confirmation prompt")
    .option("--wait", "wait until the add-on is removed")
    .addOption(timeoutOption("15m"))
    .action(
      onAddon<DisableOptions>(terminal, async ({ session, options, found, names }) => {
        const facts = await readAddonFacts(session, found);
        const chosen = requireAddon(facts.addons, found, names.addon);
        await disable({ terminal, session, options }, chosen, facts);
        if (!options.wait) return;
        await waitForRemoved({ terminal, session, timeoutMs: options.timeout }, chosen);
        terminal.say(`${addonTitle(chosen)} was removed from ${names.cluster}.`);
      }),
    );
}

interface Disabling {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly options: DisableOptions;
}

async function disable(
  { terminal, session, options }: Disabling,
  addon: TenantAddon,
  facts: AddonFacts,
): Promise<void> {
  const title = addonTitle(addon);
  if (isBeingDeleted(addon)) {
    terminal.say(`${title} is already being removed. ${statusHint(addon)}`);
    return;
  }
  for (const line of removalNotes(addon, facts)) terminal.say(line);
  if (!options.yes) {
    const question = "Type the name of the add-on to remove it and everything its chart created:";
    if (!(await confirmByTyping(terminal, { word: title, question, flag: "--yes" }))) {
      throw new InvalidInput("the name does not match; nothing was removed");
    }
  }
  try {
    await session.client.delete(TenantAddon, keyOf(addon), { uid: addon.metadata.uid, signal: session.signal });
  } catch (error) {
    if (!(error instanceof NotFound)) throw explainRefusal(`removing ${title}`, error);
  }
  terminal.say(`${title} is being removed from ${addon.spec.clusterRef.name}. ${statusHint(addon)}`);
}

/** What the user should know before an add-on is removed. */
export function removalNotes(addon: TenantAddon, { addons, definitions }: AddonFacts): readonly string[] {
  const dependents = addons.filter(({ metadata, spec }) => {
    const definition = definitions.find((each) => each.metadata.name === spec.addon);
    const isNamed = spec.dependsOn?.some(({ name }) => name === addon.metadata.name) ?? false;
    const isNeeded =
      addon.spec.addon !== undefined && (definition?.spec.dependsOn?.includes(addon.spec.addon) ?? false);
    return metadata.name !== addon.metadata.name && (isNamed || isNeeded);
  });
  return [
    ...(dependents.length === 0
      ? []
      : [`Other add-ons depend on ${addonTitle(addon)}: ${dependents.map(addonTitle).join(", ")}.`]),
    ...(addon.metadata.labels?.[labels.baseline] === "true"
      ? [`${addonTitle(addon)} is a baseline add-on: Butler reinstalls it unless the cluster's spec disables it.`]
      : []),
  ];
}
