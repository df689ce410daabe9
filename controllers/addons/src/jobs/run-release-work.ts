import type { WantedRelease } from "@butler/addons";
import { secretKeys } from "@butler/api";
import type { ChartSource, ChartStore, Helm, HelmTarget } from "@butler/helm";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, type ObjectKey } from "@butler/resource";
import { InvalidInput, isRecord } from "@butler/std";
import type { ReleaseAction } from "../release/situation.ts";
import type { JobCall } from "./release-jobs.ts";

/** Work on a release. */
export interface ReleaseWork {
  readonly action: ReleaseAction;
  readonly release: string;
  readonly namespace: string;
  /** The wanted release; not needed for rollback and uninstall. */
  readonly wanted?: WantedRelease | undefined;
  /** The revision to roll back to. */
  readonly revision?: number | undefined;
  readonly timeoutMs: number;
  /** Labels of the revision. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Dependencies of the work. */
export interface ReleaseTools {
  readonly helm: Pick<Helm, "upgradeOrInstall" | "rollback" | "uninstall">;
  readonly charts: Pick<ChartStore, "fetch">;
  /** The cluster that has the Secrets with credentials of repositories. */
  readonly client: Pick<KubeClient, "find">;
  /** Access to the cluster of the release. */
  readonly target: (signal: AbortSignal) => Promise<HelmTarget>;
}

/** Fetches the chart if needed, and runs Helm. */
export async function runReleaseWork(work: ReleaseWork, tools: ReleaseTools, call: JobCall): Promise<void> {
  const { release, namespace, timeoutMs, labels } = work;
  const { signal, onLine } = call;
  const place = { release, namespace, timeoutMs };
  const helmCall = async () => ({ target: await tools.target(signal), signal, onLine });
  if (work.action === "uninstall") return tools.helm.uninstall(place, await helmCall());
  if (work.action === "rollback") {
    return tools.helm.rollback({ ...place, revision: requireValue(work.revision) }, await helmCall());
  }
  const wanted = requireValue(work.wanted);
  onLine(`fetching chart ${wanted.source.name} ${wanted.source.version ?? "(newest version)"}`);
  const chart = await tools.charts.fetch(await sourceOf(wanted, tools.client, signal), signal);
  call.onVersion(chart.version);
  const { createNamespace, values } = wanted;
  const request = { ...place, createNamespace, chart: chart.path, values, labels };
  return tools.helm.upgradeOrInstall(request, await helmCall());
}

async function sourceOf(
  { source, credentials }: WantedRelease,
  client: ReleaseTools["client"],
  signal: AbortSignal,
): Promise<ChartSource> {
  if (credentials === undefined) return source;
  const key = { name: credentials.secret, namespace: credentials.namespace };
  return { ...source, credentials: await readCredentials(client, key, signal) };
}

async function readCredentials(
  client: ReleaseTools["client"],
  key: ObjectKey,
  signal: AbortSignal,
): Promise<ChartSource["credentials"]> {
  const secret = await client.find(builtinKinds.Secret, key, signal);
  if (secret === undefined) throw new CredentialsMissing(key);
  const data = isRecord(secret["data"]) ? secret["data"] : {};
  const textAt = (name: string): string | undefined => {
    const text = data[name];
    return typeof text === "string" ? Buffer.from(text, "base64").toString() : undefined;
  };
  const [username, password, ca] = [secretKeys.username, secretKeys.password, secretKeys.certificateAuthority].map(
    textAt,
  );
  return {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(ca === undefined ? {} : { ca }),
  };
}

/** The Secret with the repository credentials does not exist. */
class CredentialsMissing extends InvalidInput {
  readonly reason = "CredentialsMissing";

  constructor({ name, namespace }: ObjectKey) {
    super(`Secret ${namespace}/${name} with the repository credentials not found`, {
      hint: "Create the Secret with the optional keys username, password and ca.crt.",
    });
  }
}

function requireValue<T>(value: T | undefined): T {
  if (value === undefined) throw new InvalidInput("the release job is incomplete");
  return value;
}
