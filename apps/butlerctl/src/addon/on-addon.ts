import type { TenantCluster } from "@butler/api";
import type { Terminal } from "@butler/cli-kit";
import { type Session, withSession } from "@butler/cli-session";
import { findCluster } from "../cluster/find-cluster.ts";
import { type AddonNames, type AddonOptions, givenAddon } from "./arguments.ts";

/** What a command about an add-on works with. */
export interface AddonWork<Options> {
  readonly session: Session;
  readonly options: Options;
  readonly found: TenantCluster;
  readonly names: AddonNames;
}

/** The action of a command about one add-on of one cluster, which is found first. */
export function onAddon<Options extends AddonOptions>(
  terminal: Terminal,
  work: (given: AddonWork<Options>) => Promise<void>,
) {
  return async (...given: readonly unknown[]): Promise<void> => {
    const { self, names } = givenAddon(given);
    const options = self.optsWithGlobals<Options>();
    await withSession(terminal, options, async (session) => {
      const found = await findCluster(session, { ...options, name: names.cluster });
      await work({ session, options, found, names });
    });
  };
}
