import { ButlerConfig, namespaces } from "@butler/api";
import { matching, type Terminal, UsageError, wholeNumber } from "@butler/cli-kit";
import { describeError, Forbidden, InvalidInput } from "@butler/std";
import { type Command, Option } from "commander";
import { readFile } from "node:fs/promises";
import type { Session } from "@butler/cli-session";
import { type ClusterOptions, optionalName } from "./arguments.ts";
import {
  buildCluster,
  type Manifest,
  type NewCluster,
  type NewClusterOptions,
  parseManifest,
} from "./build-cluster.ts";
import { namedNamespace } from "./find-cluster.ts";

/** The options of commands that describe a new cluster. */
export interface NewClusterFlags extends ClusterOptions, Omit<NewClusterOptions, "name" | "namespace" | "team"> {
  readonly filename?: string;
  readonly k8sVersion?: string;
  readonly lbPoolStart?: string;
  readonly lbPoolEnd?: string;
}

const labelValue = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const amount = matching(/^\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$/, "Must be a quantity with a unit, such as 8Gi or 8192Mi.");

/** Adds what describes a new cluster to a command. */
export function withNewClusterOptions(command: Command): Command {
  const option = (flags: string, text: string, read?: (value: string) => unknown): void => {
    const added = new Option(flags, text);
    command.addOption(read === undefined ? added : added.argParser(read));
  };
  option("-f, --filename <file>", "TenantCluster manifest, or - for standard input; other options override it");
  option(
    "--environment <environment>",
    "team environment for the cluster",
    matching(labelValue, "Must consist of letters, digits, '-', '_' or '.'."),
  );
  option("--kubernetes-version <version>", "Kubernetes version, such as v1.36.3");
  option("-p, --provider <provider>", "ProviderConfig for the machines (NAME or NAMESPACE/NAME)");
  option("-w, --workers <number>", "number of worker machines", wholeNumber(1, 10_000));
  option("--cpu <cores>", "CPU cores per worker machine", wholeNumber(1, 1024));
  option("--memory <amount>", "memory per worker machine, such as 8Gi", amount);
  option("--disk <amount>", "root disk size per worker machine, such as 50Gi", amount);
  option(
    "--os <type[:version]>",
    "operating system: rocky, flatcar, talos, kairos or bottlerocket",
    matching(
      /^(rocky|flatcar|talos|kairos|bottlerocket)(:[\w.+-]+)?$/,
      "Must be rocky, flatcar, talos, kairos or bottlerocket, optionally followed by :VERSION.",
    ),
  );
  option("--image <reference>", "name of the provider's machine image");
  option("--schematic-id <id>", "Image Factory schematic ID");
  option("--pod-cidr <cidr>", "CIDR of the pod network");
  option("--service-cidr <cidr>", "CIDR of the Service network");
  option("--lb-pool <range>", "load balancer addresses: one address or FIRST-LAST");
  for (const flags of ["--k8s-version <version>", "--lb-pool-start <address>", "--lb-pool-end <address>"]) {
    command.addOption(new Option(flags, "deprecated spelling").hideHelp());
  }
  return command;
}

/** Reads the options of a command into the cluster that they ask for. */
export async function newClusterOf(
  session: Session,
  { positional, flags, terminal }: { positional: string | undefined; flags: NewClusterFlags; terminal: Terminal },
): Promise<NewCluster> {
  const manifest = flags.filename === undefined ? undefined : await readManifest(flags.filename, terminal);
  const name = optionalName(positional, flags);
  const namespace = await namespaceFor(session, flags, manifest);
  return buildCluster({ ...flags, ...olderSpellings(flags), name, namespace }, manifest);
}

function olderSpellings(flags: NewClusterFlags): Pick<NewClusterOptions, "kubernetesVersion" | "lbPool"> {
  const { lbPoolStart: start, lbPoolEnd: end } = flags;
  if ((start === undefined) !== (end === undefined))
    throw new UsageError("--lb-pool-start and --lb-pool-end must be set together");
  const range = start === undefined ? undefined : `${start}-${end ?? ""}`;
  return { kubernetesVersion: flags.kubernetesVersion ?? flags.k8sVersion, lbPool: flags.lbPool ?? range };
}

async function readManifest(file: string, { readInput }: Terminal): Promise<Manifest> {
  if (file === "-") return parseManifest(await readInput(), "standard input");
  try {
    return parseManifest(await readFile(file, "utf8"), file);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput(`cannot read ${file}: ${describeError(error)}`);
  }
}

/** The namespace of a new cluster: from the flag, the manifest, its team, the context, or the platform default. */
async function namespaceFor(session: Session, flags: NewClusterFlags, manifest: Manifest | undefined): Promise<string> {
  const named = flags.namespace ?? manifest?.metadata.namespace;
  if (named !== undefined) return named;
  const teamRef = manifest?.spec["teamRef"] as { name?: string } | undefined;
  const ofTeam = await namedNamespace(session, { team: flags.team ?? teamRef?.name });
  return ofTeam ?? session.contextNamespace ?? (await platformNamespace(session));
}

async function platformNamespace({ client, signal }: Session): Promise<string> {
  try {
    const config = await client.find(ButlerConfig, { name: "butler" }, signal);
    return config?.spec.defaultNamespace ?? namespaces.tenants;
  } catch (error) {
    if (error instanceof Forbidden) return namespaces.tenants;
    throw error;
  }
}
