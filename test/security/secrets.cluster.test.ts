import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AuditSegment, allResources, namespaces } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { type Browser, host, newObject, post, type WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goodPassword, people, send, startPlatform, answerOf } from "./lib/platform.ts";

let platform: WholeServer;
let root: Browser;
/** Secrets that must not appear anywhere else. */
const canaries = new Set<string>();
/** Every response to a user without access to a secret. */
const answers: string[] = [];

beforeAll(async () => {
  platform = await startPlatform("security-secrets");
  root = await platform.signInAs({ email: people.root });
});

afterAll(() => platform?.stop());

const keep = (secret: string | undefined): string => {
  if (secret !== undefined && secret.length > 8) canaries.add(secret);
  return secret ?? "";
};
const api = (path: string): string => `${platform.url}${path}`;

/** Sends every request that takes or returns a secret, successful and failing. */
async function plant(): Promise<void> {
  for (const name of ["butler_session", "butler_refresh"]) keep(root.cookie(host, name));
  const clientSecret = keep("canary-of-the-client-secret");
  const provider = {
    name: "planted",
    issuerURL: "https://login.example.com",
    clientID: "butler",
    clientSecret,
    redirectURL: "https://butler.example.com/api/auth/callback",
  };
  const admin = "/api/admin/identity-providers";
  expect((await send(root, api(admin), { method: "POST", body: provider })).status).toBe(201);
  for (const body of [
    provider,
    { ...provider, name: "UPPER" },
    { ...provider, extra: clientSecret },
    { ...provider, scopes: clientSecret },
  ])
    answers.push(JSON.stringify(await send(root, api(admin), { method: "POST", body })));
  answers.push(JSON.stringify(await send(root, api(`${admin}/planted`))), JSON.stringify(await send(root, api(admin))));
  const invited = await send(root, api("/api/admin/users"), { method: "POST", body: { email: "canary@example.com" } });
  const token = keep(
    /invite[=/]([\w-]{20,})|token=([\w-]{20,})/.exec(JSON.stringify(invited.body))?.slice(1).find(Boolean),
  );
  expect(token).not.toBe("");
  await fetch(api(`/api/auth/invite/${token}`));
  const password = keep(`${goodPassword}-canary`);
  const browser = platform.browser();
  await post(browser, api("/api/auth/set-password"), { token, password });
  for (const name of ["butler_session", "butler_refresh"]) keep(browser.cookie(host, name));
  await post(browser, api("/api/auth/refresh"));
  for (const name of ["butler_session", "butler_refresh"]) keep(browser.cookie(host, name));
  // Users type a password into the name field.
  for (const body of [
    { email: password, password },
    { username: password, password: "x" },
    { email: "canary@example.com", password: keep("canary-of-a-wrong-password") },
  ])
    answers.push(JSON.stringify(await answerOf(post(platform.browser(), api("/api/auth/login"), body))));
  const values = { password: keep("canary-of-the-values") };
  const addon = { addon: "cilium", values };
  await send(root, api("/api/clusters/payments/shop/addons"), { method: "POST", body: addon });
  const settings = { spec: { audit: { webhookURL: `https://hooks.example.com/${keep("canary-of-the-webhook")}` } } };
  await send(root, api("/api/admin/settings"), { method: "PUT", body: settings });
  const kubeconfig = await send(root, api("/api/clusters/payments/shop/kubeconfig"));
  for (const [, data = ""] of String(kubeconfig.body["kubeconfig"]).matchAll(/client-key-data: (\S+)/g)) keep(data);
}

function requireNoCanary(where: string, text: string): void {
  for (const canary of canaries) expect(text.includes(canary), `${canary} in ${where}`).toBe(false);
}

