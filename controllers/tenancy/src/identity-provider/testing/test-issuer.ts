import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority, issueCertificate } from "@butler/pki";

/** A local issuer that serves only a discovery document, with a certificate of its own CA. */
export class TestIssuer {
  readonly #server: Server;
  readonly authority: string;
  /** Number of requests. */
  asked = 0;
  /** The response status; 200 returns a valid document. */
  status = 200;

  private constructor(server: Server, authority: string) {
    this.#server = server;
    this.authority = authority;
  }

  static async start(): Promise<TestIssuer> {
    const authority = await createAuthority("issuer");
    const { cert, key } = await issueCertificate(authority, {
      commonName: "issuer",
      usages: ["server"],
      ipAddresses: ["127.0.0.1"],
    });
    const server = createServer({ cert, key });
    const issuer = new TestIssuer(server, authority.cert);
    server.on("request", (_request, response) => {
      issuer.asked++;
      response.writeHead(issuer.status, { "content-type": "application/json" }).end(JSON.stringify(issuer.document));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return issuer;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get document(): Readonly<Record<string, string>> {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      userinfo_endpoint: `${this.url}/me`,
      jwks_uri: `${this.url}/keys`,
    };
  }

  /** The settings of a provider that uses it. */
  get settings() {
    return { issuerURL: this.url, certificateAuthority: this.authority };
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
