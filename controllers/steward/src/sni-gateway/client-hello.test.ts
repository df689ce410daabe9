import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { ClientHelloReader, type HelloState, longestHello } from "./client-hello.ts";
import { captureHello, clientVariants } from "./testing/captured-hellos.ts";
import { greaseValues, helloMessage, type HelloTraits, inRecords } from "./testing/hello-builder.ts";

function readAll(bytes: Buffer): HelloState {
  return new ClientHelloReader().push(bytes);
}

/** Pushes the pieces between the cuts, and returns the result after each. */
function readCut(bytes: Buffer, cuts: readonly number[]): HelloState[] {
  const reader = new ClientHelloReader();
  const places = [0, ...[...cuts].sort((left, right) => left - right), bytes.length];
  return places.slice(1).map((end, at) => reader.push(bytes.subarray(places[at], end)));
}

const asked = (name: string): HelloState => ({ kind: "complete", serverName: name });
const refused = (reason: string) => ({ kind: "refused", reason });
const read = (traits: HelloTraits): HelloState => readAll(inRecords(helloMessage(traits)));

describe("the ClientHello of real clients", () => {
  const hellos = new Map<string, Buffer>();

  beforeAll(async () => {
    for (const [name, options] of Object.entries(clientVariants)) {
      hellos.set(name, await captureHello({ servername: "Blue.K8s.Example.com", ...options }));
    }
    hellos.set("no server name", await captureHello({ servername: "" }));
  });

  it.each(Object.keys(clientVariants))("is read: %s", (name) => {
    expect(readAll(hellos.get(name) ?? expect.fail())).toEqual(asked("blue.k8s.example.com"));
  });

  it("may lack a server name, as with an address", () => {
    expect(readAll(hellos.get("no server name") ?? expect.fail())).toEqual(refused("no-server-name"));
  });

  it("is read however it is split, and not before its last byte", () => {
    const samples = [...hellos.values()];
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(fc.nat(4_000), { maxLength: 40 }), (bytes, cuts) => {
        const states = readCut(
          bytes,
          cuts.filter((cut) => cut < bytes.length),
        );
        for (const state of states.slice(0, -1)) expect(state.kind).toBe("incomplete");
        expect(states.at(-1)).toEqual(readAll(bytes));
      }),
    );
  });

  it("is read byte by byte", () => {
    for (const bytes of hellos.values()) {
      const every = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
      expect(readCut(bytes, every).at(-1)).toEqual(readAll(bytes));
    }
  });

  it("is read when the message spans several records", () => {
    fc.assert(
      fc.property(fc.constantFrom(...hellos.values()), fc.integer({ min: 1, max: 3_000 }), (bytes, longest) => {
        const message = bytes.subarray(5);
        const isShortEnough = message.length + 5 * Math.ceil(message.length / longest) <= longestHello;
        expect(readAll(inRecords(message, longest))).toEqual(
          isShortEnough ? readAll(bytes) : refused("hello-too-long"),
        );
      }),
    );
  });

  it("is not read when it is truncated anywhere", () => {
    const bytes = hellos.get("plain") ?? expect.fail();
    for (let end = 0; end < bytes.length; end++) expect(readAll(bytes.subarray(0, end)).kind).toBe("incomplete");
  });
});

