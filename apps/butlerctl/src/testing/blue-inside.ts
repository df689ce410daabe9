import { teamNamespaceRules, tenantNamespaceRules } from "@butler/access";
import type { TeamRole } from "@butler/api";
import { loadKubeConfig } from "@butler/kube";
import { createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds, rbacGroup } from "@butler/resource";
import { readFile, writeFile } from "node:fs/promises";
import { parse, stringify } from "yaml";
import type { CommandLineHarness } from "@butler/cli-kit/testing";

const { Pod, Role, RoleBinding, Secret, ServiceAccount } = builtinKinds;

/** The pods and the certificates of a control plane. */
export async function makeControlPlane(harness: CommandLineHarness, inside: string): Promise<void> {
  await harness.create(ServiceAccount, { name: "default", namespace: inside }, {});
  const labels = { "steward.butlerlabs.dev/name": "blue", "steward.butlerlabs.dev/project": "steward" };
  const containers = ["kube-apiserver", "kube-scheduler"].map((name) => ({ name, image: "example.com/x:1" }));
  await harness.create(Pod, { name: "blue-0", namespace: inside, labels }, { spec: { nodeName: "n1", containers } });
  const authority = await createAuthority("blue-ca");
  const served = await issueCertificate(authority, { commonName: "kube-apiserver", usages: ["server"] });
  const data = (text: string): string => Buffer.from(text).toString("base64");
  const secret = (name: string, part: string, content: Record<string, string>) =>
    harness.create(
      Secret,
      { name, namespace: inside, labels: { ...labels, "steward.butlerlabs.dev/component": part } },
      { data: content },
    );
  await secret("blue-ca", "ca", { "ca.crt": data(authority.cert), "ca.key": data(authority.key) });
  await secret("blue-api", "api-server-certificate", { "tls.crt": data(served.cert), "tls.key": data(served.key) });
}

/** The kubeconfig of the tenant, for which the cluster of the test stands in. */
export async function makeKubeconfig(harness: CommandLineHarness, inside: string): Promise<void> {
  const config = loadKubeConfig(harness.kubeconfig);
  const { server = "", caData = "" } = config.getCurrentCluster() ?? {};
  const { certData = "", keyData = "", token } = config.getCurrentUser() ?? {};
  const user = token ? { token } : { "client-certificate-data": certData, "client-key-data": keyData };
  const text = stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "a",
    contexts: [{ name: "a", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server, "certificate-authority-data": caData } }],
    users: [{ name: "u", user }],
  });
  const value = Buffer.from(text).toString("base64");
  await harness.create(Secret, { name: "blue-kubeconfig", namespace: inside }, { data: { value } });
}

/** A kubeconfig of a member of the team, with the roles that Butler's controllers grant. */
export async function makeMember(
  harness: CommandLineHarness,
  inside: string,
  { email, role }: { readonly email: string; readonly role: TeamRole },
): Promise<string> {
  const subjects = [{ apiGroup: rbacGroup, kind: "User", name: email }];
  const ofCluster = {
    infrastructure: ["localclusters", "localmachines"],
    kubeconfigSecrets: ["blue-kubeconfig"],
  };
  for (const [namespace, rules] of [
    ["payments", teamNamespaceRules(role)],
    [inside, tenantNamespaceRules(role, ofCluster)],
  ] as const) {
    await harness.create(Role, { name: role, namespace }, { rules });
    const roleRef = { apiGroup: rbacGroup, kind: "Role", name: role };
    await harness.create(RoleBinding, { name: `of-${role}`, namespace }, { roleRef, subjects });
  }
  const config = parse(await readFile(harness.kubeconfig, "utf8")) as { users: { user: object }[] };
  for (const entry of config.users) entry.user = { ...entry.user, as: email };
  const file = harness.file(role);
  await writeFile(file, stringify(config), { mode: 0o600 });
  return file;
}
