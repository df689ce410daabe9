import { type CertificatePair, createAuthority } from "@butler/pki";
import { type Account, type IdentityServer, startIdentityServer } from "@butler/server/testing";
import { ownAddressTowards } from "./addon-shelf.ts";

/** A company's identity provider: a real OpenID Connect provider with a certificate of the company's own CA. */
export class CompanySignIn {
  readonly #server: IdentityServer;
  readonly #authority: CertificatePair;

  private constructor(server: IdentityServer, authority: CertificatePair) {
    this.#server = server;
    this.#authority = authority;
  }

  /** Listens at an address that the pods of an engine can reach, and signs one user in. */
  static async open(nodeAddress: string, options: { redirectURL: string; account: Account }): Promise<CompanySignIn> {
    const authority = await createAuthority("company");
    const address = await ownAddressTowards(nodeAddress);
    return new CompanySignIn(await startIdentityServer(authority, { ...options, address }), authority);
  }

  /** The provider's settings, by the labels of the form. */
  get form(): Readonly<Record<string, string>> {
    return { "Issuer URL": this.#server.issuer, "Client ID": "butler", "Client secret": this.#server.clientSecret };
  }

  get host(): string {
    return new URL(this.#server.issuer).host;
  }

  /** The certificate of the company's CA. */
  get authority(): string {
    return this.#authority.cert;
  }

  close(): Promise<void> {
    return this.#server.stop();
  }
}
