import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { teamNamespaceRules } from "@butler/access";
import { allResources, namespaces, Team, User } from "@butler/api";
import { type RunningCommand, startCommandLine } from "@butler/cli-kit/testing";
import { approveDevice, createClient, denyDevice } from "@butler/contract";
import { KubeConfig } from "@butler/kube";
import { createAuthority, issueCertificate } from "@butler/pki";
import { apiVersionOf, builtinKinds, type Kind, type ObjectMeta } from "@butler/resource";
import { createCliSignIn, type RunningServer, type SignedIn, ServerState, startServer } from "@butler/server";
import { systemClock } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { main } from "../testing/harness.ts";

const { Role } = builtinKinds;
const ada: SignedIn = { person: { email: "ada@example.com", groups: [] }, displayName: "Ada" };

let cluster: TestCluster;
let server: RunningServer;
let directory: string;
const over = new AbortController();
let state: ServerState;

async function create(kind: Kind, metadata: ObjectMeta, body: object): Promise<void> {
  await cluster.client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...body });
}

beforeAll(async () => {
  cluster = await aTestCluster({ resources: allResources });
  const { client } = cluster;
  for (const name of [namespaces.system, namespaces.cli, namespaces.cliAdmins, "payments"])
    await cluster.createNamespace(name);
  await create(
    Role,
    { name: "butler-team-operator", namespace: "payments" },
    { rules: teamNamespaceRules("operator") },
  );
  const access = { users: [{ name: "ada@example.com", role: "operator" }] };
  await create(Team, { name: "payments" }, { spec: { access } });
  await create(User, { name: "ada" }, { spec: { email: "ada@example.com", displayName: "Ada" } });
  const config = new KubeConfig();
  config.loadFromString(await readFile(cluster.controlPlane.kubeconfigPath, "utf8"));
  const { server: address = "", caData = "" } = config.getCurrentCluster() ?? {};
  state = new ServerState(client);
  const audit = { commit: () => Promise.resolve() };
  const cli = createCliSignIn({
    client,
    state,
    audit,
    clock: systemClock,
    logger: silentLogger,
    kubernetes: { server: address, caPem: Buffer.from(caData, "base64").toString() },
    groups: { canAsk: () => false, ask: (user) => Promise.resolve(user) },
    publicUrl: "https://butler.example.com",
  });
  await state.start(over.signal);
  cli.start(over.signal);
  server = await startServer({
    client,
    state,
    audit,
    port: 0,
    authenticate: (request) =>
      request.headers["authorization"] === "Browser ada" ? Promise.resolve(ada) : cli.authenticate(request),
    checkCsrf: () => true,
    tenants: { clientFor: () => Promise.reject(new Error("no tenants here")) },
    handlers: () => cli.handlers,
  });
});
afterAll(async () => {
  await server?.close();
  over.abort();
  await state?.caches.stopped();
  await cluster?.stop();
});

const running = new Set<RunningCommand>();
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "butlerctl-login-"));
});
afterEach(async () => {
  for (const command of running) command.process.kill("SIGKILL");
  running.clear();
  await rm(directory, { recursive: true, force: true });
});

/** Starts the real command line with its own home directory. */
function start(line: string): RunningCommand {
  const command = startCommandLine(main, line.split(" "), {
    kubeconfig: join(directory, "kubeconfig"),
    environment: { BUTLER_CONFIG_DIR: join(directory, "config"), HOME: directory },
  });
  running.add(command);
  return command;
}
const run = (line: string) => start(line).ended;

/** Waits for the code that a command prints, and approves or denies it in a browser. */
async function decide(command: RunningCommand, route: typeof approveDevice): Promise<void> {
  const code = await eventually(() => /enter the code (\S+)/.exec(command.output.stderr)?.[1], { what: "a code" });
  const browser = createClient({ baseUrl: server.url, headers: () => ({ authorization: "Browser ada" }) });
  await browser.call(route, { body: { user_code: code } });
}

async function logIn(): Promise<void> {
  const command = start(`login --server ${server.url} --no-browser`);
  await decide(command, approveDevice);
  const { code, stderr } = await command.ended;
  expect(stderr).toContain("Signed in to");
  expect(code).toBe(0);
}

const loginsFile = (): string => join(directory, "config", "logins.json");

