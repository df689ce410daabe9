import type { TenantCluster } from "@butler/api";
import type { Terminal } from "@butler/cli-kit";
import { type Session, withSession } from "@butler/cli-session";
import type { Command } from "commander";
import { type ClusterOptions, requireName } from "./arguments.ts";
import { findCluster } from "./find-cluster.ts";

/**
 * The action of a command about one cluster, which is found first. With `staysInContext` a cluster in another namespace
 * than the context's must be named with its namespace.
 */
export function onCluster<Options extends ClusterOptions>(
  terminal: Terminal,
  work: (session: Session, cluster: TenantCluster, options: Options) => Promise<void>,
  staysInContext: (options: Options) => boolean = () => false,
) {
  return async (positional: string | undefined, _options: unknown, self: Command): Promise<void> => {
    const options = self.optsWithGlobals<Options>();
    // Validate the name before connecting.
    const name = requireName(positional, options);
    const wanted = { ...options, name, staysInContext: staysInContext(options) };
    await withSession(terminal, options, async (session) => work(session, await findCluster(session, wanted), options));
  };
}
