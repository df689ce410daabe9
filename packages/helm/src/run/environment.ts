import { join } from "node:path";

/** Input for the environment of a run. */
export interface EnvironmentParts {
  /** The folder of the run, for all files of helm. */
  readonly folder: string;
  readonly memoryLimitMiB: number | undefined;
  /** Whether helm uses one CPU only: several that each use all CPUs leave none for the process that started them. */
  readonly givesWay?: boolean | undefined;
  /** The environment of this process. */
  readonly own: NodeJS.ProcessEnv;
  /** Whether to keep the user's environment, as required by exec plugins of a kubeconfig. */
  readonly isOwnKept: boolean;
}

/** Variables that change helm's behavior or target cluster. */
const foreign = /^(HELM_|KUBECONFIG$|KUBECACHEDIR$|GOMEMLIMIT$|GOMAXPROCS$)/;

/**
 * The environment of a run: its own home directories, so that no plugin, cache or setting of a user applies. With a
 * kubeconfig as text it contains nothing else, not even the in-cluster variables of this process: helm would otherwise use
 * that cluster for a kubeconfig without a server.
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
