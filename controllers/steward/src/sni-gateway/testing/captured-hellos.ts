import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { connect, type ConnectionOptions } from "node:tls";
import type { AddressInfo } from "node:net";

/** Variants of real clients. */
export const clientVariants: Readonly<Record<string, ConnectionOptions>> = {
  plain: {},
  "TLS 1.2 only": { maxVersion: "TLSv1.2" },
  "TLS 1.3 only": { minVersion: "TLSv1.3" },
  "application protocols": { ALPNProtocols: ["h2", "http/1.1"] },
  "one curve": { ecdhCurve: "P-256" },
  "a post-quantum key": { ecdhCurve: "X25519MLKEM768:X25519" },
  "many ciphers": { ciphers: "ALL:@SECLEVEL=0", minVersion: "TLSv1.2" },
  "many application protocols": { ALPNProtocols: Array.from({ length: 100 }, (_, at) => `protocol-${at}`) },
  "a status request": { requestOCSP: true },
};

/** The first bytes that Node's TLS client sends with these settings. */
export async function captureHello(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", ...options });
  client.on("error", () => undefined);
  try {
    const [socket] = (await once(server, "connection")) as [Socket];
    const chunks: Buffer[] = [];
    // A ClientHello is one write; the record header contains its length.
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer);
      const all = Buffer.concat(chunks);
      if (all.length >= 5 && all.length >= 5 + all.readUInt16BE(3)) return all;
    }
    throw new Error("the client sent no ClientHello");
  } finally {
    client.destroy();
    server.close();
  }
}
