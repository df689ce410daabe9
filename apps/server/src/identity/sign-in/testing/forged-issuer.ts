import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { CertificatePair } from "@butler/pki";
import { exportJWK, SignJWT } from "jose";
import { listenSecurely, stopServer } from "./identity-server.ts";

/** Claims and signature of the next token. */
export interface Forgery {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly key?: KeyObject | Uint8Array;
}

/** An issuer that returns an arbitrary token for any code, as a real one never would. */
export interface ForgedIssuer {
  readonly issuer: string;
  readonly key: KeyObject;
  next: Forgery;
  stop(): Promise<void>;
}

/** Starts such an issuer. */
export async function startForgedIssuer(authority: CertificatePair): Promise<ForgedIssuer> {
  const { server, url: issuer } = await listenSecurely(authority);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...(await exportJWK(publicKey)), kid: "known", use: "sig", alg: "RS256" };
  const forged: ForgedIssuer = { issuer, key: privateKey, next: { claims: {} }, stop: () => stopServer(server) };
  const answers: Record<string, () => Promise<unknown>> = {
    "/.well-known/openid-configuration": () =>
      Promise.resolve({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      }),
    "/jwks": () => Promise.resolve({ keys: [jwk] }),
    "/token": async () => ({ access_token: "a", token_type: "Bearer", expires_in: 60, id_token: await sign(forged) }),
  };
  server.on("request", (request, response) => {
    const answer = answers[(request.url ?? "").split("?", 1)[0] ?? ""];
    request.resume();
    void (async () => {
      const body = answer === undefined ? undefined : JSON.stringify(await answer());
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body ?? "{}");
    })();
  });
  return forged;
}

function sign({ next, key }: ForgedIssuer): Promise<string> {
  const seconds = Math.floor(Date.now() / 1_000);
  return new SignJWT({ iat: seconds, exp: seconds + 60, ...next.claims })
    .setProtectedHeader({ alg: "RS256", kid: "known", ...next.header })
    .sign(next.key ?? key);
}
