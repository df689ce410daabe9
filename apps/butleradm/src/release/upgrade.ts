import { Progress, shellCommand, type Terminal, withExamples } from "@butler/cli-kit";
import { inSession, type Session } from "@butler/cli-session";
import { Helm } from "@butler/helm";
import { builtinKinds } from "@butler/resource";
import { describeError, sleep, Timeout } from "@butler/std";
import { Command } from "commander";
import { CheckFailed } from "../platform/check-failed.ts";
import { readChart } from "./chart.ts";
import { chartKinds, tryKinds, writeKinds } from "./chart-kinds.ts";
import { requireReadiness } from "./checked-intention.ts";
import { withHelm } from "./helm-access.ts";
import { placeFlags, type ReleaseFlags, runChart, withReleaseFlags } from "./install.ts";
import { planUpgrade, type UpgradePlan } from "./plan-upgrade.ts";
import { findButler, type Intention } from "./read-preflight.ts";
import { valuesOf } from "./value-flags.ts";

interface UpgradeFlags extends ReleaseFlags {
  readonly resetValues?: boolean;
  readonly rollback: boolean;
}

interface Upgrading {
  readonly terminal: Terminal;
  readonly session: Session;
  readonly flags: UpgradeFlags;
}

/** `butleradm upgrade`. */
export function upgradeCommand(terminal: Terminal): Command {
  const command = new Command("upgrade")
    .description("Upgrade Butler, and roll back if the upgrade fails")
    .option("--reset-values", "reset values to the chart's defaults instead of keeping the installed values")
    .option("--no-rollback", "do not roll back a failed upgrade");
  withReleaseFlags(command).action(
    inSession<UpgradeFlags>(terminal, (session, flags) => upgrade({ terminal, session, flags })),
  );
  return withExamples(command, [
    "butleradm upgrade --dry-run",
    "butleradm upgrade --timeout 10m",
    "butleradm upgrade --chart butler-0.2.0.tgz --set server.replicas=2",
  ]);
}

async function upgrade(upgrading: Upgrading): Promise<void> {
  const { terminal, session, flags } = upgrading;
  const { namespace, timeout: timeoutMs } = flags;
  const chart = await readChart(flags.chart);
  const history = (await findButler(session)).filter((release) => release.namespace === namespace);
  const plan = planUpgrade({
    namespace,
    history,
    toVersion: chart.metadata.version,
    nowMs: terminal.clock.now().getTime(),
    leftoverAfterMs: 2 * timeoutMs,
  });
  const values = await valuesOf(flags, terminal, flags.resetValues ? {} : plan.from.values);
  const intention = { namespace, chart, values };
  await requireReadiness({ terminal, session }, intention);
  terminal.say(
    plan.isSameVersion
      ? `Butler stays at version ${plan.toVersion}; updating its values and objects`
      : `Upgrading Butler from version ${plan.fromVersion} to ${plan.toVersion}`,
  );
  await kindsFirst(upgrading, intention);
  try {
    const isDryRun = flags.dryRun === true;
    await runChart(upgrading, { namespace, chart: chart.path, values, timeoutMs, isDryRun, waitUntilReady: true });
    if (isDryRun) terminal.say("Dry run: nothing was changed.");
    else await verify(upgrading, plan);
  } catch (error) {
    if (session.signal.aborted || flags.dryRun === true) throw error;
    throw await undo(upgrading, plan, error);
  }
}

/** CRDs are updated before the components that need them; all are validated before the first is changed. */
async function kindsFirst({ terminal, session, flags }: Upgrading, intention: Intention): Promise<void> {
  const kinds = await withHelm({ terminal, flags }, ({ helm }) => chartKinds(helm, intention));
  await tryKinds(session, kinds);
  if (flags.dryRun === true || kinds.length === 0) return;
  terminal.say(`updating ${kinds.length} CRDs`);
  await writeKinds(session, kinds);
}

async function verify({ terminal, session, flags: { namespace } }: Upgrading, plan: UpgradePlan): Promise<void> {
  const waiting = await notRolledOut(session, namespace);
  if (waiting.length > 0) throw new CheckFailed(`${waiting.join(", ")} became unready after the upgrade`);
  const next = shellCommand("butleradm", "doctor", ...placeFlags(namespace));
  terminal.say(`Butler is at version ${plan.toVersion}. Check the installation with: ${next}`);
}

async function notRolledOut({ client, signal }: Session, namespace: string): Promise<string[]> {
  const { isRolledOut } = await import("@butler/butler/chart");
  const labelSelector = "app.kubernetes.io/managed-by=Helm,app.kubernetes.io/name=butler";
  const { items } = await client.list(builtinKinds.Deployment, { namespace, labelSelector, signal });
  return items.filter((deployment) => !isRolledOut(deployment)).map(({ metadata }) => metadata.name);
}

/** Rolls back to the working revision, and returns the error to report. */
async function undo(upgrading: Upgrading, { from, fromVersion }: UpgradePlan, cause: unknown): Promise<Error> {
  const { terminal, flags } = upgrading;
  const failed = `the upgrade failed: ${describeError(cause)}`;
  if (!flags.rollback) {
    const hint = `The failed upgrade was not rolled back. Roll it back with: helm rollback butler ${from.revision} -n ${flags.namespace}`;
    return new CheckFailed(failed, { hint });
  }
  terminal.say(`the upgrade failed: rolling back to version ${fromVersion}, revision ${from.revision}`);
  try {
    await rollBack(upgrading, from.revision);
    const hint = "Fix the cause and try again. The failed revision stays in the history.";
    return new CheckFailed(`${failed}\nRolled back to version ${fromVersion}`, { hint });
  } catch (error) {
    const hint = `List the revisions with: helm history butler -n ${flags.namespace}`;
    return new CheckFailed(
      `${failed}\nRolling back to revision ${from.revision} also failed: ${describeError(error)}`,
      {
        hint,
      },
    );
  }
}

async function rollBack({ terminal, session, flags }: Upgrading, revision: number): Promise<void> {
  const { namespace, timeout: timeoutMs } = flags;
  const { signal } = session;
  const { chartRelease: release } = await import("@butler/butler/chart");
  await withHelm({ terminal, flags }, async ({ helm: program, kubeconfig: kubeconfigFile }) => {
    const request = { release, namespace, revision, timeoutMs, historyMax: 5 };
    await new Helm({ program }).rollback(request, { target: { kubeconfigFile }, signal });
  });
  const { clock } = terminal;
  const progress = new Progress(terminal);
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  try {
    for (;;) {
      const waiting = await notRolledOut(session, namespace);
      if (waiting.length === 0) return;
      if (clock.monotonicMs() > deadlineMs) throw new Timeout(`${waiting.join(", ")} did not become ready again`);
      progress.waiting(`waiting for ${waiting.join(", ")}`);
      await sleep(clock, 1_000, signal);
    }
  } finally {
    progress.stop();
  }
}
