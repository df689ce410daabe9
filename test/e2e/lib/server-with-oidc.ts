import { IdentityProvider, namespaces } from "@butler/api";
import { connect, loadKubeConfig } from "@butler/kube";
import { createAuthority } from "@butler/pki";
import { apiVersionOf, builtinKinds } from "@butler/resource";
import { startWholeServer } from "@butler/server";
import { type Account, Browser, post, startIdentityServer } from "@butler/server/testing";
import { silentLogger } from "@butler/telemetry";
import { secretKubeconfigs, TenantClients } from "@butler/tenant-clients";
import { eventually } from "@butler/testkit";

/** A Butler server for an engine, and a real OpenID Connect provider for sign-in. */
export interface ServerWithOidc {
  readonly url: string;
  /** The browser of a user, signed in through the provider. */
  signIn(email: string): Promise<Browser>;
  /** Approves a command line's code in such a browser. */
  approve(browser: Browser, code: string): Promise<void>;
  close(): Promise<void>;
}

const secret = { name: "company-oidc-secret", namespace: namespaces.system };

/** Starts both. The server is the shipped one, assembled here because only tests sign in on this machine. */
export async function startServerWithOidc(kubeconfig: string): Promise<ServerWithOidc> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  try {
    const config = loadKubeConfig(kubeconfig);
    const connected = connect(config, { userAgent: "butler-server" });
    closing.push(connected.close);
    const { client } = connected;
    const { server: address = "", caData = "" } = config.getCurrentCluster() ?? {};
    const tenants = new TenantClients({ source: secretKubeconfigs({ client }), logger: silentLogger });
    closing.push(() => tenants.close());
    const authority = await createAuthority("company");
    const server = await startWholeServer({
      client,
      config,
      tenants,
      host: "127.0.0.1",
      port: 0,
      kubernetes: { server: address, caPem: Buffer.from(caData, "base64").toString() },
      signIn: { outgoing: { allowLoopback: true, authorities: authority.cert } },
    });
    closing.push(() => server.close());
    const redirectURL = `${server.url}/api/auth/callback`;
    const initial: Account = { sub: "initial", email: "initial@example.com", email_verified: true };
    const identity = await startIdentityServer(authority, { redirectURL, account: initial });
    closing.push(() => identity.stop());
    const data = { "client-secret": Buffer.from(identity.clientSecret).toString("base64") };
    const object = { apiVersion: "v1", kind: "Secret", metadata: secret, data };
    await client.create(builtinKinds.Secret, object);
    const oidc = {
      issuerURL: identity.issuer,
      clientID: "butler",
      clientSecretRef: secret,
      redirectURL,
      scopes: ["email", "profile", "groups"],
    };
    const provider = {
      apiVersion: apiVersionOf(IdentityProvider),
      kind: IdentityProvider.kind,
      metadata: { name: "company" },
      spec: { type: "oidc", oidc },
    };
    await client.create(IdentityProvider, provider);
    await eventually(() => server.state.identityProviders.size === 1, { what: "the identity provider" });
    return {
      url: server.url,
      signIn: async (email) => {
        identity.account = { sub: email, email, email_verified: true };
        const browser = new Browser(authority.cert);
        const isBack = ({ origin, pathname }: URL): boolean =>
          origin === server.url && pathname !== "/api/auth/callback";
        const { url } = await browser.visit(`${server.url}/api/auth/login/company`, isBack);
        if (url.pathname + url.search !== "/") throw new Error(`${email} was not let in: ${url.href}`);
        return browser;
      },
      approve: async (browser, code) => {
        const answer = await post(browser, `${server.url}/api/auth/cli/approve`, { user_code: code });
        if (!answer.ok) throw new Error(`the code was not approved: ${answer.status} ${await answer.text()}`);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
