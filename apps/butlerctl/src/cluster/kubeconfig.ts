import { clusterPhase, kubeconfigAccess, type TenantCluster } from "@butler/api";
import { shellCommand, type Terminal, UsageError } from "@butler/cli-kit";
import { readTenantKubeconfig } from "@butler/kube";
import { builtinKinds, keyText } from "@butler/resource";
import { Conflict, describeError, Forbidden, InvalidInput, isRecord, NotFound, Unavailable } from "@butler/std";
import type { Command } from "commander";
import { chmod, copyFile, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Session, withSession } from "@butler/cli-session";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { findCluster } from "./find-cluster.ts";
import { entryNames, mergeKubeconfig, renameEntries } from "./kubeconfig-file.ts";

interface KubeconfigOptions extends ClusterOptions {
  readonly output?: string;
  readonly merge?: boolean;
  readonly setContext?: boolean;
  readonly force?: boolean;
}

/** `butlerctl cluster kubeconfig`. */
export function kubeconfigCommand(terminal: Terminal): Command {
  return clusterCommand("kubeconfig", "Get the admin kubeconfig of a cluster", [
    "butlerctl cluster kubeconfig blue --output blue.kubeconfig",
    "butlerctl cluster kubeconfig blue --merge --set-context",
    "butlerctl cluster kubeconfig blue > blue.kubeconfig",
  ])
    .option("-o, --output <file>", "write to a file that only you can read, or - for standard output")
    .option("--merge", "merge into KUBECONFIG or ~/.kube/config")
    .option("--set-context", "make the merged context the current one (with --merge)")
    .option("--force", "overwrite a file that has different content")
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<KubeconfigOptions>();
      const wanted = { ...options, name: requireName(name, options) };
      if (options.merge && options.output !== undefined)
        throw new UsageError("--merge and --output cannot be combined");
      await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, wanted);
        await deliver({ terminal, options, cluster }, await readKubeconfig(session, cluster));
      });
    });
}

/** The admin kubeconfig of a cluster, after it was validated as safe to use. */
export async function readKubeconfig({ client, signal }: Session, cluster: TenantCluster): Promise<string> {
  const { tenantNamespace, kubeconfigSecretRef } = cluster.status ?? {};
  const { name, namespace = "" } = cluster.metadata;
  if (tenantNamespace === undefined || kubeconfigSecretRef === undefined) {
    throw new Unavailable(`${name} has no kubeconfig yet (phase: ${clusterPhase(cluster)})`, {
      hint: `Check progress with: ${shellCommand("butlerctl", "cluster", "why", name, "-n", namespace)}`,
    });
  }
  const key = { name: kubeconfigSecretRef.name, namespace: tenantNamespace };
  const secret = await client.find(builtinKinds.Secret, key, signal).catch((error: unknown) => {
    if (!(error instanceof Forbidden)) throw error;
    throw new Forbidden(`the kubeconfig of ${name} requires the ${kubeconfigAccess.role} role in the team`, {
      cause: error,
      hint: kubeconfigAccess.hint,
    });
  });
  if (secret === undefined) throw new NotFound(`kubeconfig Secret ${keyText(key)} not found`);
  const text = kubeconfigIn(secret["data"]);
  if (text === undefined) throw new NotFound(`Secret ${keyText(key)} contains no kubeconfig`);
  // A client that can write the Secret must not be able to make this machine run a program or trust another server.
  readTenantKubeconfig(text);
  return text;
}

/** The kubeconfig in the data of a Secret, under any of the known keys. */
export function kubeconfigIn(data: unknown): string | undefined {
  if (!isRecord(data)) return undefined;
  const found = ["value", "admin.conf", "kubeconfig"]
    .map((key) => data[key])
    .find((value) => typeof value === "string");
  return typeof found === "string" ? Buffer.from(found, "base64").toString("utf8") : undefined;
}

interface Delivery {
  readonly terminal: Terminal;
  readonly options: KubeconfigOptions;
  readonly cluster: TenantCluster;
}

async function deliver({ terminal, options, cluster }: Delivery, text: string): Promise<void> {
  const names = entryNames(cluster.metadata);
  const own = renameEntries(text, names);
  if (options.merge) {
    const file = mergeTarget(terminal.environment);
    const before = await readIfPresent(file);
    const isCurrent = options.setContext === true;
    const merged = mergeKubeconfig(before ?? "", { added: own, names, isCurrent });
    if (before !== undefined) await keepCopy(file);
    await writePrivate(file, merged);
    terminal.say(`Wrote context ${names.context} to ${file}.`);
    if (!isCurrent) terminal.say(`Use it with: ${shellCommand("kubectl", "config", "use-context", names.context)}`);
    return;
  }
  const { output = "-" } = options;
  if (output === "-") {
    terminal.print(own.trimEnd());
    return;
  }
  await requireFree(output, own, options.force === true);
  await writePrivate(output, own);
  terminal.say(
    `Wrote the kubeconfig to ${output}. Use it with: ${shellCommand("kubectl", "--kubeconfig", output, "get", "nodes")}`,
  );
}

/** The kubeconfig that is merged into when none is named. */
export function mergeTarget(environment: Terminal["environment"]): string {
  const named = (environment["KUBECONFIG"] ?? "").split(delimiter).find((file) => file !== "");
  return named ?? join(homedir(), ".kube", "config");
}

/** The text of a file; undefined when there is none. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new InvalidInput(`cannot read ${file}: ${describeError(error)}`);
  }
}

async function requireFree(file: string, text: string, isForced: boolean): Promise<void> {
  const before = await readIfPresent(file);
  if (before === undefined || before === text || isForced) return;
  throw new Conflict(`${file} already exists with different content; nothing was written`, {
    hint: "Specify another file, or overwrite it with --force.",
  });
}

/** Keeps a backup copy of a file. */
export async function keepCopy(file: string): Promise<void> {
  await copyFile(file, `${file}.bak`);
  await chmod(`${file}.bak`, 0o600);
}

/** Writes a temporary file and renames it, so that readers see either the old or the new content, never a part. */
export async function writePrivate(path: string, text: string): Promise<void> {
  // Symbolic links are kept.
  const file = await realpath(path).catch(() => path);
  const draft = `${file}.${process.pid}.new`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new InvalidInput(`cannot write ${file}: ${describeError(error)}`);
  }
}
