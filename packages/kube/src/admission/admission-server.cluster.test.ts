import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtinKinds, type DynamicObject, type Kind } from "@butler/resource";
import { InvalidInput, Unavailable } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AdmissionHandler } from "./admission-review.ts";
import { AdmissionServer } from "./admission-server.ts";
import { type IssuedCertificate, OpensslAuthority } from "./openssl-authority.ts";

const namespace = "judged";
const webhookKind = (kind: string, plural: string): Kind => ({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind,
  plural,
  scope: "Cluster",
});
const webhooks = {
  validating: webhookKind("ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
  mutating: webhookKind("MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
};

const sizeOf = (object: DynamicObject | undefined): unknown =>
  (object?.["data"] as Record<string, string> | undefined)?.["size"];

/** Each edition of the webhook configurations has paths of its own: calls there show that it is in force. */
type Edition = 1 | 2 | 3;

const handlersOf = (edition: Edition): AdmissionHandler[] => [
  {
    path: `/validate/${edition}`,
    kind: builtinKinds.ConfigMap,
    validate: ({ object }) =>
      Number(sizeOf(object)) > 10 ? [{ path: "data.size", message: "must be at most 10", code: "TOO_LARGE" }] : [],
    warn: ({ object }) => (sizeOf(object) === "10" ? ["data.size: there is no room left"] : []),
  },
  {
    path: `/mutate/${edition}`,
    kind: builtinKinds.ConfigMap,
    mutate: ({ object }) => ({ ...object, data: { size: "1", ...(object?.["data"] as object | undefined) } }),
  },
];
const handlers = [...handlersOf(1), ...handlersOf(2), ...handlersOf(3)];

let cluster: TestCluster;
let directory: string;
let authorities: { old: OpensslAuthority; new: OpensslAuthority };
let server: AdmissionServer;
let port: number;
let mounts = 0;
const metrics = new MetricsRegistry();

function newServer(onPort: number): AdmissionServer {
  const certificate = { certFile: join(directory, "..data", "tls.crt"), keyFile: join(directory, "..data", "tls.key") };
  return new AdmissionServer({
    handlers,
    certificate,
    port: onPort,
    host: "127.0.0.1",
    certificateCheckMs: 50,
    metrics,
  });
}

async function mount({ cert, key }: IssuedCertificate): Promise<void> {
  const data = join(directory, `..${++mounts}`);
  await mkdir(data);
  await writeFile(join(data, "tls.crt"), cert);
  await writeFile(join(data, "tls.key"), key);
  await symlink(data, join(directory, "..data_tmp"));
  await rename(join(directory, "..data_tmp"), join(directory, "..data"));
}

/** States both configurations with the given authorities as the ones to trust. */
async function configure(edition: Edition, ...trusted: readonly OpensslAuthority[]): Promise<void> {
  const caBundle = Buffer.from(trusted.map(({ caPem }) => caPem).join("")).toString("base64");
  for (const [verb, kind] of [["validate", webhooks.validating] as const, ["mutate", webhooks.mutating] as const]) {
    const webhook = {
      name: `${verb}.butler.test`,
      clientConfig: { url: `https://127.0.0.1:${port}/${verb}/${edition}`, caBundle },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["configmaps"] }],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      failurePolicy: "Fail",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      timeoutSeconds: 10,
    };
    const object = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: kind.kind,
      metadata: { name: "butler-test" },
      webhooks: [webhook],
    };
    await cluster.client.apply(kind, object, { fieldManager: "test" });
  }
}

const configMap = (name: string, data?: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace },
  ...(data === undefined ? {} : { data }),
});
const create = (name: string, data?: Record<string, string>): Promise<DynamicObject> =>
  cluster.client.create(builtinKinds.ConfigMap, configMap(name, data));

