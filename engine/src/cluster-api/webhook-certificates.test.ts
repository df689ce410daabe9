import { X509Certificate } from "node:crypto";
import { faultOf } from "@butler/pki";
import { Conflict } from "@butler/std";
import { describe, expect, it } from "vitest";
import type { Manifest } from "./manifests.ts";
import { ensureAuthority, fillSecrets, type SecretStore } from "./webhook-certificates.ts";

const now = new Date("2026-01-01T00:00:00Z");
const dnsNames = ["hook.system.svc"];
const serving = { name: "serving", namespace: "system", dnsNames };

function later(days: number): Date {
  return new Date(now.getTime() + days * 86_400_000);
}

/** Keeps Secrets like an API server: what exists is not created again, and an old version is not replaced. */
class InMemorySecrets implements SecretStore {
  readonly stored = new Map<string, Manifest>();
  writes = 0;
  /** Called once, just before the next write, to simulate another client. */
  interference: (() => Promise<unknown>) | undefined;

  async get<Shape>(...args: readonly string[]): Promise<Shape | undefined> {
    return this.stored.get(args[1] ?? "") as Shape | undefined;
  }

  async run(args: readonly string[], objects: readonly object[] = []): Promise<string> {
    const { interference } = this;
    this.interference = undefined;
    await interference?.();
    for (const object of objects as Manifest[]) {
      const { name, ...metadata } = object.metadata as Manifest["metadata"] & { resourceVersion?: string };
      const current = this.stored.get(name)?.metadata as { resourceVersion?: string } | undefined;
      if (current?.resourceVersion !== metadata.resourceVersion) throw new Conflict(`${args[0] ?? ""} ${name}`);
      this.writes += 1;
      this.put({ ...object, metadata: { ...object.metadata, resourceVersion: String(this.writes) } as never });
    }
    return "";
  }

  put(object: Manifest): void {
    this.stored.set(object.metadata.name, object);
  }
}

describe("ensureAuthority", () => {
  it("creates a CA and keeps it", async () => {
    const secrets = new InMemorySecrets();
    const first = await ensureAuthority(secrets, now);
    expect(await ensureAuthority(secrets, later(2_400))).toEqual(first);
    expect(secrets.writes).toBe(1);
  });

  it("renews a CA in the last third of its lifetime, and trusts both", async () => {
    const secrets = new InMemorySecrets();
    const first = await ensureAuthority(secrets, now);
    const second = await ensureAuthority(secrets, later(2_450));
    expect(second.pair).not.toEqual(first.pair);
    const trusted = second.trusted.split(/(?<=-----END CERTIFICATE-----\n)/);
    expect(trusted.map((pem) => new X509Certificate(pem).fingerprint256)).toEqual(
      [second.pair.cert, first.pair.cert].map((pem) => new X509Certificate(pem).fingerprint256),
    );
  });

  it("does not trust an expired CA", async () => {
    const secrets = new InMemorySecrets();
    await ensureAuthority(secrets, now);
    const { trusted } = await ensureAuthority(secrets, later(4_000));
    expect(trusted.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
  });

  it("uses the CA of a concurrent installation that was faster", async () => {
    const secrets = new InMemorySecrets();
    let other: unknown;
    secrets.interference = async () => (other = await ensureAuthority(secrets, now));
    expect(await ensureAuthority(secrets, now)).toEqual(other);
    expect(secrets.writes).toBe(1);
  });

  it("replaces a CA that cannot be parsed", async () => {
    const secrets = new InMemorySecrets();
    await ensureAuthority(secrets, now);
    for (const [name, secret] of secrets.stored) {
      secrets.stored.set(name, {
        ...secret,
        data: { "tls.crt": btoa("x"), "tls.key": btoa("y"), "ca.crt": btoa("z") },
      });
    }
    const { pair, trusted } = await ensureAuthority(secrets, now);
    expect(faultOf(pair, { now })).toBeUndefined();
    expect(trusted.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
  });
});

describe("fillSecrets", () => {
  it("issues a certificate for the Service, and keeps it while it is valid", async () => {
    const secrets = new InMemorySecrets();
    const authority = await ensureAuthority(secrets, now);
    const [filled] = await fillSecrets(secrets, [serving], { authority, now });
    const pair = filled?.pair ?? expect.fail("nothing was filled");
    expect(new X509Certificate(pair.cert).subjectAltName).toBe("DNS:hook.system.svc");
    secrets.put({
      apiVersion: "v1",
      kind: "Secret",
      metadata: serving,
      data: { "tls.crt": btoa(pair.cert), "tls.key": btoa(pair.key) },
    });
    const again = await fillSecrets(secrets, [serving], { authority, now: later(240) });
    expect(again).toEqual([{ ...serving, pair }]);
    const [renewed] = await fillSecrets(secrets, [serving], { authority, now: later(250) });
    expect(renewed?.pair).not.toEqual(pair);
  });
});
