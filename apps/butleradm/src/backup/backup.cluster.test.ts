import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  allResources,
  annotations as annotationKeys,
  AuditSegment,
  IPAllocation,
  namespaces,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  User,
} from "@butler/api";
import { builtinKinds, type DynamicObject, type KubeObject, type Resource } from "@butler/resource";
import { aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSealed, sealFiles } from "../archive/sealed.ts";
import type { Run } from "@butler/cli-kit/testing";
import { runButleradm } from "../testing/run-butleradm.ts";

const { Namespace, Secret } = builtinKinds;
const password = "correct-horse-battery-staple";
let origin: TestCluster;
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "butleradm-backup-"));
  file = join(folder, "backup.tar.gz");
  origin = await aTestCluster({ resources: allResources });
});
afterAll(async () => {
  await origin?.stop();
  await rm(folder, { recursive: true, force: true });
});

function run(line: string): Promise<Run> {
  return runButleradm(line, { kubeconfig: origin.controlPlane.kubeconfigPath });
}

function make(kind: Resource, metadata: KubeObject["metadata"], spec: object): Promise<KubeObject> {
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec } as KubeObject;
  return origin.client.create(kind, object);
}

function exampleOf({ example }: Resource): object {
  return example["spec"] as object;
}

async function fill(): Promise<void> {
  await origin.createNamespace(namespaces.system);
  await origin.createNamespace("payments");
  const data = { password: Buffer.from(password).toString("base64") };
  for (const name of ["harvester", "ada-password", "unrelated"]) {
    const metadata = { name, namespace: namespaces.system };
    await origin.client.create(Secret, { apiVersion: "v1", kind: "Secret", metadata, data } as DynamicObject);
  }
  await make(Team, { name: "payments" }, {});
  await make(User, { name: "ada" }, { email: "ada@example.com" });
  const status = { phase: "Active", passwordSecretRef: { name: "ada-password", namespace: namespaces.system } };
  const ada = { type: "merge", patch: { status }, subresource: "status" } as const;
  await origin.client.patch(User, { name: "ada" }, ada);
  const provider = {
    provider: "harvester",
    credentialsRef: { name: "harvester" },
    harvester: { networkName: "default/vm" },
  };
  await make(ProviderConfig, { name: "lab", namespace: namespaces.system }, provider);
  await make(NetworkPool, { name: "underlay", namespace: namespaces.system }, { cidr: "10.40.0.0/16" });
  const annotations = { [annotationKeys.creatorEmail]: "ada@example.com" };
  const cluster = await make(
    TenantCluster,
    { name: "shop", namespace: "payments", annotations },
    exampleOf(TenantCluster),
  );
  const owner = {
    apiVersion: TenantCluster.apiVersion,
    kind: "TenantCluster",
    name: "shop",
    uid: cluster.metadata.uid ?? "",
  };
  const spec = { clusterRef: { name: "shop" }, addon: "traefik" };
  await make(TenantAddon, { name: "shop-traefik", namespace: "payments", ownerReferences: [owner] }, spec);
  const claim = {
    poolRef: { name: "underlay" },
    tenantClusterRef: { name: "shop", namespace: "payments" },
    type: "loadbalancer",
  };
  await make(IPAllocation, { name: "shop-lb", namespace: namespaces.system }, { ...claim, count: 8 });
  const given = { phase: "Allocated", startAddress: "10.40.1.8", endAddress: "10.40.1.15" };
  const patch = { type: "merge", patch: { status: given }, subresource: "status" } as const;
  await origin.client.patch(IPAllocation, { name: "shop-lb", namespace: namespaces.system }, patch);
  await make(AuditSegment, { name: "segment" }, exampleOf(AuditSegment));
}

