import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { type CertificatePair, issueCertificate } from "@butler/pki";
import { type Configuration, Provider } from "oidc-provider";

/** An account at the identity provider of the tests. */
export interface Account {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** A real OpenID Connect provider that signs in the next named account without a prompt. */
export interface IdentityServer {
  readonly issuer: string;
  readonly clientSecret: string;
  /** The account that signs in next. */
  account: Account;
  /** Whether it responds. */
  isDown: boolean;
  /** Rotates the signing key and drops the old one. */
  rotateKeys(): void;
  stop(): Promise<void>;
}

const clientSecret = "the-secret-of-the-client-for-tests";

/** Listens on its own port, with a certificate of the CA. */
export async function listenSecurely(
  authority: CertificatePair,
  address = "127.0.0.1",
): Promise<{ readonly server: Server; readonly url: string }> {
  const request = { commonName: "login", usages: ["server"], ipAddresses: [address] } as const;
  const { cert, key } = await issueCertificate(authority, request);
  const server = createServer({ cert, key });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return { server, url: `https://${address}:${(server.address() as AddressInfo).port}` };
}

/** Stops a server immediately. */
export function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Initial settings of a provider. */
export interface IdentityServerOptions {
  readonly redirectURL: string;
  readonly account: Account;
  /** Which of this machine's addresses it listens on; loopback by default. */
  readonly address?: string;
}

/** Starts a provider with one client, whose redirect URL is the given address. */
export async function startIdentityServer(
  authority: CertificatePair,
  options: IdentityServerOptions,
): Promise<IdentityServer> {
  const { server, url: issuer } = await listenSecurely(authority, options.address);
  const known = new Map<string, Account>();
  const make = (): Provider => providerOf(issuer, { redirectURL: options.redirectURL, known });
  let provider = make();
  const identity = {
    issuer,
    clientSecret,
    account: options.account,
    isDown: false,
    rotateKeys: () => void (provider = make()),
    stop: () => stopServer(server),
  };
  server.on("request", (request, response) => {
    if (identity.isDown) {
      response.writeHead(503).end();
      return;
    }
    if (!(request.url ?? "").startsWith("/interaction/")) {
      void provider.callback()(request, response);
      return;
    }
    const { account } = identity;
    known.set(account.sub, account);
    void (async () => {
      const { params } = await provider.interactionDetails(request, response);
      const grant = new provider.Grant({ accountId: account.sub, clientId: String(params["client_id"]) });
      grant.addOIDCScope("openid email profile groups");
      const result = { login: { accountId: account.sub }, consent: { grantId: await grant.save() } };
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    })();
  });
  return identity;
}

interface ProviderSettings {
  readonly redirectURL: string;
  readonly known: ReadonlyMap<string, Account>;
}

function providerOf(issuer: string, { redirectURL, known }: ProviderSettings): Provider {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
  const configuration: Configuration = {
    clients: [{ client_id: "butler", client_secret: clientSecret, redirect_uris: [redirectURL] }],
    jwks: { keys: [key] },
    cookies: { keys: ["for tests only"] },
    scopes: ["openid", "email", "profile", "groups"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context, id) => {
      const account = known.get(id);
      return account && { accountId: id, claims: () => ({ ...account }) };
    },
  };
  return new Provider(issuer, configuration);
}