beforeAll(async () => {
  const [old, renewed, started] = await Promise.all([
    OpensslAuthority.create("old authority"),
    OpensslAuthority.create("new authority"),
    aTestCluster(),
  ]);
  authorities = { old, new: renewed };
  cluster = started;
  directory = await mkdtemp(join(tmpdir(), "butler-admission-"));
  await mount(await old.issue("first"));
  server = newServer(0);
  port = await server.start();
  await cluster.createNamespace(namespace);
  await configure(1, old);
  // The API server learns of webhooks by a watch of its own.
  await eventually(async () => {
    const dryRun = { dryRun: true };
    const mutated = await cluster.client.create(builtinKinds.ConfigMap, configMap("probe"), dryRun);
    const large = cluster.client.create(builtinKinds.ConfigMap, configMap("probe", { size: "11" }), dryRun);
    return (
      sizeOf(mutated) === "1" &&
      (await large.then(
        () => false,
        () => true,
      ))
    );
  });
});

afterAll(async () => {
  await server.stop();
  await cluster.stop();
  await rm(directory, { recursive: true });
  await Promise.all([authorities.old.remove(), authorities.new.remove()]);
});

describe("AdmissionServer behind an API server", () => {
  it("refuses with the field in the message", async () => {
    const refused = create("large", { size: "11" });
    await expect(refused).rejects.toThrow(InvalidInput);
    await expect(refused).rejects.toThrow(
      'admission webhook "validate.butler.test" denied the request: data.size: must be at most 10',
    );
    expect(await cluster.client.find(builtinKinds.ConfigMap, { name: "large", namespace })).toBeUndefined();
  });

  it("mutates objects", async () => {
    expect(sizeOf(await create("empty"))).toBe("1");
    expect(sizeOf(await create("small", { size: "3" }))).toBe("3");
  });

  it("passes warnings on", async () => {
    const { server: url, caPem, adminCert, adminKey } = cluster.controlPlane;
    const warning = await new Promise((resolve, reject) => {
      const call = request(
        `${url}/api/v1/namespaces/${namespace}/configmaps`,
        { method: "POST", ca: caPem, cert: adminCert, key: adminKey, headers: { "content-type": "application/json" } },
        (answer) => {
          answer.resume();
          answer.on("end", () => resolve(answer.headers["warning"]));
        },
      );
      call.on("error", reject);
      call.end(JSON.stringify(configMap("full", { size: "10" })));
    });
    expect(warning).toContain("data.size: there is no room left");
  });

  it("switches to a certificate of another CA without failing a request", async () => {
    const reloads = () => metrics.value("butler_admission_certificate_reloads_total", { result: "served" });
    const over = new AbortController();
    let requests = 0;
    const failures: unknown[] = [];
    const callers = [0, 1, 2, 3].map(async (caller) => {
      while (!over.signal.aborted) {
        const name = `busy-${caller}-${requests++}`;
        await create(name).then(
          (made) => sizeOf(made) === "1" || failures.push("not mutated"),
          (error: unknown) => failures.push(error),
        );
      }
    });
    const inForce = async (edition: Edition): Promise<void> => {
      const calls = (verb: string) =>
        metrics.value("butler_admission_requests_total", { path: `/${verb}/${edition}`, result: "allowed" });
      await eventually(async () => (await calls("mutate")) > 0 && (await calls("validate")) > 0);
    };
    const passed = async (count: number): Promise<void> => {
      const from = requests;
      await eventually(() => requests >= from + count);
    };
    await passed(20);
    await configure(2, authorities.old, authorities.new);
    await inForce(2);
    await passed(20);
    await mount(await authorities.new.issue("second"));
    await eventually(async () => (await reloads()) === 1);
    await passed(20);
    // The API server now trusts only the new CA, and reconnects to verify.
    await configure(3, authorities.new);
    await inForce(3);
    await passed(40);
    over.abort();
    await Promise.all(callers);
    expect(failures).toEqual([]);
    expect(await metrics.value("butler_admission_requests_total", { result: "failed" })).toBe(0);
  });

  it("denies everything while it is down", async () => {
    await server.stop();
    const refused = create("unjudged", { size: "3" });
    await expect(refused).rejects.toThrow(Unavailable);
    await expect(refused).rejects.toThrow("failed calling webhook");
    server = newServer(port);
    await server.start();
    await eventually(async () => sizeOf(await create("judged-again")) === "1");
  });
});
