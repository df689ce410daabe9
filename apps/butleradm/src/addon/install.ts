import { assignedValues, mergeValues, wantedManagementRelease } from "@butler/addons";
import { ManagementAddon } from "@butler/api";
import { renderValue, type Terminal, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { type InputOf, parseObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { Command, Option } from "commander";
import { requireDefinition } from "./catalog/find-definition.ts";
import { managementPhase } from "./views.ts";

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
    .option("--version <version>", "chart version (default: the catalog default)")
    .addOption(
      new Option("--set <path=value>", "set a chart value, such as controller.replicas=2; may be repeated").argParser(
        (word: string, before: readonly string[] | undefined) => [...(before ?? []), word],
      ),
    )
    .option("--paused", "create the add-on paused; nothing is installed until spec.paused is false")
    .option("--dry-run", "print the object without creating it")
    .action(async (name: string, _options, self: Command) => {
      const options = self.optsWithGlobals<InstallOptions>();
      const wish = buildAddon(name, options);
      await withSession(terminal, options, async (session) => {
        const there = await session.client.find(ManagementAddon, { name }, session.signal);
        if (there !== undefined) {
          terminal.say(`${name} already exists on the management cluster (phase: ${managementPhase(there)}).`);
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
