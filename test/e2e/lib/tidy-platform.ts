import { eventually } from "@butler/testkit";
import type { KubectlCalls } from "./kubectl-calls.ts";

/** Namespaces that exist in an engine with the platform from the start. */
const lasting = /^(default|kube-.*|butler-.*|capi-.*)$/;
/** Kinds that users create, in deletion order: dependents first. */
const clusters = ["tenantclusters.butler.butlerlabs.dev", "clusters.cluster.x-k8s.io"];
const controlPlanes = "tenantcontrolplanes.steward.butlerlabs.dev";
const people = ["teams", "users", "identityproviders"].map((plural) => `${plural}.butler.butlerlabs.dev`);
const settings = ["butlerconfigs", "providerconfigs"].map((plural) => `${plural}.butler.butlerlabs.dev`);

/** Resets an engine to a fresh installation: no clusters, teams, users or settings. */
export async function tidyPlatform(kubectl: KubectlCalls): Promise<void> {
  for (const kind of [...clusters, controlPlanes, ...people, ...settings]) await removeAll(kubectl, kind);
  const namespaces = (await kubectl.run("get", "namespaces", "-o", "jsonpath={.items[*].metadata.name}")).split(" ");
  const made = namespaces.filter((name) => !lasting.test(name));
  if (made.length > 0) await kubectl.run("delete", "namespaces", ...made, "--timeout=120s");
}

async function removeAll(kubectl: KubectlCalls, kind: string): Promise<void> {
  const left = (): Promise<string> => kubectl.run("get", kind, "-A", "-o", "name");
  // Right after a crash no webhook can admit the deletion; it is retried.
  const isGone = async (): Promise<boolean> => {
    if ((await left()) === "") return true;
    const scope = (await kubectl.run("get", kind, "-A", "-o", "jsonpath={.items[*].metadata.namespace}")) !== "";
    await kubectl.run("delete", kind, "--all", ...(scope ? ["-A"] : []), "--timeout=150s");
    return (await left()) === "";
  };
  await eventually(isGone, { timeoutMs: 180_000, intervalMs: 500, what: `the end of all ${kind}` });
}
