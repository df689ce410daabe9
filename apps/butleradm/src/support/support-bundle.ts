import { resolve } from "node:path";
import { namespaces } from "@butler/api";
import { type Terminal, wholeNumber, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { Command } from "commander";
import { sealFiles } from "../archive/sealed.ts";
import { momentName, writePrivate } from "../archive/write-private.ts";
import { kubeconfigText } from "../platform/kubeconfig-text.ts";
import { bundleFiles } from "./bundle-files.ts";
import { collectBundle } from "./collect-bundle.ts";

interface BundleOptions extends SessionOptions {
  readonly namespace: string;
  readonly lines: number;
}

const mostLogBytes = 4 * 1024 * 1024;

/** `butleradm support-bundle`. */
export function supportBundleCommand(terminal: Terminal): Command {
  const command = new Command("support-bundle")
    .description("Collect diagnostics for support: state, objects, events and logs, without secrets")
    .argument("[file]", "file to write (default: butler-support-TIME.tar.gz)")
    .option("-n, --namespace <namespace>", "namespace of Butler's components", namespaces.system)
    .option("--lines <number>", "number of recent lines per log", wholeNumber(1, 1_000_000), 5_000)
    .action(async (file: string | undefined, _options, self: Command) => {
      const { namespace, lines, ...options } = self.optsWithGlobals<BundleOptions>();
      await withSession(terminal, options, async (session) => {
        const now = terminal.clock.now();
        const contents = await collectBundle(
          session,
          { namespace, now, kubeconfig: kubeconfigText(options) },
          { lines, bytes: mostLogBytes },
        );
        const files = bundleFiles(contents);
        const path = resolve(file ?? `butler-support-${momentName(now)}.tar.gz`);
        await writePrivate(path, await sealFiles(files, now));
        const { logs, notes } = contents;
        terminal.say(`${files.length} files, including ${logs.length} logs; ${notes.length} items could not be read.`);
        terminal.say(
          "Secrets were removed. Review the file before you share it: it contains object names, IP addresses and email addresses.",
        );
        terminal.print(path);
      });
    });
  return withExamples(command, ["butleradm support-bundle", "butleradm support-bundle incident-42.tar.gz --lines 500"]);
}
