import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outgoingFetch, requireAllowedUrl } from "./outgoing-fetch.ts";

let server: Server;
let open: number;
let closed: number;
let requests = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    requests++;
    response.end("hello");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  open = (server.address() as AddressInfo).port;
  const gone = createServer().listen(0, "127.0.0.1");
  await once(gone, "listening");
  closed = (gone.address() as AddressInfo).port;
  gone.close();
});

afterAll(() => server?.close());

/** Message and hint of a failure, without the host that the caller wrote. */
async function failure(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    const { message, hint = "" } = error as Error & { readonly hint?: string };
    return `${message.replace(/^\S+/, "HOST")} ${hint}`;
  }
  throw new Error("it succeeded");
}

describe("URLs from settings", () => {
  it.each([
    ["http://login.example.com", "must use https"],
    ["file:///etc/passwd", "must use https"],
    ["https://user:secret@login.example.com/", "must not contain credentials"],
    ["https://169.254.169.254/latest", "unreachable"],
    ["https://2852039166/", "unreachable"],
    ["https://0xa9fea9fe/", "unreachable"],
    ["https://[fe80::1]/", "unreachable"],
    ["https://127.1/", "unreachable"],
    ["https://2130706433/", "unreachable"],
    ["https://0177.0.0.1/", "unreachable"],
    ["https://[::1]/", "unreachable"],
    ["https://[::ffff:7f00:1]/", "unreachable"],
  ])("%s are refused: %s", (address, text) => {
    expect(() => requireAllowedUrl(new URL(address))).toThrow(text);
  });

  it("may be loopback if allowed, and never link-local", () => {
    requireAllowedUrl(new URL("https://login.example.com/realm"));
    requireAllowedUrl(new URL("http://siem.example.com/"), { allowPlain: true });
    requireAllowedUrl(new URL("http://127.0.0.1:8080"), { allowLoopback: true });
    requireAllowedUrl(new URL("https://127.0.0.1:8080"), { allowed: ["127.0.0.1"] });
    for (const options of [{ allowLoopback: true }, { allowPlain: true, allowed: ["169.254.0.0/16"] }]) {
      expect(() => requireAllowedUrl(new URL("http://169.254.169.254"), options)).toThrow("unreachable");
    }
  });
});

describe("connections to URLs from settings", () => {
  it("tell an open port from a closed one in no form of an address, nor an unknown host", async () => {
    const ask = outgoingFetch({ allowPlain: true });
    const hosts = ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0"];
    const failures = new Set<string>();
    for (const port of [open, closed]) {
      for (const host of hosts) failures.add(await failure(ask(`http://${host}:${port}/`)));
    }
    const resolve = () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
    failures.add(await failure(outgoingFetch({ allowPlain: true, resolve })("http://unknown.example/")));
    // An address that is allowed, without a listener.
    failures.add(await failure(outgoingFetch({ allowLoopback: true })(`http://127.0.0.1:${closed}/`)));
    expect([...failures]).toHaveLength(1);
    expect(requests).toBe(0);
  });

  it("are refused if a name resolves to a pod, a Service or loopback, and use the address that was judged", async () => {
    const clusterNetworks = () => Promise.resolve(["10.96.0.0/16"]);
    const askWith = (address: string, allowed: readonly string[] = []) =>
      outgoingFetch({
        allowPlain: true,
        allowed,
        clusterNetworks,
        resolve: () => Promise.resolve([{ address, family: 4 }]),
      })(`http://charts.example.com:${open}/`);
    for (const address of ["10.96.0.10", "127.0.0.1", "169.254.169.254"]) {
      await expect(askWith(address)).rejects.toThrow("is unreachable");
    }
    expect(requests).toBe(0);
    expect(await (await askWith("127.0.0.1", ["charts.example.com"])).text()).toBe("hello");
    await expect(outgoingFetch({ allowPlain: true, clusterNetworks })("http://10.96.0.1/")).rejects.toThrow(
      "is unreachable",
    );
  });
});
