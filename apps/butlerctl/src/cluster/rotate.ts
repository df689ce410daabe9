import { keyText } from "@butler/resource";
import { confirmByTyping, Progress, shellCommand, type Terminal, timeoutOption, waitUntil } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { InvalidInput, sleep } from "@butler/std";
import type { TenantCluster } from "@butler/api";
import type { RotationType } from "@butler/why/certificates";
import { type Command, Option } from "commander";
import { clusterCommand, type ClusterOptions, requireName } from "./arguments.ts";
import { certificateSource, type CertificateSource, type CertificateState } from "./certificate-source.ts";
import { findCluster } from "./find-cluster.ts";

interface RotateOptions extends ClusterOptions {
  readonly type: RotationType;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly timeout: number;
}

const intervalMs = 1_000;

/** What each sort of rotation replaces, and what follows from it. */
const effects: Readonly<Record<RotationType, string>> = {
  kubeconfigs: "the kubeconfigs are made anew; those that were handed out are valid until they end",
  all: "every certificate but the authority is made anew; the API server goes on answering, its pods are replaced",
  ca: "the authority and every certificate are made anew: EVERY kubeconfig that was handed out is void, and nodes have to join again",
};

/** `butlerctl cluster rotate`. */
export function rotateCommand(terminal: Terminal): Command {
  return clusterCommand("rotate", "Replace certificates of a cluster's control plane", [
    "butlerctl cluster rotate blue --dry-run",
    "butlerctl cluster rotate blue --type kubeconfigs --wait",
    "butlerctl cluster rotate blue --type ca --yes --wait",
  ])
    .addOption(
      new Option("--type <type>", "kubeconfigs; all, which is everything but the authority; or ca, the authority too")
        .choices(["kubeconfigs", "all", "ca"])
        .default("all"),
    )
    .option("-y, --yes", "do not ask before the authority is replaced")
    .option("--dry-run", "say what would be replaced, and do nothing")
    .option("--wait", "wait until all is replaced")
    .addOption(timeoutOption("5m"))
    .action(async (name: string | undefined, _options, self: Command) => {
      const options = self.optsWithGlobals<RotateOptions>();
      const staysInContext = options.type === "ca" && options.yes === true;
      const wanted = { ...options, name: requireName(name, options), staysInContext };
      await withSession(terminal, options, async (session) => {
        const cluster = await findCluster(session, wanted);
        const source = certificateSource(session, cluster, () => terminal.clock.now());
        await rotate({ terminal, options, cluster, source });
      });
    });
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
    const { secretsToRotate } = await import("@butler/why/certificates");
    const { certificates } = await source.read();
    terminal.say(`Of ${keyText(cluster.metadata)}, ${effects[type]}.`);
    for (const secret of secretsToRotate(certificates, type)) terminal.print(secret);
    terminal.say("Nothing was done: this was a dry run.");
    return;
  }
  if (type === "ca" && !options.yes) await confirm(terminal, cluster);
  const affected = await source.rotate(type);
  if (affected.length === 0) {
    terminal.say(`${name} has nothing of that sort to replace.`);
    return;
  }
  const count = affected.length === 1 ? "1 Secret is" : `${affected.length} Secrets are`;
  terminal.say(`${keyText(cluster.metadata)}: ${count} being made anew: ${affected.join(", ")}.`);
  if (options.wait) await waitForRotation({ terminal, options, cluster, source });
  else {
    const certs = shellCommand("butlerctl", "cluster", "certs", name, "-n", namespace, "--watch");
    terminal.say(`See how it goes with: ${certs}`);
  }
}

async function confirm(terminal: Terminal, { metadata }: TenantCluster): Promise<void> {
  terminal.say(`Of ${keyText(metadata)}, ${effects.ca}.`);
  const question = "Type the name of the cluster to replace its authority:";
  if (await confirmByTyping(terminal, { word: metadata.name, question, flag: "--yes" })) return;
  throw new InvalidInput("that is not the name; nothing was replaced");
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
    what: `the certificates of ${name} to be replaced`,
    observe,
    judge: ({ isRotating }) => (isRotating ? { state: "waiting", for: "some are being made" } : { state: "done" }),
    timeoutMs: options.timeout,
    hint: `It goes on without this command. See where it stands with: ${shellCommand("butlerctl", "cluster", "certs", name, "-n", namespace)}`,
    progress: new Progress(terminal),
    clock,
    signal,
  });
  terminal.say(`The certificates of ${name} are replaced.`);
}
