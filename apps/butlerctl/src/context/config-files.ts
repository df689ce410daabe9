import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Terminal } from "@butler/cli-kit";
import { InvalidInput } from "@butler/std";
import { readIfPresent } from "../cluster/kubeconfig.ts";
import type { ConfigFile } from "./kubeconfig-contexts.ts";

/** The kubeconfig files in use: the given one, those of KUBECONFIG, or the one in the home directory. */
export async function readConfigFiles(
  { environment }: Pick<Terminal, "environment">,
  named: string | undefined,
): Promise<ConfigFile[]> {
  const ofEnvironment = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  const paths = named !== undefined ? [named] : ofEnvironment.length > 0 ? ofEnvironment : [standardPath(environment)];
  const files = await Promise.all(paths.map(async (path) => ({ path, text: await readIfPresent(path) })));
  const present = files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  if (present.length > 0) return present;
  throw new InvalidInput(`kubeconfig not found: ${paths.join(", ")}`, {
    hint: "Sign in with: butlerctl login --server https://...",
  });
}

function standardPath(environment: Terminal["environment"]): string {
  return join(environment["HOME"] || homedir(), ".kube", "config");
}
