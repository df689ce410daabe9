import { once } from "node:events";
import { connect, type ConnectionOptions, createServer, type TLSSocket } from "node:tls";
import { type CertificatePair, createAuthority, issueCertificate, readCertificate } from "@butler/pki";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aClaim, GatewayHarness } from "./testing/gateway-harness.ts";

/** A control plane as TLS sees it: a server that knows its clients by their certificates. */
interface TlsTenant {
  readonly name: string;
  readonly authority: CertificatePair;
  readonly serving: CertificatePair;
  readonly client: CertificatePair;
}

// Five hundred clients, both tenants and the gateway share one thread here.
const patience = { helloTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

let harness: GatewayHarness;
let blue: TlsTenant;
let red: TlsTenant;

async function aTenant(name: string): Promise<TlsTenant> {
  const authority = await createAuthority(`${name} authority`);
  const dnsNames = [`${name}.example.com`];
  return {
    name,
    authority,
    serving: await issueCertificate(authority, { commonName: "kube-apiserver", usages: ["server"], dnsNames }),
    client: await issueCertificate(authority, { commonName: `${name}-admin`, usages: ["client"] }),
  };
}

/** Responds to each line with its own name, the client's name, and the line. */
function serverOf({ name, authority, serving }: TlsTenant) {
  const server = createServer({ ...serving, ca: authority.cert, requestCert: true, rejectUnauthorized: true });
  server.on("tlsClientError", () => undefined);
  server.on("secureConnection", (socket: TLSSocket) => {
    const { subject, fingerprint256 } = socket.getPeerCertificate();
    socket.on("error", () => undefined);
    socket.on("data", (line: Buffer) => {
      socket.write(`${name} heard ${String(subject.CN)} (${fingerprint256}) say ${line.toString()}`);
    });
  });
  return server;
}

function clientOptions({ name, authority, client }: TlsTenant): ConnectionOptions {
  return { port: harness.port, host: "127.0.0.1", servername: `${name}.example.com`, ca: authority.cert, ...client };
}

async function secured(tenant: TlsTenant): Promise<TLSSocket> {
  const socket = connect(clientOptions(tenant));
  await once(socket, "secureConnect");
  return socket;
}

async function ask(socket: TLSSocket, line: string): Promise<string> {
  socket.write(line);
  const [answer] = (await once(socket, "data")) as [Buffer];
  return answer.toString();
}

/** Hexadecimal pairs with colons, as Node writes fingerprints. */
const fingerprintOf = ({ cert }: CertificatePair): string =>
  readCertificate(cert).fingerprint.replaceAll(":", "").toUpperCase().match(/../g)?.join(":") ?? "";

beforeAll(async () => {
  [blue, red, harness] = await Promise.all([
    aTenant("blue"),
    aTenant("red"),
    GatewayHarness.start({ limits: patience }),
  ]);
  const [toBlue, toRed] = await Promise.all([harness.serve(serverOf(blue)), harness.serve(serverOf(red))]);
  harness.route(aClaim("blue", toBlue), aClaim("red", toRed));
});
afterAll(() => harness?.close());

describe("TLS through the gateway", () => {
  it("ends at the tenant: each side sees the other's own certificate", async () => {
    for (const tenant of [blue, red]) {
      const socket = await secured(tenant);
      try {
        expect(socket.authorized).toBe(true);
        expect(socket.getPeerCertificate().fingerprint256).toBe(fingerprintOf(tenant.serving));
        const answer = `${tenant.name} heard ${tenant.name}-admin (${fingerprintOf(tenant.client)}) say hello`;
        expect(await ask(socket, "hello")).toBe(answer);
      } finally {
        socket.destroy();
      }
    }
  });

  it("leaves it to the tenant to reject a foreign client", async () => {
    const socket = connect({ ...clientOptions(blue), cert: red.client.cert, key: red.client.key });
    const answers: Buffer[] = [];
    socket.on("error", () => undefined).on("data", (chunk: Buffer) => answers.push(chunk));
    socket.write("let me in");
    await once(socket, "close");
    expect(answers).toEqual([]);
  });

  it("sends an alert for an unknown server name", async () => {
    const socket = connect({ port: harness.port, host: "127.0.0.1", servername: "green.example.com" });
    await expect(once(socket, "secureConnect")).rejects.toThrow(/unrecognized name/);
    expect(await harness.refusals("unknown-server-name")).toBe(1);
  });

  it("serves 500 concurrent connections without mixing them", async () => {
    const sockets = await Promise.all(Array.from({ length: 500 }, (_, at) => secured(at % 2 === 0 ? blue : red)));
    try {
      expect(await harness.openOf("blue")).toBe(250);
      expect(await harness.openOf("red")).toBe(250);
      const answers = await Promise.all(sockets.map((socket, at) => ask(socket, `number ${at}`)));
      answers.forEach((answer, at) => {
        const name = at % 2 === 0 ? "blue" : "red";
        expect(answer).toMatch(new RegExp(`^${name} heard ${name}-admin .* say number ${at}$`));
      });
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});
