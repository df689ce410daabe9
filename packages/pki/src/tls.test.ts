import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CertificatePair, createAuthority, issueCertificate } from "./certificates.ts";
import type { KeyAlgorithm } from "./keys.ts";

const names = {
  commonName: "api",
  usages: ["server"] as const,
  dnsNames: ["api.example"],
  ipAddresses: ["::ffff:127.0.0.1"],
};
const user = { commonName: "a user", organizations: ["a group", "another"], usages: ["client"] as const };

/** Starts a server that reports the identity of its client, and returns its port. */
async function serve(authority: CertificatePair, pair: CertificatePair): Promise<number> {
  const server = createServer(
    { ...pair, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      socket.on("error", () => undefined);
      socket.end(JSON.stringify(socket.getPeerCertificate().subject));
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function ask(socket: TLSSocket): Promise<string> {
  let answer = "";
  for await (const chunk of socket.setEncoding("utf8")) answer += String(chunk);
  return answer;
}

describe("a TLS connection", () => {
  it.each<KeyAlgorithm>(["ECDSA-P256", "ECDSA-P384", "RSA-2048"])(
    "succeeds when both sides trust the CA, with keys of type %s",
    async (algorithm) => {
      const authority = await createAuthority("an authority", { algorithm });
      const port = await serve(authority, await issueCertificate(authority, names, { algorithm }));
      const client = await issueCertificate(authority, user, { algorithm });
      for (const servername of ["api.example", ""]) {
        const socket = connect({ ...client, ca: authority.cert, host: "127.0.0.1", port, servername });
        expect(JSON.parse(await ask(socket))).toEqual({ CN: "a user", O: ["a group", "another"] });
      }
    },
  );

  it("fails otherwise", async () => {
    const [authority, other] = [await createAuthority("an authority"), await createAuthority("an authority")];
    const pair = await issueCertificate(authority, names);
    const port = await serve(authority, pair);
    const client = await issueCertificate(authority, user);
    const target = { ca: authority.cert, host: "127.0.0.1", port, servername: "api.example" };
    const askWith = (changes: object): Promise<string> => ask(connect({ ...target, ...client, ...changes }));
    await expect(askWith({ servername: "other.example" })).rejects.toThrow(/altnames/);
    await expect(askWith({ ca: other.cert })).rejects.toThrow(/certificate/);
    // Depending on its progress, the client sees an error or no response when the server rejects it.
    const answerTo = (changes: object): Promise<string> => askWith(changes).catch(() => "");
    expect(await answerTo({})).toMatch("a user");
    expect(await answerTo(await issueCertificate(other, user))).toBe("");
    expect(await answerTo({ cert: undefined, key: undefined })).toBe("");
    // A server certificate must not be accepted from a client.
    expect(await answerTo(pair)).toBe("");
  });
});
