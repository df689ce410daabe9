import { TenantAddon } from "@butler/api";
import {
  type OutputFormat,
  outputOption,
  renderObjects,
  shellCommand,
  type Terminal,
  UsageError,
  withExamples,
} from "@butler/cli-kit";
import { readList, type Session, withSession } from "@butler/cli-session";
import { keyText, withoutManagedFields } from "@butler/resource";
import { Command } from "commander";
import { optionalName } from "../cluster/arguments.ts";
import { findCluster, namedNamespace } from "../cluster/find-cluster.ts";
import { addonView } from "./addon-view.ts";
import { type AddonOptions, withPlaces } from "./arguments.ts";
import { readAddons } from "./facts.ts";

interface ListOptions extends AddonOptions {
  readonly allNamespaces?: boolean;
  readonly output: OutputFormat;
  readonly headers: boolean;
}

/** `butlerctl addon list`. */
export function listCommand(terminal: Terminal): Command {
  const command = new Command("list")
    .alias("ls")
    .description("List the add-ons on a cluster, or on all clusters in a namespace")
    .argument("[cluster]", "name of the cluster")
    .option("-A, --all-namespaces", "list add-ons on clusters in all namespaces")
    .addOption(outputOption())
    .option("--no-headers", "do not print headers")
    .action(async (place: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<ListOptions>();
      const name = optionalName(place, { name: options.cluster });
      if (options.allNamespaces && (name ?? options.namespace ?? options.team) !== undefined) {
        throw new UsageError("-A cannot be combined with a cluster, -n or --team");
      }
      await withSession(terminal, options, async (session) => {
        const { addons, where } = await readShown(session, name, options);
        const view = addonView(() => terminal.clock.now(), { hasCluster: name === undefined });
        const { output: format, headers: hasHeader } = options;
        const text = renderObjects(view, addons.map(withoutManagedFields), {
          format,
          hasHeader,
          paint: terminal.paint,
        });
        if (text !== "") terminal.print(text);
        else terminal.say(`No add-ons found${where}. List available add-ons with: butlerctl addon catalog`);
      });
    });
  return withExamples(withPlaces(command), [
    "butlerctl addon list blue",
    "butlerctl addon list --cluster blue -o wide",
    "butlerctl addon list --team payments",
  ]);
}

interface Shown {
  readonly addons: readonly TenantAddon[];
  /** As the end of a sentence. */
  readonly where: string;
}

async function readShown(session: Session, name: string | undefined, options: ListOptions): Promise<Shown> {
  if (name !== undefined) {
    const cluster = await findCluster(session, { ...options, name });
    return { addons: await readAddons(session, cluster), where: ` on ${name}` };
  }
  const namespace = (await namedNamespace(session, options)) ?? session.contextNamespace;
  if (namespace === undefined && !options.allNamespaces) {
    const all = shellCommand("butlerctl", "addon", "list", "-A");
    throw new UsageError("the cluster name is required", {
      hint: `Pass it as an argument, or list the add-ons on all clusters with: ${all}`,
    });
  }
  const scope = options.allNamespaces ? {} : { namespace };
  const addons = await readList(session, TenantAddon, scope);
  const sorted = addons.toSorted((left, right) => (keyText(left.metadata) < keyText(right.metadata) ? -1 : 1));
  return { addons: sorted, where: namespace === undefined || options.allNamespaces ? "" : ` in ${namespace}` };
}
