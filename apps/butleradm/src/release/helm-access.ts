import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Terminal } from "@butler/cli-kit";
import type { SessionOptions } from "@butler/cli-session";
import { ensureTools } from "@butler/engine";
import { describeError, InvalidInput, Unavailable } from "@butler/std";
import { hasEngineSources } from "../local/engine-sources.ts";
import { kubeconfigText } from "../platform/kubeconfig-text.ts";

/** The helm program and its kubeconfig. */
export interface HelmAccess {
  readonly helm: string;
  readonly kubeconfig: string;
}

const run = promisify(execFile);

/** The major version in helm's version output; undefined if there is none. */
export function helmMajor(text: string): number | undefined {
  const major = /^v?(\d+)\.\d+\.\d+/.exec(text.trim())?.[1];
  return major === undefined ? undefined : Number(major);
}

/** The given helm, a suitable one from PATH, or, in a checkout, the one that Butler is tested with. */
async function findHelm(named: string | undefined, terminal: Terminal): Promise<string> {
  const wanted = named ?? terminal.environment["BUTLER_HELM"];
  if (wanted !== undefined && wanted !== "") {
    const version = await versionOf(wanted);
    if (helmMajor(version) === 4) return wanted;
    throw new InvalidInput(`${wanted} is not Helm 4: ${version}`, { hint: "Choose another binary with --helm." });
  }
  if (helmMajor(await versionOf("helm")) === 4) return "helm";
  if (!hasEngineSources()) {
    throw new Unavailable("Helm 4 not found in PATH", {
      hint: "Install Helm 4, or set its path with --helm or BUTLER_HELM.",
    });
  }
  return (await ensureTools(["helm"], { signal: terminal.signal })).helm;
}

async function versionOf(program: string): Promise<string> {
  try {
    return (await run(program, ["version", "--short"], { timeout: 20_000 })).stdout;
  } catch (error) {
    return describeError(error);
  }
}

/** Runs work with helm and the selected kubeconfig in a temporary file that only its owner can read. */
export async function withHelm<T>(
  { terminal, flags }: { readonly terminal: Terminal; readonly flags: SessionOptions & { readonly helm?: string } },
  work: (access: HelmAccess) => Promise<T>,
): Promise<T> {
  const program = await findHelm(flags.helm, terminal);
  const folder = await mkdtemp(join(tmpdir(), "butleradm-"));
  try {
    const kubeconfig = join(folder, "kubeconfig");
    await writeFile(kubeconfig, kubeconfigText(flags), { mode: 0o600 });
    return await work({ helm: program, kubeconfig });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