describe("butleradm backup", () => {
  it("fails in a cluster without Butler objects", async () => {
    const { code, stderr } = await run(`backup ${file}`);
    expect(stderr).toContain("no Butler objects found in this cluster");
    expect(code).not.toBe(0);
  });

  it("writes one file that only its owner can read, without Secrets unless asked for", async () => {
    await fill();
    const dry = await run(`backup ${file} --dry-run`);
    expect(dry.stderr).toContain("The backup does not include 2 referenced Secrets");
    await expect(stat(file)).rejects.toThrow();
    const plain = join(folder, "plain.tar.gz");
    expect(await run(`backup ${plain}`)).toMatchObject({ code: 0, stdout: `${plain}\n` });
    const contents = [...(await openSealed(await readFile(plain))).values()].join("\n");
    expect(contents).not.toContain(Buffer.from(password).toString("base64"));
    const { code, stderr } = await run(`backup ${file} --with-secrets`);
    expect(stderr).toContain("2 Secret");
    expect(code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const files = await openSealed(await readFile(file));
    const all = [...files.values()].join("\n");
    expect(all).toContain(Buffer.from(password).toString("base64"));
    expect(all).not.toContain("unrelated");
    expect(all).not.toMatch(/\buid:|resourceVersion|managedFields|creationTimestamp/);
  });

  it("does not overwrite an existing file", async () => {
    const { code, stderr } = await run(`backup ${file}`);
    expect(stderr).toContain("already exists");
    expect(code).not.toBe(0);
  });
});

describe("butleradm restore", () => {
  it("rejects truncated and modified files, and newer format versions", async () => {
    const packed = await readFile(file);
    const wrong = join(folder, "wrong.tar.gz");
    const attempt = async (bytes: Buffer): Promise<string> => {
      await writeFile(wrong, bytes);
      const { code, stderr } = await run(`restore ${wrong} --yes`);
      expect(code).not.toBe(0);
      return stderr;
    };
    expect(await attempt(packed.subarray(0, packed.length - 200))).toContain("damaged or truncated");
    expect(await attempt(Buffer.from("not an archive"))).toContain("damaged or truncated");
    const files = [...(await openSealed(packed))].map(([path, content]) => ({ path, content }));
    const changed = files.map(({ path, content }) =>
      path.includes("team") ? { path, content: Buffer.from(`${content.toString()}# changed\n`) } : { path, content },
    );
    expect(await attempt(await sealFiles(changed, new Date()))).toContain("does not match");
    const newer = files.map(({ path, content }) => ({
      path,
      content:
        path === "manifest.json"
          ? Buffer.from(content.toString().replace('"formatVersion": 1', '"formatVersion": 9'))
          : content,
    }));
    expect(await attempt(await sealFiles(newer, new Date()))).toContain("Upgrade butleradm.");
  });

  it("changes nothing when nothing differs", async () => {
    const { code, stderr } = await run(`restore ${file} --yes`);
    expect(stderr).toContain("Nothing to restore.");
    expect(code).toBe(0);
  });

  it("reports differences, and replaces objects only with --overwrite", async () => {
    const change = { type: "merge", patch: { spec: { displayName: "Ada Lovelace" } } } as const;
    await origin.client.patch(User, { name: "ada" }, change);
    await origin.client.delete(NetworkPool, { name: "underlay", namespace: namespaces.system });
    const refused = await run(`restore ${file} --yes`);
    expect(refused.stderr).toContain("User ada: changed after the backup: spec.displayName");
    expect(refused.stderr).toContain("1 object already exists and differs: User ada; nothing was changed");
    expect(refused.code).not.toBe(0);
    const pool = { name: "underlay", namespace: namespaces.system };
    expect(await origin.client.find(NetworkPool, pool)).toBeUndefined();
    expect(await run(`restore ${file} --skip-conflicts --yes`)).toMatchObject({ code: 0 });
    expect(await origin.client.find(NetworkPool, pool)).toBeDefined();
    expect((await origin.client.get(User, { name: "ada" })).spec.displayName).toBe("Ada Lovelace");
    expect(await run(`restore ${file} --overwrite --yes`)).toMatchObject({ code: 0 });
    expect((await origin.client.get(User, { name: "ada" })).spec.displayName).toBeUndefined();
  });

  it("asks for confirmation before it writes", async () => {
    await origin.client.delete(NetworkPool, { name: "underlay", namespace: namespaces.system });
    expect(await run(`restore ${file}`)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") as string });
    expect((await run(`restore ${file} --dry-run`)).stderr).toContain("Dry run: nothing was changed.");
    expect(await origin.client.find(NetworkPool, { name: "underlay", namespace: namespaces.system })).toBeUndefined();
  });
});

describe("butleradm restore into another cluster", () => {
  it("recreates everything with Secrets, owners, addresses and passwords, and can be repeated", async () => {
    await origin.stop();
    const other = (origin = await aTestCluster({ resources: [] }));
    expect((await run(`restore ${file} --yes`)).stderr).toContain("Install Butler first: butleradm install");
    await other.stop();
    origin = await aTestCluster({ resources: allResources });
    const { code, stderr } = await run(`restore ${file} --paused --yes`);
    expect(stderr).toMatch(/(\d+) of \1 objects were written/);
    expect(code).toBe(0);
    const { client } = origin;
    expect(await client.find(Namespace, { name: "payments" })).toBeDefined();
    const cluster = await client.get(TenantCluster, { name: "shop", namespace: "payments" });
    expect(cluster.spec.paused).toBe(true);
    expect(cluster.metadata.annotations?.[annotationKeys.owner]).toBe("ada@example.com");
    const addon = await client.get(TenantAddon, { name: "shop-traefik", namespace: "payments" });
    expect(addon.metadata.ownerReferences).toMatchObject([
      { kind: "TenantCluster", name: "shop", uid: cluster.metadata.uid },
    ]);
    const claim = await client.get(IPAllocation, { name: "shop-lb", namespace: namespaces.system });
    expect(claim.spec.pinnedRange).toEqual({ startAddress: "10.40.1.8", endAddress: "10.40.1.15" });
    expect((await client.get(User, { name: "ada" })).status?.passwordSecretRef?.name).toBe("ada-password");
    const secret = await client.get(Secret, { name: "harvester", namespace: namespaces.system });
    expect(secret["data"]).toEqual({ password: Buffer.from(password).toString("base64") });
    expect((await run(`restore ${file} --paused --yes`)).stderr).toContain("Nothing to restore.");
  });
});