describe("butlerctl login", () => {
  it("asks the server for what Kubernetes cannot filter by user", async () => {
    await logIn();
    const teams = await run("team list -o json");
    expect([teams.code, teams.stderr, JSON.parse(teams.stdout)]).toMatchObject([
      0,
      "",
      { items: [{ name: "payments", role: "operator", namespace: "payments" }] },
    ]);
    expect((await run("team get payments")).stdout).toMatch(/^Your role: +operator$/m);
    expect((await run("team members payments")).stdout).toMatch(/^ada@example\.com +operator +direct$/m);
    expect((await run("team usage payments")).stdout).toMatch(/^clusters +0 +no limit +-$/m);
    expect(await run("env list --team payments")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Team payments has no environments.\n",
    });
    const elsewhere = await run("team get search");
    expect([elsewhere.code === 0, elsewhere.stdout]).toEqual([false, ""]);

    const shown = await run("context show -o json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ name: "butler", leadsTo: "butler", signedInTo: server.url });
    expect((await run("context use --team payments")).code).toBe(0);
    expect((await run("team get -o name")).stdout).toBe("team.butler.butlerlabs.dev/payments\n");
    const watching = start("team list --watch -o name");
    await eventually(() => watching.output.stdout === "team.butler.butlerlabs.dev/payments\n");
    watching.process.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
  });

  it("signs in, accesses Kubernetes directly and as an exec plugin, shows the user, and signs out", async () => {
    await logIn();
    expect((await stat(loginsFile())).mode & 0o777).toBe(0o600);
    const kubeconfig = await readFile(join(directory, "kubeconfig"), "utf8");
    expect(parse(kubeconfig)).toMatchObject({ "current-context": "butler" });
    expect(kubeconfig).not.toMatch(/bc[ar]_|token:/);

    const listed = await run("cluster list -n payments -o json");
    expect([listed.code, JSON.parse(listed.stdout)]).toMatchObject([0, { items: [] }]);
    const refused = await run("cluster list -n default");
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/forbidden/i)]);

    const { status } = JSON.parse((await run(`credential --server ${server.url}`)).stdout) as {
      status: { token: string };
    };
    expect(status.token.split(".")).toHaveLength(3);

    const who = await run("whoami -o json");
    expect(JSON.parse(who.stdout)).toMatchObject({
      email: "ada@example.com",
      teams: [{ name: "payments", role: "operator" }],
    });
    expect((await run("whoami")).stdout).toContain("payments: operator");

    const out = await run("logout");
    expect([out.code, out.stderr]).toEqual([0, expect.stringContaining("Signed out")]);
    expect(await readFile(loginsFile(), "utf8")).not.toMatch(/bc[ar]_/);
    expect(await readFile(join(directory, "kubeconfig"), "utf8")).not.toContain("credential");
    const after = await run("whoami");
    expect([after.code, after.stderr]).toEqual([4, expect.stringContaining("butlerctl login")]);
  });

  it("refreshes an expiring token once for concurrent commands", async () => {
    await logIn();
    const before = JSON.parse(await readFile(loginsFile(), "utf8")) as { logins: { expiresAt: string }[] };
    const logins = before.logins.map((login) => ({ ...login, expiresAt: new Date().toISOString() }));
    await writeFile(loginsFile(), JSON.stringify({ ...before, logins }));
    const runs = await Promise.all([run("whoami"), run("whoami"), run("whoami")]);
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ""],
      [0, ""],
      [0, ""],
    ]);
  });

  it("reports a denied request and stores nothing", async () => {
    const command = start(`login --server ${server.url}`);
    await decide(command, denyDevice);
    const { code, stderr } = await command.ended;
    expect([code, stderr]).toEqual([4, expect.stringContaining("the sign-in was denied")]);
    await expect(stat(loginsFile())).rejects.toThrow();
  });

  it("keeps the credentials when sign-out cannot reach the server", async () => {
    await logIn();
    const stored = await readFile(loginsFile(), "utf8");
    await writeFile(loginsFile(), stored.replaceAll(server.url, "http://127.0.0.1:9"));
    const failed = await run("logout");
    expect([failed.code, failed.stderr]).toEqual([6, expect.stringContaining("--local")]);
    expect(await readFile(loginsFile(), "utf8")).toContain("bcr_");
    expect((await run("logout --local")).code).toBe(0);
  });
});

describe("the server's certificate", () => {
  let secure: TlsServer;
  let authority: string;
  beforeAll(async () => {
    const made = await createAuthority("test authority");
    const pair = await issueCertificate(made, {
      commonName: "butler",
      usages: ["server"],
      ipAddresses: ["127.0.0.1"],
    });
    authority = made.cert;
    secure = createServer({ cert: pair.cert, key: pair.key }, forward);
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => secure?.close());
  const url = (): string => `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;

  it("is rejected when untrusted, and accepted with the CA given by --ca", async () => {
    const refused = await run(`login --server ${url()}`);
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining("--ca")]);
    const file = join(directory, "authority.pem");
    await writeFile(file, authority);
    const command = start(`login --server ${url()} --no-browser --ca ${file}`);
    await decide(command, approveDevice);
    expect((await command.ended).code).toBe(0);
    expect((await run("whoami")).code).toBe(0);
  });
});

const forward: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { "content-type": type, authorization } = request.headers;
    const headers = {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(authorization && { authorization }),
    };
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    void answerFrom(request.url ?? "", { method: request.method ?? "GET", headers, ...body }).then(
      ({ status, type: own, text }) => response.writeHead(status, { "content-type": own }).end(text),
    );
  });
};

async function answerFrom(path: string, init: RequestInit): Promise<{ status: number; type: string; text: string }> {
  const answer = await fetch(server.url + path, init);
  const type = answer.headers.get("content-type") ?? "application/json";
  return { status: answer.status, type, text: await answer.text() };
}
