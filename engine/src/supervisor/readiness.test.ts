import { createAuthority, issueCertificate } from "@butler/pki";
import { type Clock, systemClock } from "@butler/std";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { probeReadiness, watchReadiness } from "./readiness.ts";
import type { ReadinessProbe } from "./service-spec.ts";
import { aServiceSpec } from "./testing/service-spec-builder.ts";

const probe = (readiness: ReadinessProbe): Promise<string | undefined> =>
  probeReadiness(aServiceSpec("a", { readiness, environment: { GREETING: "hello" } }));

async function portOf(server: net.Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe("probeReadiness", () => {
  it("treats a service without a probe as ready", async () => {
    expect(await probeReadiness(aServiceSpec("a"))).toBeUndefined();
  });

  it("checks the status code of a response", async () => {
    const server = http.createServer((request, response) => {
      response.writeHead(request.url === "/readyz" ? 200 : 500).end("[-]etcd failed");
    });
    const url = `http://127.0.0.1:${await portOf(server)}`;
    expect(await probe({ type: "http", url: `${url}/readyz` })).toBeUndefined();
    expect(await probe({ type: "http", url: `${url}/x`, status: 500 })).toBeUndefined();
    expect(await probe({ type: "http", url: `${url}/x` })).toBe(`${url}/x returned 500, expected 200: [-]etcd failed`);
    server.close();
    server.closeAllConnections();
    await once(server, "close");
    expect(await probe({ type: "http", url })).toContain("ECONNREFUSED");
  });

  it("verifies the server's certificate and presents a client certificate", async () => {
    const directory = await temporaryDirectory();
    const save = (name: string, text: string): string => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    const authority = await createAuthority("an authority");
    const pair = await issueCertificate(authority, { commonName: "s", usages: ["server"], dnsNames: ["the-server"] });
    const client = await issueCertificate(authority, { commonName: "prober", usages: ["client"] });
    const server = https.createServer({ ...pair, ca: authority.cert, requestCert: true }, (request, response) => {
      const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject;
      response.writeHead(CN === "prober" ? 200 : 401).end();
    });
    const url = `https://127.0.0.1:${await portOf(server)}/`;
    const caFile = save("ca.crt", authority.cert);
    const [certFile, keyFile] = [save("client.crt", client.cert), save("client.key", client.key)];
    const serverName = "the-server";
    expect(await probe({ type: "http", url, caFile, certFile, keyFile, serverName })).toBeUndefined();
    expect(await probe({ type: "http", url, caFile, certFile, keyFile })).toContain("does not match");
    expect(await probe({ type: "http", url, serverName })).toMatch(/certificate/);
    expect(await probe({ type: "http", url, caFile: join(directory, "none") })).toContain("ENOENT");
  });

  it("connects to a port or a socket", async () => {
    const socket = join(await temporaryDirectory(), "s");
    const server = net.createServer((client) => client.end());
    const port = await portOf(server);
    expect(await probe({ type: "tcp", port })).toBeUndefined();
    expect(await probe({ type: "tcp", host: "localhost", port })).toBeUndefined();
    expect(await probe({ type: "unix", path: socket })).toContain("ENOENT");
    const other = net.createServer((client) => client.end()).listen(socket);
    await once(other, "listening");
    expect(await probe({ type: "unix", path: socket })).toBeUndefined();
    await Promise.all([once(server.close(), "close"), once(other.close(), "close")]);
    expect(await probe({ type: "tcp", port })).toContain("ECONNREFUSED");
  });

  it("runs a command in the service's environment", async () => {
    const shell = (script: string) => probe({ type: "exec", command: "/bin/sh", args: ["-c", script] });
    expect(await shell('[ "$GREETING" = hello ]')).toBeUndefined();
    expect(await shell("echo not yet >&2; exit 1")).toBe("/bin/sh failed: not yet");
    expect(await probe({ type: "exec", command: "/no/such", args: [] })).toContain("ENOENT");
  });

  it("times out", async () => {
    const port = await portOf(http.createServer(() => undefined));
    expect(await probe({ type: "http", url: `http://127.0.0.1:${port}` })).toBe("no response within 3 s");
  });
});

describe("watchReadiness", () => {
  it("reports a ready service as unready only after three consecutive failures", async () => {
    const directory = await temporaryDirectory();
    const spec = aServiceSpec("a", { readiness: { type: "file", path: join(directory, "ready") } });
    const presence = [true, false, false, true, false, false, false];
    const results: string[] = [];
    const waits: number[] = [];
    const end = new AbortController();
    const clock: Clock = {
      ...systemClock,
      // Instead of passing time, each wait brings about what the next look finds.
      after: (delayMs, run) => {
        waits.push(delayMs);
        const isPresent = presence.shift();
        if (isPresent === undefined) end.abort();
        else if (isPresent) writeFileSync(join(directory, "ready"), "");
        else rmSync(join(directory, "ready"), { force: true });
        queueMicrotask(run);
        return { cancel: () => undefined };
      },
    };
    const onResult = (problem: string | undefined): void => void results.push(problem === undefined ? "yes" : "no");
    await watchReadiness(spec, { signal: end.signal, clock, onResult });
    expect(results).toEqual(["no", "yes", "yes", "no"]);
    expect(waits).toEqual([200, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000, 200]);
  });
});
