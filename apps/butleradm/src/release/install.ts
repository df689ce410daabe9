import { namespaces } from "@butler/api";
import type { Values } from "@butler/addons";
import { Progress, shellCommand, type Terminal, timeoutOption, withExamples } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { deployedRevision } from "@butler/helm";
import { Conflict } from "@butler/std";
import { Command } from "commander";
import { readChart } from "./chart.ts";
import { requireReadiness } from "./checked-intention.ts";
import { withHelm } from "./helm-access.ts";
import { findButler, type Intention } from "./read-preflight.ts";
import { type ValueFlags, valuesOf, withValueFlags } from "./value-flags.ts";

/** Options of both `install` and `upgrade`. */
export interface ReleaseFlags extends SessionOptions, ValueFlags {
  readonly namespace: string;
  readonly chart?: string;
  readonly helm?: string;
  readonly dryRun?: boolean;
  readonly timeout: number;
}

interface InstallFlags extends ReleaseFlags {
  readonly wait?: boolean;
}

/** Adds the options of both `install` and `upgrade`. */
export function withReleaseFlags(command: Command): Command {
  return withValueFlags(command)
    .option("-n, --namespace <namespace>", "namespace of Butler's components", namespaces.system)
    .option("--chart <path>", "chart directory or package (default: the chart shipped with butleradm)")
    .option("--helm <program>", "path to the Helm 4 binary (default: BUTLER_HELM, then PATH, then the engine's copy)")
    .option("--dry-run", "run preflight checks and validate on the API server without changing anything")
    .addOption(timeoutOption("5m"));
}

/** `butleradm install`. */
export function installCommand(terminal: Terminal): Command {
  const command = new Command("install")
    .description("Install Butler into a cluster after preflight checks")
    .option("--wait", "wait until all of Butler's components are ready");
  withReleaseFlags(command).action(async (_options, self: Command) => {
    const flags = self.optsWithGlobals<InstallFlags>();
    const chart = await readChart(flags.chart);
    const values = await valuesOf(flags, terminal);
    await withSession(terminal, flags, async (session) => {
      const intention = { namespace: flags.namespace, chart, values };
      await refuseSecondInstallation(session, intention);
      await requireReadiness({ terminal, session }, intention);
      await installRelease({ terminal, session, flags }, intention);
    });
  });
  return withExamples(command, [
    "butleradm install --dry-run",
    "butleradm install --values production.yaml --wait",
    "butleradm install --kubeconfig prod.yaml --context admin --set steward.replicas=2 --wait --timeout 10m",
  ]);
}

async function refuseSecondInstallation(session: Session, { namespace }: Intention): Promise<void> {
  const found = deployedRevision((await findButler(session)).filter((release) => release.namespace === namespace));
  if (found === undefined) return;
  throw new Conflict(`Butler ${found.chart.version} is already installed in namespace ${namespace}`, {
    hint: "Change or upgrade it with: butleradm upgrade",
  });
}

interface Installing {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly flags: InstallFlags;
}

async function installRelease({ terminal, session, flags }: Installing, intention: Intention): Promise<void> {
  const { dryRun: isDryRun = false, wait: waitUntilReady = false, timeout: timeoutMs } = flags;
  const { namespace, chart, values } = intention;
  await runChart(
    { terminal, session, flags },
    { namespace, chart: chart.path, values, timeoutMs, isDryRun, waitUntilReady },
  );
  if (isDryRun) {
    terminal.say("Dry run: nothing was changed.");
    return;
  }
  const next = shellCommand("butleradm", "status", ...placeFlags(namespace));
  terminal.say(
    `Butler ${chart.metadata.version} was installed in namespace ${namespace}. Check its status with: ${next}`,
  );
}

/** The flags for a namespace other than the default. */
export function placeFlags(namespace: string): string[] {
  return namespace === namespaces.system ? [] : ["-n", namespace];
}

/** A run of the chart's installation. */
export interface ChartRun {
  readonly namespace: string;
  readonly chart: string;
  readonly values: Values;
  readonly timeoutMs: number;
  readonly isDryRun: boolean;
  readonly waitUntilReady: boolean;
}

/** Installs or upgrades the chart with helm, and reports progress. */
export async function runChart(
  {
    terminal,
    session,
    flags,
  }: { readonly terminal: Terminal; readonly session: Session; readonly flags: ReleaseFlags },
  run: ChartRun,
): Promise<void> {
  const { installChart } = await import("@butler/butler/chart");
  const progress = new Progress(terminal);
  const say = (sentence: string): void => {
    progress.line(sentence);
    progress.waiting(sentence);
  };
  try {
    await withHelm({ terminal, flags }, (access) => installChart({ ...access, ...run, say, signal: session.signal }));
  } finally {
    progress.stop();
  }
}
