import type { Caller } from "@butler/access";
import type { Team } from "@butler/api";
import { KubeConfig } from "@butler/kube";
import { describe, expect, it } from "vitest";
import { kubeconfigSecret, tenantAccess, terminalPod, terminalPolicy } from "./manifests.ts";
import { isAbandoned, isTicketDue, stillHas, type TerminalRecord, terminalRoleOf } from "./terminal.ts";

const team = {
  metadata: { name: "payments" },
  spec: {
    access: {
      users: [
        { name: "view@example.com", role: "viewer" },
        { name: "operate@example.com", role: "operator" },
        { name: "lead@example.com", role: "admin" },
      ],
    },
    environments: [{ name: "dev", access: { users: [{ name: "view@example.com", role: "operator" }] } }],
  },
} as unknown as Team;
const callerOf = (email: string, platformRole?: Caller["platformRole"]): Caller => ({
  person: { email, groups: [] },
  platformRole,
});

describe("the role in a tenant", () => {
  it.each([
    ["view@example.com", undefined, undefined, "view"],
    ["view@example.com", undefined, "dev", "cluster-admin"],
    ["operate@example.com", undefined, undefined, "cluster-admin"],
    ["lead@example.com", undefined, undefined, "cluster-admin"],
    ["lead@example.com", "viewer", undefined, "cluster-admin"],
    ["eve@example.com", "viewer", undefined, "view"],
    ["eve@example.com", "admin", undefined, "cluster-admin"],
    ["eve@example.com", undefined, undefined, undefined],
  ] as const)("of %s (platform: %s, environment: %s) is %s", (email, platformRole, environment, role) => {
    expect(terminalRoleOf(callerOf(email, platformRole), { team, environment })).toBe(role);
  });

  it.each([
    [undefined, "view", false],
    ["view", "cluster-admin", false],
    ["view", "view", true],
    ["cluster-admin", "view", true],
  ] as const)("%s is enough for a terminal of %s: %s", (now, opened, expected) => {
    expect(stillHas(now, opened)).toBe(expected);
  });
});

describe("the lifetime of a terminal", () => {
  const record = { createdAt: "2026-01-01T00:00:00Z", beatAt: "2026-01-01T00:10:00Z" } as TerminalRecord;
  it.each([
    ["while its replica sends heartbeats", "2026-01-01T00:11:00Z", false],
    ["when its replica stops sending heartbeats", "2026-01-01T00:11:16Z", true],
    ["after its hour", "2026-01-01T01:00:00Z", true],
  ])("%s", (_when, now, expected) => expect(isAbandoned(record, new Date(now))).toBe(expected));

  it("a ticket is valid for half a minute", () => {
    expect(isTicketDue(record, new Date("2026-01-01T00:00:30Z"))).toBe(true);
    expect(isTicketDue(record, new Date("2026-01-01T00:00:31Z"))).toBe(false);
  });
});

describe("the objects of a terminal", () => {
  const tenantAt = (server: string): KubeConfig => {
    const config = new KubeConfig();
    config.loadFromOptions({
      clusters: [{ name: "t", server, caData: "Y2E=", skipTLSVerify: false }],
      users: [{ name: "t", certData: "YWRtaW4tY2VydA==", keyData: "YWRtaW4ta2V5" }],
      contexts: [{ name: "t", cluster: "t", user: "t" }],
      currentContext: "t",
    });
    return config;
  };

  it("bind the user's own role in the tenant, by name", () => {
    const [account, binding] = tenantAccess("abc", { email: "ada@example.com", role: "view" });
    expect(account).toMatchObject({ metadata: { namespace: "kube-system" }, automountServiceAccountToken: false });
    expect(binding).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "ServiceAccount", name: "butler-terminal-abc", namespace: "kube-system" }],
    });
  });

  it("include a kubeconfig with the user's token, without admin credentials", () => {
    const { data } = kubeconfigSecret("abc", tenantAt("https://10.0.0.9:6443"), "the-token") as {
      data?: { kubeconfig?: string };
    };
    const text = Buffer.from(data?.kubeconfig ?? "", "base64").toString();
    expect(text).toContain("the-token");
    for (const secret of ["YWRtaW4tY2VydA==", "YWRtaW4ta2V5"]) expect(text).not.toContain(secret);
  });

  it("include a pod without a ServiceAccount", () => {
    expect(terminalPod("abc", { image: "image" })).toMatchObject({
      spec: { automountServiceAccountToken: false, enableServiceLinks: false, restartPolicy: "Never" },
    });
  });

  it.each([
    ["https://10.0.0.9:6443", [{ ports: [{ port: 6443 }], to: [{ ipBlock: { cidr: "10.0.0.9/32" } }] }]],
    ["https://[fd00::9]:6443", [{ ports: [{ port: 6443 }], to: [{ ipBlock: { cidr: "fd00::9/128" } }] }]],
    ["https://shop.example.com", [{ ports: [{ port: 443 }] }, { ports: [{ port: 53 }, { port: 53 }] }]],
  ])("include a NetworkPolicy that allows egress to %s only", (server, egress) => {
    const { spec } = terminalPolicy("abc", tenantAt(server)) as { spec?: object };
    expect(spec).toMatchObject({ policyTypes: ["Ingress", "Egress"], ingress: [], egress });
  });
});
