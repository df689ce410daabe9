import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createAuthority, issueCertificate } from "@butler/pki";

/** A real issuer on this machine, as far as its discovery document goes, with a certificate of its own authority. */
export class TestIssuer {
  readonly #server: Server;
  readonly authority: string;
  /** How often it was asked. */
  asked = 0;
  /** What it answers with; 200 stands for a proper document. */
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

  /** What a provider has to say to reach it. */
  get settings() {
    return { issuerURL: this.url, certificateAuthority: this.authority };
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
