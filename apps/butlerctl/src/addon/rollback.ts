import type { TenantAddon } from "@butler/api";
import { type Terminal, wholeNumber } from "@butler/cli-kit";
import { InvalidInput } from "@butler/std";
import { type Command, Option } from "commander";
import { addonCommand, type AddonOptions, type WaitOptions, withWait } from "./arguments.ts";
import { changeAddon } from "./change-addon.ts";
import { readAddons } from "./facts.ts";
import { addonTitle, requireAddon } from "./find-addon.ts";
import { onAddon } from "./on-addon.ts";
import { waitOrHint } from "./wait-for-addon.ts";

interface RollbackOptions extends AddonOptions, WaitOptions {
  readonly revision?: number;
}

/** `butlerctl addon rollback`. */
export function rollbackCommand(terminal: Terminal): Command {
  const command = addonCommand("rollback", "Roll back an add-on to an earlier revision", [
    "butlerctl addon rollback blue traefik --wait",
    "butlerctl addon rollback blue traefik --revision 3",
  ]).addOption(
    new Option("--revision <number>", "revision to roll back to (default: the last working revision)").argParser(
      wholeNumber(1, 2_147_483_647),
    ),
  );
  return withWait(command).action(
    onAddon<RollbackOptions>(terminal, async ({ session, options, found, names }) => {
      const before = requireAddon(await readAddons(session, found), found, names.addon);
      const { revision, version } = chooseRevision(before, options.revision);
      const changed = await changeAddon(session, before, { rollbackTo: revision });
      terminal.say(`Rolling back ${addonTitle(before)} to revision ${revision} (version ${version}).`);
      terminal.say("spec.version and spec.values of the TenantAddon are ignored until the next upgrade.");
      const done = `${addonTitle(before)} is ready at revision ${revision}.`;
      await waitOrHint({ terminal, session, options }, changed, done);
    }),
  );
}

type Revision = NonNullable<NonNullable<TenantAddon["status"]>["history"]>[number];

const noRevisions =
  "The add-on has not been installed yet. Check its progress with: butlerctl addon status CLUSTER ADDON";

/** The revision to roll back to: the one given, or the newest earlier one that worked. */
export function chooseRevision(addon: TenantAddon, wanted: number | undefined): Revision {
  const title = addonTitle(addon);
  const { history = [], helmRelease } = addon.status ?? {};
  const known = history.map(({ revision, version }) => `${revision} (${version})`).join(", ");
  if (wanted !== undefined) {
    const named = history.find(({ revision }) => revision === wanted);
    if (named !== undefined) return named;
    throw new InvalidInput(`${title} has no revision ${wanted}`, {
      hint: known === "" ? noRevisions : `Revisions: ${known}.`,
    });
  }
  const present = helmRelease?.revision ?? history[0]?.revision ?? 0;
  const earlier = history
    .filter(({ revision, status }) => revision < present && ["superseded", "deployed"].includes(status))
    .toSorted((left, right) => right.revision - left.revision);
  if (earlier[0] !== undefined) return earlier[0];
  throw new InvalidInput(`${title} has no earlier working revision`, {
    hint: known === "" ? noRevisions : `Revisions: ${known}.`,
  });
}
