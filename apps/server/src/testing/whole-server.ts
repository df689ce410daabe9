import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { allResources, IdentityProvider, namespaces } from "@butler/api";
import { type CertificatePair, createAuthority } from "@butler/pki";
import { builtinKinds } from "@butler/resource";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { WebSocketServer } from "ws";
import { newObject } from "../handlers/writing.ts";
import { Browser } from "../identity/sign-in/testing/browser.ts";
import { type Account, type IdentityServer, startIdentityServer } from "../identity/sign-in/testing/identity-server.ts";
import { terminalNamespace } from "../terminal/manifests.ts";
import { type ReplicaOptions, startWholeReplica, type WholeReplica } from "./whole-replica.ts";

/** An API server, an identity provider, and servers assembled as in production. */
export interface WholeServer extends WholeReplica {
  readonly cluster: TestCluster;
  readonly authority: CertificatePair;
  readonly identity: IdentityServer;
  /** Advances the clock of the servers. */
  readonly time: { offsetMs: number };
  browser(): Browser;
  /** Signs a user in at the provider; the subject defaults to the address. */
  signInAs(account: Partial<Account> & Pick<Account, "email">, browser?: Browser): Promise<Browser>;
  startAnother(options?: ReplicaOptions): Promise<WholeReplica>;
}

/** Starts everything. The provider is named `company`, and teams grant roles to its groups by that name. */
export async function startWholeServer(name: string, options: ReplicaOptions = {}): Promise<WholeServer> {
  const closing: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.reverse()) await close();
  };
  const cluster = await aTestCluster({ resources: allResources });
  closing.push(() => cluster.stop());
  try {
    for (const namespace of [namespaces.system, namespaces.cli, namespaces.cliAdmins, terminalNamespace])
      await cluster.createNamespace(namespace);
    const account = newObject(builtinKinds.ServiceAccount, { name: "default", namespace: terminalNamespace }, {});
    await cluster.client.create(builtinKinds.ServiceAccount, account);
    const authority = await createAuthority("tests");
    const time = { offsetMs: 0 };
    const echo = await startEcho();
    closing.push(() => echo.stop());
    const context = { cluster, authority, time, echoPort: echo.port };
    const startAnother = async (another: ReplicaOptions = {}): Promise<WholeReplica> => {
      const replica = await startWholeReplica(context, another);
      closing.push(() => replica.stop());
      return replica;
    };
    const first = await startAnother(options);
    const redirectURL = `${first.url}/api/auth/callback`;
    const nobody: Account = { sub: "nobody", email: "nobody@example.com", email_verified: true };
    const identity = await startIdentityServer(authority, { redirectURL, account: nobody });
    closing.push(() => identity.stop());
    await addProvider(cluster, { name: "company", issuerURL: identity.issuer, redirectURL });
    await eventually(() => first.state.identityProviders.size === 1);
    const browser = (): Browser => new Browser(authority.cert);
    return {
      ...first,
      cluster,
      authority,
      identity,
      time,
      browser,
      startAnother,
      signInAs: async (who, own = browser()) => {
        identity.account = { sub: who.email, email_verified: true, ...who };
        const isBack = ({ origin, pathname }: URL): boolean =>
          origin === first.url && pathname !== "/api/auth/callback";
        const { url } = await own.visit(`${first.url}/api/auth/login/company`, isBack);
        if (url.pathname + url.search !== "/") throw new Error(`${who.email} was not let in: ${url.href}`);
        return own;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The settings of test providers. */
export interface TestProvider {
  readonly name: string;
  readonly issuerURL: string;
  readonly redirectURL: string;
  readonly oidc?: object;
  readonly spec?: object;
}

/** Creates an identity provider with the client of the test identity servers. */
export async function addProvider({ client }: TestCluster, provider: TestProvider): Promise<void> {
  const { name, issuerURL, redirectURL, oidc = {}, spec = {} } = provider;
  const secret = { name: `${name}-oidc-secret`, namespace: namespaces.system };
  const data = { "client-secret": Buffer.from("the-secret-of-the-client-for-tests").toString("base64") };
  await client.create(builtinKinds.Secret, newObject(builtinKinds.Secret, secret, { type: "Opaque", data }));
  const settings = {
    issuerURL,
    clientID: "butler",
    clientSecretRef: secret,
    redirectURL,
    scopes: ["email", "profile", "groups"],
    ...oidc,
  };
  await client.create(
    IdentityProvider,
    newObject(IdentityProvider, { name }, { spec: { type: "oidc", oidc: settings, ...spec } }),
  );
}

/** A fake kubelet exec endpoint that echoes its input. */
async function startEcho(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) =>
    socket.on("message", (data) => {
      const bytes = data as Buffer;
      if (bytes[0] === 0) socket.send(Buffer.concat([Buffer.of(1), bytes.subarray(1)]));
    }),
  );
  await once(server, "listening");
  const stop = (): Promise<void> => {
    for (const socket of server.clients) socket.terminate();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return { port: (server.address() as AddressInfo).port, stop };
}
