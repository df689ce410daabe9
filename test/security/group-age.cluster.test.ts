import { generateKeyPairSync } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { IdentityProvider, namespaces, Team, type User } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { type Browser, newObject, type WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { answerOf, people, send, startPlatform } from "./lib/platform.ts";

const { Secret } = builtinKinds;
const hour = 3_600_000;

/** Google's directory: the groups of a user, or the status of an error. */
const directory = { groups: [] as string[], status: 200 };
let server: Server;
let platform: WholeServer;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    const isToken = new URL(request.url ?? "", "http://directory").pathname === "/token";
    const page = { groups: directory.groups.map((email) => ({ email })) };
    response.writeHead(isToken ? 200 : directory.status, { "content-type": "application/json" });
    response.end(JSON.stringify(isToken ? { access_token: "t" } : page));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  platform = await startPlatform("security-group-age", {
    codeLimit: { burst: 1_000, perSecond: 1_000 },
    signIn: { googleDirectoryUrl: `${base}/groups` },
  });
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const file = { client_email: "robot@example.com", private_key: pem, token_uri: `${base}/token` };
  const data = { "service-account.json": Buffer.from(JSON.stringify(file)).toString("base64") };
  const key = { name: "company-directory", namespace: namespaces.system };
  await platform.cluster.client.create(Secret, newObject(Secret, key, { data }));
  const groups = [{ name: "ops@example.com", role: "operator" }];
  const access = { users: [], groups };
  await platform.cluster.client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access } } });
});

afterEach(() => {
  platform.time.offsetMs = 0;
});
afterAll(async () => {
  await platform?.stop();
  server?.close();
});

const call = (path: string, body: unknown) =>
  answerOf(
    fetch(`${platform.url}/api/auth/cli/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

/** A signed-in command line; each call exchanges its tokens. */
class CommandLine {
  #access = "";
  #refresh = "";

  static async of(browser: Browser): Promise<CommandLine> {
    const { body: codes } = await call("device", { client_name: "butlerctl on test" });
    const body = { user_code: codes["user_code"] };
    expect((await send(browser, `${platform.url}/api/auth/cli/approve`, { method: "POST", body })).status).toBe(200);
    const line = new CommandLine();
    line.#keep((await call("token", { device_code: codes["device_code"] })).body);
    return line;
  }

  async refresh(): Promise<number> {
    const { status, body } = await call("refresh", { refresh_token: this.#refresh });
    if (status === 200) this.#keep(body);
    return status;
  }

  async teams(): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.#access}` };
    const answer = await answerOf(fetch(`${platform.url}/api/auth/me`, { headers }));
    return answer.status === 200 ? answer.body["teams"] : answer.status;
  }

  #keep(body: Readonly<Record<string, unknown>>): void {
    this.#access = String(body["access_token"]);
    this.#refresh = String(body["refresh_token"]);
  }
}

const operator = [{ name: "payments", role: "operator" }];
const accountOf = (email: string): User | undefined => platform.state.accountsOf(email)[0];

describe("hole 8: the groups of a signed-in command line", () => {
  it("hole 8: count for a day if the provider reports them at sign-ins only", async () => {
    const browser = await platform.signInAs({ email: people.olga, groups: ["ops@example.com"] });
    expect(accountOf(people.olga)?.status?.groupsResolvedAt).toBeDefined();
    const line = await CommandLine.of(browser);
    expect(await line.teams()).toEqual(operator);
    platform.time.offsetMs = 23.5 * hour;
    expect(await line.refresh()).toBe(200);
    expect(await line.teams()).toEqual(operator);
    // The access token has not expired yet, but its groups have.
    platform.time.offsetMs = 24.1 * hour;
    expect(await line.teams()).toBe(401);
    expect(await line.refresh()).toBe(400);
  });

  describe("with a directory", () => {
    beforeAll(async () => {
      const googleWorkspace = {
        serviceAccountSecretRef: { name: "company-directory", namespace: namespaces.system },
        adminEmail: people.root,
      };
      const patch = { spec: { oidc: { googleWorkspace } } };
      await platform.cluster.client.patch(IdentityProvider, { name: "company" }, { type: "merge", patch });
      const isKnown = (): boolean =>
        platform.state.identityProviders.get({ name: "company" })?.spec.oidc?.googleWorkspace !== undefined;
      await eventually(isKnown);
    });
    afterEach(() => {
      directory.status = 200;
    });

    it("hole 8: are asked for at each refresh", async () => {
      directory.groups = ["ops@example.com"];
      const line = await CommandLine.of(await platform.signInAs({ email: people.ada }));
      expect(await line.teams()).toEqual(operator);
      directory.groups = [];
      expect(await line.refresh()).toBe(200);
      expect(accountOf(people.ada)?.status?.lastSeenGroups).toEqual([]);
      expect(await line.teams()).toEqual([]);
    });

    it("hole 8: end the session when the directory no longer has the user", async () => {
      directory.groups = ["ops@example.com"];
      const line = await CommandLine.of(await platform.signInAs({ email: people.ada }));
      directory.status = 404;
      expect(await line.refresh()).toBe(400);
      await eventually(async () => (await line.teams()) === 401);
    });

    it("hole 8: count for a day while the directory fails", async () => {
      directory.groups = ["ops@example.com"];
      const line = await CommandLine.of(await platform.signInAs({ email: people.ada }));
      directory.status = 500;
      platform.time.offsetMs = 23 * hour;
      expect(await line.refresh()).toBe(200);
      platform.time.offsetMs = 24.1 * hour;
      expect(await line.refresh()).toBe(503);
      directory.status = 200;
      expect(await line.refresh()).toBe(200);
      expect(await line.teams()).toEqual(operator);
    });
  });
});