describe("secrets", () => {
  beforeAll(plant);

  it("34: do not appear in logs, the audit log, metrics or problems", async () => {
    expect(canaries.size).toBeGreaterThanOrEqual(8);
    await eventually(() => platform.auditLines.length > 5);
    requireNoCanary("the log", platform.logs.join("\n"));
    requireNoCanary("the audit log", platform.auditLines.join("\n"));
    requireNoCanary("the metrics", await platform.metrics.text());
    for (const answer of answers) requireNoCanary(`the answer ${answer.slice(0, 80)}`, answer);
    const exported = await root.send(api("/api/admin/audit/export"));
    requireNoCanary("the export", await exported.text());
  });

  it("33: are stored only in Secrets, never in other objects, plain or encoded", async () => {
    const { client } = platform.cluster;
    const { ConfigMap, Event, Lease, ServiceAccount } = builtinKinds;
    for (const kind of [...allResources, ConfigMap, Event, Lease, ServiceAccount]) {
      const text = JSON.stringify(
        (await client.list(kind)).items.filter(({ metadata }) => metadata.namespace !== "kube-system"),
      );
      for (const canary of canaries) {
        // Values of add-ons and webhook URLs are where users put them; all other secrets are in no object.
        if (canary.includes("values") || canary.includes("webhook")) continue;
        expect(text.includes(canary), `${canary} in ${kind.kind}`).toBe(false);
        expect(text.includes(Buffer.from(canary).toString("base64")), `${canary} in ${kind.kind}`).toBe(false);
      }
    }
  });

  it("33: are stored as hashes if Butler only compares them", async () => {
    const secrets = await platform.cluster.client.list(builtinKinds.Secret, { namespace: namespaces.system });
    const texts = secrets.items.map((secret) => {
      const data = (secret["data"] ?? {}) as Record<string, string>;
      return Object.values(data)
        .map((value) => Buffer.from(value, "base64").toString())
        .join("\n");
    });
    const stored = texts.join("\n");
    for (const canary of canaries) {
      if (canary.includes("client-secret")) continue;
      const [, secretPart = canary] = /^[0-9a-f]{32}\.(.+)$/.exec(canary) ?? [];
      expect(stored.includes(secretPart), `${canary} in a Secret`).toBe(false);
    }
  });

  it("35: detail routes return only the named object", async () => {
    const watcher = await platform.signInAs({ email: people.watcher });
    const paths = [
      "/api/admin/identity-providers",
      "/api/admin/identity-providers/planted",
      "/api/users",
      "/api/admin/settings",
      "/api/clusters",
      "/api/clusters/payments/shop",
      "/api/clusters/payments/shop/addons",
      "/api/clusters/payments/shop/export",
      "/api/providers",
      "/api/admin/audit",
    ];
    for (const path of paths) {
      const text = await (await watcher.send(api(path))).text();
      requireNoCanary(path, text);
      expect(text, path).not.toMatch(/managedFields|last-applied-configuration|inviteTokenHash|passwordSecretRef/);
    }
  });

  it("34: are never in cacheable responses", async () => {
    const { headers } = await root.send(api("/api/clusters/payments/shop/kubeconfig"));
    expect(headers.get("cache-control")).toContain("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });
});

describe("the audit log", () => {
  const verify = async () => (await send(root, api("/api/admin/audit/verify"))).body;

  it.each([
    [
      "changed",
      (lines: string[]) =>
        lines.map((line, at) => (at === 1 ? line.replace(/"user":"[^"]*"/, '"user":"another@example.com"') : line)),
    ],
    ["removed", (lines: string[]) => lines.filter((_line, at) => at !== 1)],
    ["put in another order", (lines: string[]) => [lines[1] ?? "", lines[0] ?? "", ...lines.slice(2)]],
    ["cut off", (lines: string[]) => lines.slice(0, -1)],
  ])("detects a line that is %s", async (_what, tamper) => {
    const { client } = platform.cluster;
    const another = await platform.startAnother();
    const known = new Set((await client.list(AuditSegment)).items.map(({ metadata }) => metadata.name));
    const body = { email: "another@example.com", role: "no role" };
    for (let at = 0; at < 4; at++)
      await send(root, `${another.url}/api/teams/payments/members`, { method: "POST", body });
    await another.stop();
    const segment = (await client.list(AuditSegment)).items.find(({ metadata }) => !known.has(metadata.name));
    if (segment === undefined) throw new Error("there is no segment");
    const { name } = segment.metadata;
    const lines = segment.spec.lines.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(3);
    const forged = `${tamper(lines).join("\n")}\n`;
    const isIntact = async (): Promise<boolean> => (await verify())["isIntact"] === true;
    await eventually(isIntact);
    // Kubernetes does not allow changes to one, so it is deleted and recreated.
    const patch = { spec: { lines: forged } };
    await expect(client.patch(AuditSegment, { name }, { type: "merge", patch })).rejects.toThrow(
      "cannot be changed or removed",
    );
    const put = async (text: string): Promise<void> => {
      await client.delete(AuditSegment, { name });
      await client.create(AuditSegment, newObject(AuditSegment, { name }, { spec: { ...segment.spec, lines: text } }));
    };
    await put(forged);
    try {
      await eventually(async () => !(await isIntact()));
    } finally {
      await put(segment.spec.lines);
    }
    await eventually(isIntact);
  });

  it("is readable only by platform roles, and writable by none", async () => {
    const ada = await platform.signInAs({ email: people.ada });
    for (const path of ["/api/admin/audit", "/api/admin/audit/export", "/api/admin/audit/verify"]) {
      expect((await send(ada, api(path))).status).toBe(403);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"])
        expect((await send(root, api(path), { method, body: {} })).status).toBe(405);
    }
    const own = await send(ada, api("/api/teams/payments/audit"));
    expect(JSON.stringify(own.body)).not.toContain("billing");
  });

  it("a name with a line break does not create a second record", async () => {
    const before = platform.auditLines.length;
    const body = { email: 'x@example.com\n{"user":"forged"}', role: "viewer" };
    expect((await send(root, api("/api/teams/payments/members"), { method: "POST", body })).status).toBe(400);
    await send(root, api(`/api/teams/payments/groups/${encodeURIComponent('a\n{"user":"forged"}')}`), {
      method: "DELETE",
    });
    await eventually(() => platform.auditLines.length >= before + 2);
    for (const line of platform.auditLines.slice(before)) {
      expect(line.trimEnd()).not.toContain("\n");
      expect((JSON.parse(line) as { user: string }).user).not.toBe("forged");
    }
  });
});

describe("outbound requests of the server", () => {
  const test = (issuerURL: string) =>
    send(root, api("/api/admin/identity-providers/test"), { method: "POST", body: { issuerURL } });

  it("6: never go to loopback, metadata services, or disguised addresses", async () => {
    let asked = 0;
    const inside = createServer((_request, response) => {
      asked++;
      response.end("{}");
    });
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
    const { port } = inside.address() as AddressInfo;
    try {
      const hosts = [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0.0.0.0",
        "[::]",
        "169.254.169.254",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
      ];
      for (const name of hosts) {
        const answer = await test(`https://${name}:${port}`);
        expect(answer.body["valid"] ?? false, name).toBe(false);
        expect(JSON.stringify(answer.body), name).not.toMatch(
          /ECONNREFUSED|wrong version|EPROTO|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
        );
      }
      for (const url of [
        `http://127.0.0.1:${port}`,
        "file:///etc/passwd",
        "gopher://127.0.0.1",
        `https://user:pass@127.0.0.1:${port}`,
      ])
        expect((await test(url)).body["valid"] ?? false).toBe(false);
      expect(asked).toBe(0);
    } finally {
      inside.close();
    }
  });

  it("4: cannot be triggered by a client", async () => {
    for (const path of [
      "/api/proxy",
      "/meta/proxy/example.com",
      "/k8s/clusters/local",
      "/api/clusters/payments/shop/proxy/api/v1/secrets",
      "/v3/connect",
      "http://example.com/",
    ]) {
      const answer = await root.send(
        new URL(path.startsWith("http") ? "/proxy?url=http://example.com" : path, platform.url),
      );
      expect(answer.status).toBe(404);
    }
  });
});
