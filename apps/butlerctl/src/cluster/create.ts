import { TenantCluster } from "@butler/api";
import {
  type OutputFormat,
  renderObject,
  renderValue,
  shellCommand,
  type Terminal,
  timeoutOption,
} from "@butler/cli-kit";
import { AlreadyExists } from "@butler/kube";
import { keyText, withoutManagedFields } from "@butler/resource";
import { Conflict, NotFound } from "@butler/std";
import { type Command, Option } from "commander";
import { type Session, withSession } from "@butler/cli-session";
import { clusterCommand } from "./arguments.ts";
import type { NewCluster } from "./build-cluster.ts";
import { clusterView } from "./cluster-view.ts";
import { interview } from "./interview.ts";
import { equivalentCommand, optionsOf } from "./interview-questions.ts";
import { newClusterOf, type NewClusterFlags, withNewClusterOptions } from "./new-cluster-options.ts";
import { explainRefusal } from "@butler/changes";
import { followHint, waitForReady } from "./wait-for-cluster.ts";

interface CreateOptions extends NewClusterFlags {
  readonly dryRun?: boolean;
  readonly output?: OutputFormat;
  readonly wait?: boolean;
  readonly timeout: number;
}

/** `butlerctl cluster create`. */
export function createCommand(terminal: Terminal): Command {
  const command = clusterCommand("create", "Create a cluster (interactive when run in a terminal without options)", [
    "butlerctl cluster create",
    "butlerctl cluster create blue --team payments",
    "butlerctl cluster create blue --team payments --environment dev --workers 3 --cpu 4 --memory 8Gi --wait",
    "butlerctl cluster create -f cluster.yaml --wait --timeout 20m",
  ]);
  return withNewClusterOptions(command)
    .option("--dry-run", "print the manifest without creating the cluster")
    .addOption(
      new Option("-o, --output <format>", "output format for the created cluster").choices([
        "name",
        "json",
        "yaml",
        "table",
        "wide",
      ]),
    )
    .option("--wait", "wait until the cluster is ready and print progress")
    .addOption(timeoutOption("15m"))
    .action(async (positional: string | undefined, _options, self: Command) => {
      const flags = self.optsWithGlobals<CreateOptions>();
      await withSession(terminal, flags, async (session) => {
        if (isBare(self) && terminal.isInteractive) {
          await createByAsking({ terminal, session, flags });
          return;
        }
        const wanted = await newClusterOf(session, { positional, flags, terminal });
        if (flags.dryRun) terminal.print(renderValue(wanted, flags.output === "json" ? "json" : "yaml"));
        else await create({ terminal, session, flags }, wanted);
      });
    });
}

/** Whether the command was given no arguments or options. */
function isBare(self: Command): boolean {
  return (
    self.args.length === 0 &&
    self.options.every((option) => self.getOptionValueSource(option.attributeName()) !== "cli")
  );
}

/** Asks for values, shows the manifest and the equivalent command, and creates the cluster on confirmation. */
async function createByAsking({ terminal, session, flags }: Creating): Promise<void> {
  const answers = await interview(terminal, session);
  const asked = { ...flags, ...optionsOf(answers) } as CreateOptions;
  const wanted = await newClusterOf(session, { positional: answers.name, flags: asked, terminal });
  terminal.say(`\n${renderValue(wanted, "yaml")}\n`);
  terminal.say(`Equivalent command: ${equivalentCommand(answers, globalWords(flags))}`);
  const answer = (await terminal.ask("Create this cluster? [Y/n] ")).trim().toLowerCase();
  if (answer === "" || answer === "y" || answer === "yes") await create({ terminal, session, flags: asked }, wanted);
  else terminal.say("Nothing was created.");
}

function globalWords({ kubeconfig, context }: CreateOptions): string[] {
  return [
    ...(kubeconfig === undefined ? [] : ["--kubeconfig", kubeconfig]),
    ...(context === undefined ? [] : ["--context", context]),
  ];
}

interface Creating {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly flags: CreateOptions;
}

async function create({ terminal, session, flags }: Creating, wanted: NewCluster): Promise<void> {
  const made = await send(session, wanted);
  const { name, namespace = "" } = made.metadata;
  terminal.say(`Creating ${keyText(made.metadata)}.`);
  const done = flags.wait ? await waitForReady({ terminal, session, timeoutMs: flags.timeout }, made) : made;
  if (flags.output !== undefined) {
    const view = clusterView(() => terminal.clock.now(), { hasNamespace: false });
    terminal.print(
      renderObject(view, withoutManagedFields(done ?? made), { format: flags.output, paint: terminal.paint }),
    );
  }
  if (flags.wait)
    terminal.say(
      `${name} is ready. Use it with: ${shellCommand("butlerctl", "cluster", "kubeconfig", name, "-n", namespace)}`,
    );
  else terminal.say(followHint(made));
}

async function send({ client, signal }: Session, wanted: NewCluster): Promise<TenantCluster> {
  const { name, namespace = "" } = wanted.metadata;
  try {
    return await client.create(TenantCluster, wanted, { fieldManager: "butlerctl", fieldValidation: "Strict", signal });
  } catch (error) {
    throw explainCreation(error, { name, namespace });
  }
}

/** The error shown for a failed creation. */
export function explainCreation(error: unknown, { name, namespace }: { name: string; namespace: string }): unknown {
  if (error instanceof AlreadyExists) {
    return new Conflict(`cluster "${name}" already exists in namespace ${namespace}`, {
      hint: `Show it with: ${shellCommand("butlerctl", "cluster", "describe", name, "-n", namespace)}`,
    });
  }
  if (error instanceof NotFound) {
    return new NotFound(`namespace ${namespace} not found`, {
      hint: "Specify your team with --team, or another namespace with -n.",
      cause: error,
    });
  }
  return explainRefusal(`the cluster ${name}`, error);
}