describe("a ClientHello", () => {
  it.each<[string, string]>([
    ["blue.example.com", "blue.example.com"],
    ["BLUE.example.COM", "blue.example.com"],
    ["blue.example.com.", "blue.example.com"],
    ["blue", "blue"],
    ["_dns.blue.example.com", "_dns.blue.example.com"],
    [
      `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`,
      `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`,
    ],
  ])("that asks for %s is for %s", (name, expected) => {
    expect(read({ names: [[0, name]] })).toEqual(asked(expected));
  });

  it.each<[string, HelloTraits, string]>([
    ["no extensions at all", { hasNoExtensions: true }, "no-server-name"],
    ["no server name among its extensions", { names: [], after: [[10, Buffer.alloc(4)]] }, "no-server-name"],
    ["names of an unknown type only", { names: [[7, "blue.example.com"]] }, "no-server-name"],
    ["an empty list of names", { names: [], after: [[0, Buffer.from([0, 0])]] }, "no-server-name"],
    ["an empty name", { names: [[0, ""]] }, "malformed-hello"],
    ["a single dot as name", { names: [[0, "."]] }, "malformed-hello"],
    ["two dots in a row", { names: [[0, "blue..example.com"]] }, "malformed-hello"],
    ["a zero byte in its name", { names: [[0, "blue.example.com\0.evil.example"]] }, "malformed-hello"],
    ["letters beyond ASCII", { names: [[0, "blåu.example.com"]] }, "malformed-hello"],
    ["a name that is too long", { names: [[0, `${"a.".repeat(127)}a`]] }, "malformed-hello"],
    ["a wildcard", { names: [[0, "*.example.com"]] }, "malformed-hello"],
    ["an IPv4 address", { names: [[0, "192.0.2.1"]] }, "address-as-name"],
    ["an IPv6 address", { names: [[0, "2001:db8::1"]] }, "address-as-name"],
    [
      "two names",
      {
        names: [
          [0, "blue.example.com"],
          [0, "red.example.com"],
        ],
      },
      "malformed-hello",
    ],
    ["the extension twice", { after: [[0, Buffer.from([0, 0])]] }, "malformed-hello"],
    ["trailing bytes after its extensions", { trailer: Buffer.from([0]) }, "malformed-hello"],
    ["a session id that is too long", { sessionId: Buffer.alloc(33) }, "malformed-hello"],
    ["no cipher", { cipherSuites: [] }, "malformed-hello"],
    ["no compression", { compressions: Buffer.alloc(0) }, "malformed-hello"],
    ["a truncated server name", { names: [], after: [[0, Buffer.from([0, 9, 0, 0, 6, 98])]] }, "malformed-hello"],
  ])("with %s is refused", (_what, traits, reason) => {
    expect(read(traits)).toEqual(refused(reason));
  });

  it("is read past unknown values", () => {
    const unknown = fc.array(fc.tuple(fc.constantFrom(...greaseValues), fc.uint8Array({ maxLength: 40 })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(unknown, unknown, fc.constantFrom(...greaseValues), (before, after, cipher) => {
        const extensions = (pairs: typeof before) => pairs.map(([type, data]) => [type, Buffer.from(data)] as const);
        const traits = { before: extensions(before), after: extensions(after), cipherSuites: [cipher, 0x1301, cipher] };
        expect(read(traits)).toEqual(asked("blue.example.com"));
      }),
    );
  });

  it("is read when another message follows", () => {
    const bytes = Buffer.concat([inRecords(helloMessage()), Buffer.from([20, 3, 3, 0, 1, 1, 23, 3, 3])]);
    expect(readAll(bytes)).toEqual(asked("blue.example.com"));
  });

  it("may be as long as the limit and no longer", () => {
    const padding = (length: number): HelloTraits => ({ after: [[21, Buffer.alloc(length)]] });
    const fixed = inRecords(helloMessage(padding(0))).length;
    const longest = longestHello - fixed;
    expect(read(padding(longest))).toEqual(asked("blue.example.com"));
    expect(read(padding(longest + 1))).toEqual(refused("hello-too-long"));
  });

  it("that announces more than the limit is refused at once", () => {
    expect(readAll(Buffer.from([22, 3, 1, 0, 4, 1, 1, 0, 0]))).toEqual(refused("hello-too-long"));
  });
});

describe("what is not a ClientHello", () => {
  it.each<[string, Buffer, string]>([
    ["HTTP", Buffer.from("GET / HTTP/1.1\r\n"), "not-tls"],
    ["SSH", Buffer.from("SSH-2.0-OpenSSH_9.9\r\n"), "not-tls"],
    ["PROXY protocol", Buffer.from([0x0d, 0x0a, 0x0d, 0x0a]), "not-tls"],
    ["SSL 2", Buffer.from([0x80, 0x2e, 1, 3, 1]), "not-tls"],
    ["an alert", Buffer.from([21, 3, 3, 0, 2]), "not-tls"],
    ["another version", Buffer.from([22, 4, 0]), "not-tls"],
    ["an empty record", Buffer.from([22, 3, 1, 0, 0]), "malformed-hello"],
    ["a record that is too long", Buffer.from([22, 3, 1, 0x40, 1]), "malformed-hello"],
    ["a ServerHello", inRecords(Buffer.from([2, 0, 0, 0])), "malformed-hello"],
    ["a hello interrupted by an alert", Buffer.from([22, 3, 1, 0, 2, 1, 0, 21, 3, 3, 0, 2]), "malformed-hello"],
  ])("%s is refused at its first wrong byte", (_name, bytes, reason) => {
    expect(readAll(bytes)).toEqual(refused(reason));
  });

  it("is rejected without an exception, and identically however it is split", () => {
    const noise = fc.uint8Array({ maxLength: 2 * longestHello, size: "max" });
    // Random bytes alone rarely pass the first check.
    const nearly = fc.tuple(fc.uint8Array({ maxLength: 400 }), fc.nat(400)).map(([data, at]) => {
      const bytes = Buffer.from(inRecords(helloMessage()));
      Buffer.from(data).copy(bytes, at);
      return bytes;
    });
    fc.assert(
      fc.property(fc.oneof(noise, nearly), fc.array(fc.nat(2 * longestHello), { maxLength: 20 }), (data, cuts) => {
        const bytes = Buffer.from(data);
        const inside = cuts.filter((cut) => cut < bytes.length);
        expect(readCut(bytes, inside).at(-1)).toEqual(readAll(bytes));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is always rejected within the limit", () => {
    const endless = inRecords(Buffer.concat([Buffer.from([1, 0, 0x3f, 0]), Buffer.alloc(longestHello)]), 100);
    expect(readAll(endless.subarray(0, longestHello - 1)).kind).toBe("incomplete");
    expect(readAll(endless.subarray(0, longestHello))).toEqual(refused("hello-too-long"));
  });

  it("stays refused when more comes", () => {
    const reader = new ClientHelloReader();
    reader.push(Buffer.from("GET"));
    expect(reader.push(inRecords(helloMessage()))).toEqual(refused("not-tls"));
  });
});
