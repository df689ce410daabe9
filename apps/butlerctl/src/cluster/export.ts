import { TenantCluster } from "@butler/api";
import { isDataFormat, type OutputFormat, outputOption, renderValue, type Terminal, UsageError } from "@butler/cli-kit";
import { readList, type Session, withSession } from "@butler/cli-session";
import { isBeingDeleted } from "@butler/resource";
import { NotFound } from "@butler/std";
import type { Command } from "commander";
import { clusterCommand, type ClusterOptions, optionalName, requireName } from "./arguments.ts";
import { cleanCluster } from "./clean-cluster.ts";
import { findCluster, namedNamespace } from "./find-cluster.ts";

interface ExportOptions extends ClusterOptions {
  readonly output: OutputFormat;
  readonly as?: string;
  readonly all?: boolean;
  readonly leaveOpen?: boolean;
}

/** `butlerctl cluster export`. */
export function exportCommand(terminal: Terminal): Command {
  return clusterCommand("export", "Export a cluster as a manifest for recreating it", [
    "butlerctl cluster export blue > blue.yaml",
    "butlerctl cluster export blue --as green --leave-open | butlerctl cluster create -f -",
    "butlerctl cluster export --all --team payments > clusters.yaml",
  ])
    .option("--as <name>", "use this name in the manifest")
    .option("--all", "export every cluster in the namespace")
    .option(
      "--leave-open",
      "omit values inherited from the environment, team or platform, so that current defaults apply",
    )
    .addOption(outputOption(["yaml", "json"]))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<ExportOptions>();
      const as = optionalName(options.as, {});
      if (options.all && (optionalName(name, options) ?? as) !== undefined) {
        throw new UsageError("--all cannot be combined with a name or --as");
      }
      await withSession(terminal, options, async (session) => {
        const clusters = options.all
          ? await readAll(session, options)
          : [await findCluster(session, { ...options, name: requireName(name, options) })];
        const clean = clusters.map((cluster) => cleanCluster(cluster, { as, leavesOpen: options.leaveOpen }));
        if (isDataFormat(options.output) && options.output !== "yaml") {
          const list = { apiVersion: "v1", kind: "List", metadata: {}, items: clean };
          terminal.print(renderValue(options.all ? list : clean[0], options.output));
        } else terminal.print(clean.map((object) => renderValue(object, "yaml")).join("\n---\n"));
      });
    });
}

/** Clusters that are being deleted are not exported. */
async function readAll(session: Session, options: ExportOptions): Promise<TenantCluster[]> {
  const namespace = (await namedNamespace(session, options)) ?? session.contextNamespace;
  if (namespace === undefined) {
    throw new UsageError("--all requires a namespace", {
      hint: "Specify your team with --team, or a namespace with -n.",
    });
  }
  const found = (await readList(session, TenantCluster, { namespace })).filter((cluster) => !isBeingDeleted(cluster));
  if (found.length > 0) return found;
  throw new NotFound(`no clusters found in namespace ${namespace}`);
}
