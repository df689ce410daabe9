import { assignedValues, mergeValues, wantedManagementRelease } from "@butler/addons";
import { ManagementAddon } from "@butler/api";
import {
  confirmByTyping,
  type OutputFormat,
  outputOption,
  renderObjects,
  renderValue,
  type Terminal,
  withExamples,
} from "@butler/cli-kit";
import { readList, type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { type InputOf, isBeingDeleted, parseObject, withoutManagedFields } from "@butler/resource";
import { Conflict, InvalidInput, NotFound } from "@butler/std";
import { Command, Option } from "commander";
import { requireDefinition } from "./catalog-looking.ts";
import { describeManagement } from "./describe-management.ts";
import { byName, managementPhase, managementView } from "./views.ts";

interface ListOptions extends SessionOptions {
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** `butleradm addon list`. */
export function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .alias("ls")
    .description("List the add-ons of the management cluster")
    .addOption(outputOption())
    .option("--no-headers", "omit table headers")
    .action(async (_options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      await withSession(terminal, options, async (session) => {
        const addons = (await readList(session, ManagementAddon, {})).sort(byName).map(withoutManagedFields);
        const { output: format, headers: hasHeader } = options;
        const view = managementView(() => terminal.clock.now());
        const text = renderObjects(view, addons, { format, hasHeader, paint: terminal.paint });
        if (text !== "") terminal.print(text);
        else terminal.say("No add-ons on the management cluster. Install one with: butleradm addon install");
      });
    });
  return withExamples(command, ["butleradm addon list", "butleradm addon list -o wide"]);
}

interface InstallOptions extends SessionOptions {
  readonly version?: string;
  readonly set?: readonly string[];
  readonly paused?: boolean;
  readonly dryRun?: boolean;
}

/** `butleradm addon install`. */
export function installCommand(terminal: Terminal): Command {
  const command = new Command("install")
    .alias("enable")
    .description("Install an add-on from the catalog on the management cluster")
    .argument("<addon>", "name of the add-on in the catalog")
    .option("--version <version>", "chart version (default: the catalog's)")
    .addOption(
      new Option("--set <path=value>", "set a chart value, such as controller.replicas=2; may be repeated").argParser(
        (word: string, before: readonly string[] | undefined) => [...(before ?? []), word],
      ),
    )
    .option("--paused", "create the object, but install nothing until spec.paused is false")
    .option("--dry-run", "print the object without creating it")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<InstallOptions>();
      const wish = buildAddon(name, options);
      await withSession(terminal, options, async (session) => {
        const there = await session.client.find(ManagementAddon, { name }, session.signal);
        if (there !== undefined) {
          terminal.say(`${name} already exists on the management cluster: ${managementPhase(there)}.`);
          return;
        }
        await check(session, wish);
        if (options.dryRun) terminal.print(renderValue(wish, "yaml"));
        else await install({ terminal, session }, wish);
      });
    });
  return withExamples(command, [
    "butleradm addon install metrics-server",
    "butleradm addon install cert-manager --version v1.16.2 --set replicaCount=2",
  ]);
}

type NewAddon = InputOf<typeof ManagementAddon>;

function buildAddon(name: string, { version, set = [], paused }: InstallOptions): NewAddon {
  const { values } = mergeValues(assignedValues(set).map((layer) => ({ from: "addon", values: layer })));
  return {
    apiVersion: ManagementAddon.apiVersion,
    kind: ManagementAddon.kind,
    metadata: { name },
    spec: {
      addon: name,
      ...(version === undefined ? {} : { version }),
      ...(set.length === 0 ? {} : { values }),
      ...(paused ? { paused } : {}),
    },
  };
}

async function check(session: Session, wish: NewAddon): Promise<void> {
  const definition = await requireDefinition(session, wish.spec.addon);
  const result = wantedManagementRelease({ addon: parseObject(ManagementAddon, wish), definition });
  if (!("fault" in result)) return;
  throw new InvalidInput(`cannot install ${wish.metadata.name}: ${result.fault.message}`, {
    hint: `Show its values with: butleradm addon catalog show ${wish.spec.addon}`,
  });
}

interface Working {
  readonly terminal: Terminal;
  readonly session: Session;
}

async function install({ terminal, session: { client, signal } }: Working, wish: NewAddon): Promise<void> {
  await client.create(ManagementAddon, wish, { fieldManager: "butleradm", fieldValidation: "Strict", signal });
  const { name } = wish.metadata;
  terminal.say(
    `${name} is being installed on the management cluster. Check its status with: butleradm addon status ${name}`,
  );
}

interface UninstallOptions extends SessionOptions {
  readonly yes?: boolean;
}

/** `butleradm addon uninstall`. */
export function uninstallCommand(terminal: Terminal): Command {
  const command = new Command("uninstall")
    .alias("disable")
    .description("Uninstall an add-on from the management cluster")
    .argument("<addon>", "name of the add-on")
    .option("-y, --yes", "skip the confirmation prompt")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<UninstallOptions>();
      await withSession(terminal, options, async (session) => {
        const addon = await requireAddon(session, name);
        if (isBeingDeleted(addon)) {
          terminal.say(`${name} is already being removed.`);
          return;
        }
        const question = "Type the name of the add-on to remove it and all resources of its chart:";
        if (!options.yes && !(await confirmByTyping(terminal, { word: name, question, flag: "--yes" }))) {
          throw new InvalidInput("the name does not match; nothing was removed");
        }
        const { client, signal } = session;
        await client.delete(ManagementAddon, { name }, { uid: addon.metadata.uid, signal }).catch((error: unknown) => {
          if (error instanceof Conflict)
            throw new Conflict(`${name} was replaced in the meantime; nothing was removed`);
          throw error;
        });
        terminal.say(`${name} is being removed from the management cluster.`);
      });
    });
  return withExamples(command, ["butleradm addon uninstall metrics-server --yes"]);
}

interface StatusOptions extends SessionOptions {
  readonly output: "table" | "json" | "yaml";
}

/** `butleradm addon status`. */
export function statusCommand(terminal: Terminal): Command {
  const command = new Command("status")
    .alias("get")
    .description("Show the status of an add-on of the management cluster")
    .argument("<addon>", "name of the add-on")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<StatusOptions>();
      await withSession(terminal, options, async (session) => {
        const addon = withoutManagedFields(await requireAddon(session, name));
        if (options.output !== "table") terminal.print(renderValue(addon, options.output));
        else for (const line of describeManagement(addon, terminal.clock.now())) terminal.print(line);
      });
    });
  return withExamples(command, ["butleradm addon status metrics-server"]);
}

async function requireAddon({ client, signal }: Session, name: string): Promise<ManagementAddon> {
  const found = await client.find(ManagementAddon, { name }, signal);
  if (found !== undefined) return found;
  throw new NotFound(`add-on "${name}" not found on the management cluster`, {
    hint: "List them with: butleradm addon list",
  });
}
