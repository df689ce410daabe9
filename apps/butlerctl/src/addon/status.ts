import { TenantAddon } from "@butler/api";
import { type OutputFormat, outputOption, renderObject, type Terminal } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { keyOf, withoutManagedFields } from "@butler/resource";
import type { Command } from "commander";
import { observeObject } from "../watch-objects.ts";
import { addonView } from "./addon-view.ts";
import { addonCommand, type AddonOptions } from "./arguments.ts";
import { describeAddon } from "./describe-addon.ts";
import { readAddons } from "./facts.ts";
import { addonTitle, requireAddon } from "./find-addon.ts";
import { onAddon } from "./on-addon.ts";

interface StatusOptions extends AddonOptions {
  readonly output: OutputFormat;
  readonly watch?: boolean;
}

/** `butlerctl addon status`. */
export function statusCommand(terminal: Terminal): Command {
  return addonCommand("status", "Show the status of an add-on: phase, objects that are not ready, and history", [
    "butlerctl addon status blue traefik",
    "butlerctl addon status blue traefik --watch",
    "butlerctl addon status --cluster blue --addon traefik -o yaml",
  ])
    .alias("get")
    .addOption(outputOption())
    .option("-w, --watch", "watch for changes until the add-on is removed")
    .action(
      onAddon<StatusOptions>(terminal, async ({ session, options, found, names }) => {
        const chosen = requireAddon(await readAddons(session, found), found, names.addon);
        if (options.watch) await showChanges({ terminal, session, options }, chosen);
        else terminal.print(render({ terminal, options }, chosen));
      }),
    );
}

interface Showing {
  readonly terminal: Terminal;
  readonly options: StatusOptions;
}

function render({ terminal, options }: Showing, addon: TenantAddon): string {
  const { output: format } = options;
  if (format === "table") return describeAddon(addon, { paint: terminal.paint, now: terminal.clock.now() }).join("\n");
  const view = addonView(() => terminal.clock.now(), { hasCluster: true });
  return renderObject(view, withoutManagedFields(addon), { format, paint: terminal.paint });
}

async function showChanges(showing: Showing & { readonly session: Session }, addon: TenantAddon): Promise<void> {
  const { terminal, session, options } = showing;
  const ended = new AbortController();
  const signal = AbortSignal.any([session.signal, ended.signal]);
  let before = "";
  try {
    for await (const seen of observeObject(session.client, { kind: TenantAddon, key: keyOf(addon) }, signal)) {
      if (seen === undefined) {
        terminal.say(`${addonTitle(addon)} was removed.`);
        return;
      }
      const text = render(showing, seen);
      if (text !== before) terminal.print(before === "" || options.output === "json" ? text : `---\n${text}`);
      before = text;
    }
    session.signal.throwIfAborted();
  } finally {
    ended.abort();
  }
}
