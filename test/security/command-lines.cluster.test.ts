import { IdentityProvider, Team, TenantCluster, User } from "@butler/api";
import { type ApiClient, connect, KubeConfig } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { Forbidden, Unauthenticated } from "@butler/std";
import type { Browser, WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { people, send, startPlatform, answerOf } from "./lib/platform.ts";

let platform: WholeServer;
let olga: Browser;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  platform = await startPlatform("security-command-lines", { codeLimit: { burst: 1_000, perSecond: 1_000 } });
  olga = await platform.signInAs({ email: people.olga });
});

afterAll(async () => {
  for (const close of closing) await close();
  await platform?.stop();
});

const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  answerOf(
    fetch(`${platform.url}/api/auth/cli/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
const start = async () => {
  const { body } = await call("device", { client_name: "butlerctl on test" });
  return body as unknown as { device_code: string; user_code: string; verification_uri: string };
};
const poll = (device_code: string) => call("token", { device_code, client_id: "butlerctl" });
const approve = (browser: Browser, user_code: string) =>
  send(browser, `${platform.url}/api/auth/cli/approve`, { method: "POST", body: { user_code } });

interface Credentials {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly kubeconfig: string;
}

async function signIn(browser: Browser = olga): Promise<Credentials> {
  const codes = await start();
  expect((await approve(browser, codes.user_code)).status).toBe(200);
  const answer = await poll(codes.device_code);
  expect(answer.status).toBe(200);
  return answer.body as unknown as Credentials;
}

const me = async ({ access_token }: Credentials): Promise<number> =>
  (await fetch(`${platform.url}/api/auth/me`, { headers: { authorization: `Bearer ${access_token}` } })).status;

function kubernetesWith({ kubeconfig }: Credentials): ApiClient {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const connected = connect(config);
  closing.push(connected.close);
  return connected.client;
}

describe("command-line sign-in", () => {
  it("13: no token is issued before the user has seen and approved the request", async () => {
    const codes = await start();
    expect(await poll(codes.device_code)).toMatchObject({ status: 400, code: "AUTHORIZATION_PENDING" });
    // The short code returns the pending request, and never the secret code.
    const shown = await send(olga, `${platform.url}/api/auth/cli/device?user_code=${codes.user_code}`);
    expect(shown.body).toMatchObject({ clientName: "butlerctl on test", grants: ["payments: operator"] });
    expect(JSON.stringify(shown.body)).not.toContain(codes.device_code);
    expect((await call("approve", { user_code: codes.user_code })).status).toBe(401);
    expect((await poll(codes.user_code)).status).toBe(400);
  });

  it("13: a code is approved once, used once, and expires", async () => {
    const codes = await start();
    expect((await approve(olga, codes.user_code)).status).toBe(200);
    expect((await approve(olga, codes.user_code)).status).toBe(409);
    const both = await Promise.all([poll(codes.device_code), poll(codes.device_code)]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await poll(codes.device_code)).status).toBe(400);
    const late = await start();
    platform.time.offsetMs += 11 * 60_000;
    try {
      expect((await poll(late.device_code)).body).toMatchObject({ code: "EXPIRED_TOKEN" });
    } finally {
      platform.time.offsetMs = 0;
    }
  });

  it("13: codes cannot be guessed: a user is throttled after a few attempts", async () => {
    const strict = await platform.startAnother();
    const guesser = await platform.signInAs({ email: people.stranger });
    const guess = async (user_code: string): Promise<number> =>
      (await send(guesser, `${strict.url}/api/auth/cli/approve`, { method: "POST", body: { user_code } })).status;
    const statuses: number[] = [];
    for (const letter of "JKLMNPQRSTVW") statuses.push(await guess(`BCDF-GH${letter}K`));
    expect(statuses.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 404));
    expect(statuses.slice(7)).toEqual(Array.from({ length: 5 }, () => 429));
    // A valid code is then rejected as well, so that guessing does not help.
    const codes = await start();
    expect(await guess(codes.user_code)).toBe(429);
  });

  it("13: one address cannot block the sign-in of others or fill the store", async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 30; at++) statuses.push((await call("device", {})).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    platform.time.offsetMs += 11 * 60_000;
    const secrets = await platform.cluster.client.list(builtinKinds.Secret, {
      namespace: "butler-system",
      labelSelector: "butler.butlerlabs.dev/record=cli-device",
    });
    expect(secrets.items.length).toBeLessThanOrEqual(21);
    for (const { metadata } of secrets.items)
      await platform.cluster.client.delete(builtinKinds.Secret, { name: metadata.name, namespace: "butler-system" });
    platform.time.offsetMs = 0;
  });

  it("13: rejects client names with control characters", async () => {
    for (const client_name of ["a\nb", "a\u0000b", "\u001b[31m", "x".repeat(200)])
      expect((await call("device", { client_name })).status).toBe(400);
  });
});

describe("a signed-in command line", () => {
  it("11: every token is new, and not derivable from another", async () => {
    const [one, other] = [await signIn(), await signIn()];
    const secrets = [one.access_token, one.refresh_token, other.access_token, other.refresh_token];
    expect(new Set(secrets.map((token) => token.slice(-32))).size).toBe(4);
    for (const token of secrets) expect(token.length).toBeGreaterThan(40);
  });

  it("15: its token approves no other command line, opens no live channel, and is not a session token", async () => {
    const credentials = await signIn();
    const codes = await start();
    const headers = { authorization: `Bearer ${credentials.access_token}` };
    expect((await call("approve", { user_code: codes.user_code }, headers)).status).toBe(403);
    const cookie = `butler_session=${credentials.access_token}; butler_refresh=${credentials.refresh_token}`;
    expect((await fetch(`${platform.url}/api/auth/me`, { headers: { cookie } })).status).toBe(401);
    const wrongWay = { authorization: `Bearer ${credentials.refresh_token}` };
    expect((await fetch(`${platform.url}/api/auth/me`, { headers: wrongWay })).status).toBe(401);
  });

  it("9: a reused refresh token ends the sign-in", async () => {
    const credentials = await signIn();
    const refresh = (refresh_token: string) => call("refresh", { refresh_token });
    const fresh = await refresh(credentials.refresh_token);
    expect(fresh.status).toBe(200);
    platform.time.offsetMs += 60_000;
    try {
      expect((await refresh(credentials.refresh_token)).status).toBe(400);
      expect((await refresh(String(fresh.body["refresh_token"]))).status).toBe(400);
    } finally {
      platform.time.offsetMs = 0;
    }
  });

  it("10: its kubeconfig loses a revoked role within a second, and the binding is deleted", async () => {
    const { client } = platform.cluster;
    const credentials = await signIn();
    const kubernetes = kubernetesWith(credentials);
    await eventually(async () => (await kubernetes.list(TenantCluster, { namespace: "payments" })).items.length > 0);
    await expect(kubernetes.list(TenantCluster, { namespace: "billing" })).rejects.toBeInstanceOf(Forbidden);
    await expect(kubernetes.list(builtinKinds.Secret, { namespace: "payments" })).rejects.toBeInstanceOf(Forbidden);
    const before = platform.state.teams.get({ name: "payments" })?.spec.access.users ?? [];
    const give = (users: readonly object[]) =>
      client.patch(Team, { name: "payments" }, { type: "merge", patch: { spec: { access: { users } } } });
    await give(before.filter(({ name }) => name !== people.olga));
    try {
      const isRefused = async (): Promise<boolean> => {
        const attempt = kubernetes.list(TenantCluster, { namespace: "payments" });
        return attempt.then(
          () => false,
          (error: unknown) => error instanceof Forbidden,
        );
      };
      await eventually(isRefused, { timeoutMs: 1_500 });
      const bindings = await client.list(builtinKinds.RoleBinding, {
        labelSelector: "butler.butlerlabs.dev/cli-account",
      });
      expect(bindings.items.filter(({ metadata }) => metadata.namespace === "payments")).toEqual([]);
    } finally {
      await give(before);
    }
  });

  it("9: it ends with its identity provider, and so does its kubeconfig", async () => {
    const { client } = platform.cluster;
    const credentials = await signIn();
    const kubernetes = kubernetesWith(credentials);
    await eventually(async () => (await kubernetes.list(TenantCluster, { namespace: "payments" })).items.length > 0);
    expect(await me(credentials)).toBe(200);
    const patch = (issuerURL: string) =>
      client.patch(IdentityProvider, { name: "company" }, { type: "merge", patch: { spec: { oidc: { issuerURL } } } });
    await patch("https://gone.example.com");
    try {
      await eventually(async () => (await me(credentials)) === 401, { timeoutMs: 1_000 });
      expect((await call("refresh", { refresh_token: credentials.refresh_token })).status).toBe(400);
      const isOver = (): Promise<boolean> =>
        kubernetes.list(TenantCluster, { namespace: "payments" }).then(
          () => false,
          (error: unknown) => error instanceof Forbidden || error instanceof Unauthenticated,
        );
      await eventually(isOver, { timeoutMs: 2_000 });
    } finally {
      await patch(platform.identity.issuer);
    }
  });

  it("9: it ends with the account", async () => {
    const { client } = platform.cluster;
    const vera = await platform.signInAs({ email: people.vera });
    const credentials = await signIn(vera);
    const name = platform.state.accountsOf(people.vera)[0]?.metadata.name ?? "";
    await client.patch(User, { name }, { type: "merge", patch: { spec: { disabled: true } } });
    await eventually(async () => (await me(credentials)) === 401, { timeoutMs: 1_000 });
    expect((await call("refresh", { refresh_token: credentials.refresh_token })).status).toBe(400);
  });
});
