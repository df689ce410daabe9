import { type Terminal, UsageError, withExamples } from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { Command, Option } from "commander";
import { teamNamespace } from "../cluster/find-cluster.ts";
import { keepCopy, writePrivate } from "../cluster/kubeconfig.ts";
import { readConfigFiles } from "./config-files.ts";
import { changeContext, type ConfigFile, type ContextEntry, contextsIn, fileOfCurrent } from "./kubeconfig-contexts.ts";
import { withoutContext, requireContext } from "./find-context.ts";

interface UseOptions extends SessionOptions {
  readonly namespace?: string;
  readonly team?: string;
}

/** `butlerctl context use`. */
export function useCommand(terminal: Terminal): Command {
  const command = new Command("use")
    .description("Switch the current context, or set its namespace")
    .argument("[context]", "name of the context (default: the current context)")
    .option("-n, --namespace <namespace>", "default namespace of the context")
    .addOption(new Option("--team <team>", "use the namespace of this team").conflicts("namespace"))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<UseOptions>();
      if (name === undefined && options.namespace === undefined && options.team === undefined) {
        throw new UsageError("specify a context, or a namespace with -n or --team", {
          hint: "List contexts with: butlerctl context list",
        });
      }
      await use(terminal, options, name ?? options.context);
    });
  return withExamples(command, [
    "butlerctl context use production",
    "butlerctl context use --team payments",
    "butlerctl context use production -n payments",
  ]);
}

async function use(terminal: Terminal, options: UseOptions, name: string | undefined): Promise<void> {
  const files = await readConfigFiles(terminal, options.kubeconfig);
  const entry = requireContext(contextsIn(files), name);
  const namespace = await wantedNamespace(terminal, options, entry);
  const ofCurrent = fileOfCurrent(files);
  for (const file of files) {
    const changed = changeContext(file, {
      ...(file === ofCurrent && !entry.isCurrent ? { current: entry.name } : {}),
      ...(file.path === entry.file && namespace !== undefined
        ? { namespace: { context: entry.name, name: namespace } }
        : {}),
    });
    await writeIfChanged(file, changed);
  }
  const where = namespace ?? entry.namespace;
  terminal.say(`The current context is ${entry.name}${where === undefined ? "" : `, with namespace ${where}`}.`);
}

async function writeIfChanged(file: ConfigFile, changed: string): Promise<void> {
  if (changed === file.text) return;
  await keepCopy(file.path);
  await writePrivate(file.path, changed);
}

async function wantedNamespace(
  terminal: Terminal,
  options: UseOptions,
  { name }: ContextEntry,
): Promise<string | undefined> {
  const { team, namespace } = options;
  if (team === undefined) return namespace;
  return withSession(terminal, { ...withoutContext(options), context: name }, (session) =>
    teamNamespace(session, team),
  );
}
