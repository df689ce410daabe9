import { join } from "node:path";

/** What a run's environment is made of. */
export interface EnvironmentParts {
  /** The folder of the run, for everything that helm keeps. */
  readonly folder: string;
  readonly memoryLimitMiB: number | undefined;
  /** Whether helm keeps to one processor: several that each take all of them leave none for whoever started them. */
  readonly givesWay?: boolean | undefined;
  /** This process's own. */
  readonly own: NodeJS.ProcessEnv;
  /** Whether a person's own settings count, as the programs that a kubeconfig may name need them. */
  readonly isOwnKept: boolean;
}

/** What changes helm's mind or leads it to another cluster. */
const foreign = /^(HELM_|KUBECONFIG$|KUBECACHEDIR$|GOMEMLIMIT$|GOMAXPROCS$)/;

/**
 * The environment of a run: its own homes, so that no plugin, cache or setting of anybody has a say. For a kubeconfig
 * that is given as text there is nothing else in it, not even where this process's own cluster is: a kubeconfig that
 * names no server would otherwise lead helm there.
 */
export function helmEnvironment(parts: EnvironmentParts): NodeJS.ProcessEnv {
  const { folder, memoryLimitMiB, givesWay = false, own, isOwnKept } = parts;
  const kept = Object.entries(own).filter(([name]) => (isOwnKept ? !foreign.test(name) : name === "PATH"));
  return {
    ...Object.fromEntries(kept),
    ...(isOwnKept ? {} : { HOME: folder, TMPDIR: folder }),
    KUBECACHEDIR: join(folder, "discovery"),
    HELM_CACHE_HOME: join(folder, "cache"),
    HELM_CONFIG_HOME: join(folder, "config"),
    HELM_DATA_HOME: join(folder, "data"),
    HELM_PLUGINS: join(folder, "plugins"),
    ...(memoryLimitMiB === undefined ? {} : { GOMEMLIMIT: `${memoryLimitMiB}MiB` }),
    ...(givesWay ? { GOMAXPROCS: "1" } : {}),
  };
}
