import { buildKubeconfig, readCertificate } from "@butler/pki";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { preparePki } from "../control-plane/pki.ts";
import { waitForDirectoryLock } from "../directory-lock.ts";
import { replaceFile } from "../replace-file.ts";
import { enginePkiNeeds, kubeconfigUsers } from "./engine-pki.ts";
import type { EnginePaths } from "./engine-paths.ts";
import type { NetworkLayout } from "./network-layout.ts";

/** The engine whose keys are managed. */
export interface EngineKeysInput {
  readonly name: string;
  readonly paths: EnginePaths;
  readonly layout: NetworkLayout;
  readonly nodeName: string;
  /** One year by default. */
  readonly certificateLifetimeMs: number | undefined;
}

/** A renewed certificate. */
export interface ReplacedCertificate {
  /** Its file name without the extension. */
  readonly name: string;
  /** Expiry of the previous certificate; a damaged one counts as expired. */
  readonly formerEnd: Date;
}

/**
 * Updates all keys, certificates and kubeconfigs and returns what was replaced. Valid files are not changed, and others
 * are replaced atomically, because running programs may read them at any moment.
 */
export async function writeKeys(input: EngineKeysInput): Promise<ReplacedCertificate[]> {
  const { controlPlane, config } = input.paths;
  for (const folder of [config, controlPlane.pki]) await mkdir(folder, { recursive: true, mode: 0o755 });
  const lock = await waitForDirectoryLock({
    path: join(controlPlane.directory, ".keys.lock"),
    purpose: "update keys",
  });
  try {
    const before = await readEnds(controlPlane.pki);
    await writeAll(input);
    const after = await readEnds(controlPlane.pki);
    return [...before].flatMap(([name, { pem, end }]) =>
      after.get(name)?.pem === pem ? [] : [{ name, formerEnd: end }],
    );
  } finally {
    await lock?.release();
  }
}

async function writeAll({ name, paths, layout, nodeName, certificateLifetimeMs }: EngineKeysInput): Promise<void> {
  const { controlPlane, config } = paths;
  const needs = { ...enginePkiNeeds(layout, nodeName), certificateLifetimeMs, isDurable: true };
  const pki = await preparePki(controlPlane.pki, needs);
  const server = `https://${layout.nodeAddress}:6443`;
  const cluster = `butler-${name}`;
  for (const user of Object.values(kubeconfigUsers)) {
    const text = JSON.stringify(componentKubeconfig({ cluster, user, server, pki: controlPlane.pki }), undefined, 2);
    replaceIfDifferent(join(config, `${user}.kubeconfig`), text);
    if (user === "kube-controller-manager") replaceIfDifferent(controlPlane.controllerManagerKubeconfig, text);
  }
  const caPem = pki.authority.cert;
  const forPeople = buildKubeconfig({ name: cluster, user: "butler-admin", server, caPem, client: pki.admin });
  replaceIfDifferent(paths.kubeconfig, JSON.stringify(forPeople, undefined, 2));
}

interface ComponentAccess {
  readonly cluster: string;
  readonly user: string;
  readonly server: string;
  readonly pki: string;
}

/** Refers to files instead of embedding them: Kubernetes' own clients detect when a file is replaced. */
function componentKubeconfig({ cluster, user, server, pki }: ComponentAccess): object {
  const file = (name: string): string => join(pki, name);
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: cluster, cluster: { server, "certificate-authority": file("ca.crt") } }],
    users: [{ name: user, user: { "client-certificate": file(`${user}.crt`), "client-key": file(`${user}.key`) } }],
    contexts: [{ name: cluster, context: { cluster, user } }],
    "current-context": cluster,
  };
}

function replaceIfDifferent(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  replaceFile(file, text, { flush: true });
}

async function readEnds(folder: string): Promise<Map<string, { pem: string; end: Date }>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".crt"));
  return new Map(
    files.map((file) => {
      const pem = readFileSync(join(folder, file), "utf8");
      return [file.slice(0, -".crt".length), { pem, end: endOf(pem) }];
    }),
  );
}

function endOf(pem: string): Date {
  try {
    return readCertificate(pem).notAfter;
  } catch {
    return new Date(0);
  }
}
