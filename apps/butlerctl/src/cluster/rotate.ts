import { keyText } from "@butler/resource";
import { confirmByTyping, Progress, shellCommand, type Terminal, timeoutOption, waitUntil } from "@butler/cli-kit";
import { InvalidInput, sleep } from "@butler/std";
import type { TenantCluster } from "@butler/api";
import type { RotationType } from "@butler/diagnosis/certificates";
import { type Command, Option } from "commander";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { certificateSource, type CertificateSource, type CertificateState } from "./certificate-source.ts";
import { onCluster } from "./on-cluster.ts";

interface RotateOptions extends ClusterOptions {
  readonly type: RotationType;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
}

const intervalMs = 1_000;

/** What each type of rotation replaces, and its consequences. */
const effects: Readonly<Record<RotationType, string>> = {
  kubeconfigs: "regenerates the kubeconfigs; existing kubeconfigs stay valid until they expire",
  all: "regenerates every certificate except the CA; the API server stays available while its pods are replaced",
  ca: "regenerates the CA and every certificate: ALL existing kubeconfigs become invalid, and nodes must rejoin",
};

/** `butlerctl cluster rotate`. */
export function rotateCommand(terminal: Terminal): Command {
  return clusterCommand("rotate", "Rotate the certificates of a cluster's control plane", [
    "butlerctl cluster rotate blue --dry-run",
    "butlerctl cluster rotate blue --type kubeconfigs --wait",
    "butlerctl cluster rotate blue --type ca --yes --wait",
  ])
    .addOption(
      new Option(
        "--type <type>",
        "certificates to rotate: kubeconfigs, all (everything except the CA) or ca (everything including the CA)",
      )
        .choices(["kubeconfigs", "all", "ca"])
        .default("all"),
    )
    .option("-y, --yes", "skip the confirmation prompt for a CA rotation")
    .option("--dry-run", "print what would be rotated without rotating it")
    .option("--wait", "wait until the rotation is complete")
    .addOption(timeoutOption("5m"))
    .action(
      onCluster<RotateOptions>(
        terminal,
        async (session, cluster, options) => {
          const source = certificateSource(session, cluster, () => terminal.clock.now());
          await rotate({ terminal, options, cluster, source });
        },
        ({ type, yes }) => type === "ca" && yes === true,
      ),
    );
}

interface Rotating {
  readonly terminal: Terminal;
  readonly options: RotateOptions;
  readonly cluster: TenantCluster;
  readonly source: CertificateSource;
}

async function rotate({ terminal, options, cluster, source }: Rotating): Promise<void> {
  const { type } = options;
  const { name, namespace = "" } = cluster.metadata;
  if (options.dryRun) {
    const { secretsToRotate } = await import("@butler/diagnosis/certificates");
    const { certificates } = await source.read();
    terminal.say(`Rotating ${keyText(cluster.metadata)} ${effects[type]}.`);
    for (const secret of secretsToRotate(certificates, type)) terminal.print(secret);
    terminal.say("Dry run: nothing was changed.");
    return;
  }
  if (type === "ca" && !options.yes) await confirm(terminal, cluster);
  const affected = await source.rotate(type);
  if (affected.length === 0) {
    terminal.say(`${name} has no certificates to rotate for --type ${type}.`);
    return;
  }
  const count = affected.length === 1 ? "1 Secret" : `${affected.length} Secrets`;
  terminal.say(`${keyText(cluster.metadata)}: rotating ${count}: ${affected.join(", ")}.`);
  if (options.wait) await waitForRotation({ terminal, options, cluster, source });
  else {
    const certs = shellCommand("butlerctl", "cluster", "certs", name, "-n", namespace, "--watch");
    terminal.say(`Check progress with: ${certs}`);
  }
}

async function confirm(terminal: Terminal, { metadata }: TenantCluster): Promise<void> {
  terminal.say(`Rotating ${keyText(metadata)} ${effects.ca}.`);
  const question = "Type the name of the cluster to rotate its CA:";
  if (await confirmByTyping(terminal, { word: metadata.name, question, flag: "--yes" })) return;
  throw new InvalidInput("the name does not match; nothing was rotated");
}

async function waitForRotation({ terminal, options, cluster, source }: Rotating): Promise<void> {
  const { clock, signal } = terminal;
  const { name, namespace = "" } = cluster.metadata;
  async function* observe(ended: AbortSignal): AsyncGenerator<CertificateState> {
    while (!ended.aborted) {
      yield await source.read();
      await sleep(clock, intervalMs, ended);
    }
  }
  await waitUntil<CertificateState>({
    what: `the certificates of ${name} to be rotated`,
    observe,
    judge: ({ isRotating }) => (isRotating ? { state: "waiting", for: "rotation in progress" } : { state: "done" }),
    timeoutMs: options.timeout,
    hint: `The operation continues in the background. Check progress with: ${shellCommand("butlerctl", "cluster", "certs", name, "-n", namespace)}`,
    progress: new Progress(terminal),
    clock,
    signal,
  });
  terminal.say(`Rotated the certificates of ${name}.`);
}
