import {
  type Fact,
  factLines,
  isDataFormat,
  type ObjectView,
  type OutputFormat,
  outputOption,
  renderObject,
  renderValue,
  type Style,
  type Terminal,
  UsageError,
  withExamples,
} from "@butler/cli-kit";
import { type SessionOptions, withSession } from "@butler/cli-session";
import { InvalidInput, NotFound } from "@butler/std";
import { Command, Option } from "commander";
import { teamNamespace } from "../cluster/find-cluster.ts";
import { keepCopy, writePrivate } from "../cluster/kubeconfig.ts";
import { withRowsOptions } from "../rows-command.ts";
import { everySoOften, type RowsOptions, showRows } from "../show-rows.ts";
import { readConfigFiles } from "./config-files.ts";
import { changeContext, type ConfigFile, type ContextEntry, contextsIn, fileOfCurrent } from "./kubeconfig-contexts.ts";
import { type Destination, isPlatform, probe, type ProbedContext } from "./probe.ts";

const intervalMs = 5_000;

/** `butlerctl context`, with all of its commands. */
export function contextGroup(terminal: Terminal): Command {
  const group = new Command("context").description("Manage kubeconfig contexts of Butler platforms").alias("contexts");
  for (const command of [listCommand, useCommand, showCommand]) group.addCommand(command(terminal));
  return group;
}

interface ListOptions extends SessionOptions, RowsOptions {
  readonly all?: boolean;
  readonly offline?: boolean;
}

function listCommand(terminal: Terminal): Command {
  const command = withRowsOptions(
    new Command("list")
      .alias("ls")
      .description("List kubeconfig contexts that point to Butler platforms")
      .option("--all", "include contexts that point elsewhere")
      .option("--offline", "list all contexts without contacting their servers"),
  );
  command.action(async (_options, self: Command) => {
    const options = self.optsWithGlobals<ListOptions>();
    await showRows(terminal, options, {
      view: contextView,
      read: async () => {
        const found = await probedContexts(terminal, options);
        if (options.all || options.offline) return found;
        const shown = found.filter(isPlatform);
        const hidden = found.length - shown.length;
        if (hidden > 0 && !options.watch) terminal.say(hiddenText(hidden));
        return shown;
      },
      idOf: ({ name }) => name,
      changes: (signal) => everySoOften(terminal.clock, intervalMs, signal),
      nothing: "No context points to a Butler platform. Sign in with: butlerctl login --server https://...",
    });
  });
  return withExamples(command, ["butlerctl context list", "butlerctl context list --all -o wide"]);
}

function hiddenText(count: number): string {
  const what = count === 1 ? "1 more context is" : `${count} more contexts are`;
  return `${what} unreachable or not a Butler platform. List all contexts with --all.`;
}

async function probedContexts(terminal: Terminal, options: ListOptions): Promise<ProbedContext[]> {
  const entries = contextsIn(await readConfigFiles(terminal, options.kubeconfig));
  if (options.offline) return entries.map((entry) => ({ ...entry, leadsTo: "not asked", note: "" }));
  return Promise.all(entries.map((entry) => probe(terminal, withoutContext(options), entry)));
}

function withoutContext({ kubeconfig }: SessionOptions): SessionOptions {
  return kubeconfig === undefined ? {} : { kubeconfig };
}

interface UseOptions extends SessionOptions {
  readonly namespace?: string;
  readonly team?: string;
}

function useCommand(terminal: Terminal): Command {
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

/** The given context, or the current one. */
export function requireContext(entries: readonly ContextEntry[], name: string | undefined): ContextEntry {
  const found = entries.find((entry) => (name === undefined ? entry.isCurrent : entry.name === name));
  if (found !== undefined) return found;
  if (name === undefined) {
    throw new InvalidInput("the kubeconfig has no current context", {
      hint: "Select one with: butlerctl context use",
    });
  }
  const names = entries.map((entry) => entry.name);
  throw new NotFound(`the kubeconfig has no context "${name}"`, {
    hint: names.length === 0 ? "It has no contexts." : `Contexts: ${names.join(", ")}.`,
  });
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

interface ShowOptions extends SessionOptions {
  readonly output: OutputFormat;
}

function showCommand(terminal: Terminal): Command {
  const command = new Command("show")
    .description("Show a context: server, platform, namespace and user")
    .argument("[context]", "name of the context (default: the current context)")
    .addOption(outputOption(["table", "json", "yaml", "name"]))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<ShowOptions>();
      const files = await readConfigFiles(terminal, options.kubeconfig);
      const entry = requireContext(contextsIn(files), name ?? options.context);
      const found = await probe(terminal, withoutContext(options), entry);
      const { output } = options;
      if (isDataFormat(output)) terminal.print(renderValue(found, output));
      else if (output === "name") terminal.print(renderObject(contextView, found, { format: "name" }));
      else terminal.print(contextLines(found).join("\n"));
    });
  return withExamples(command, ["butlerctl context show", "butlerctl context show production -o json"]);
}

const destinations: Readonly<Record<Destination, { readonly text: string; readonly style?: Style }>> = {
  butler: { text: "Butler platform", style: "good" },
  other: { text: "cluster without Butler" },
  refused: { text: "access denied", style: "bad" },
  away: { text: "unreachable", style: "bad" },
  "not asked": { text: "not checked", style: "faint" },
};

/** A context as text. */
export function contextLines({
  name,
  server,
  user,
  namespace,
  signedInTo,
  file,
  leadsTo,
  note,
}: ProbedContext): string[] {
  const facts: readonly Fact[] = [
    ["Context", name],
    ["Server", server],
    ["Target", destinations[leadsTo].text + (note === "" ? "" : `: ${note}`)],
    ["Namespace", namespace ?? "none (commands search all namespaces you can access)"],
    ["User", user],
    ["Signed in to", signedInTo],
    ["File", file],
  ];
  return factLines(facts, 14);
}

const contextView: ObjectView<ProbedContext> = {
  nameOf: ({ name }) => name,
  columns: [
    { title: "CURRENT", value: ({ isCurrent }) => (isCurrent ? "*" : "") },
    { title: "NAME", value: ({ name }) => name },
    {
      title: "TARGET",
      value: ({ leadsTo }) => destinations[leadsTo].text,
      style: ({ leadsTo }) => destinations[leadsTo].style,
    },
    { title: "NAMESPACE", value: ({ namespace }) => namespace ?? "-" },
    { title: "SERVER", value: ({ server }) => server },
    { title: "USER", value: ({ user }) => user, isWide: true },
    { title: "SIGNED IN TO", value: ({ signedInTo }) => signedInTo ?? "-", isWide: true },
    { title: "FILE", value: ({ file }) => file, isWide: true },
    { title: "NOTE", value: ({ note }) => note, isWide: true },
  ],
};
