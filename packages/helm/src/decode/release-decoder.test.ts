import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { DecodeRefused } from "./decode-refused.ts";
import { type DecoderLimits, ReleaseDecoder } from "./release-decoder.ts";

const mebibyte = 1024 * 1024;
const base64 = (bytes: Buffer | string): string => Buffer.from(bytes).toString("base64");
const packed = (text: string): string => base64(base64(gzipSync(text, { level: 1 })));

const head =
  '{"name":"web","info":{"status":"deployed","description":"done"},"chart":{"metadata":{"name":"web","version":"1.2.3"}';
/** As Helm orders its fields, with files of the chart between metadata and manifest. */
const release = (files: string, manifest = "kind: ConfigMap"): string =>
  packed(`${head},"files":${files}},"config":{},"manifest":${JSON.stringify(manifest)},"version":3}`);

const decoders: ReleaseDecoder[] = [];
afterEach(() => decoders.splice(0).forEach((decoder) => decoder.close()));

function aDecoder(limits: Partial<DecoderLimits> = {}): ReleaseDecoder & { refusals: string[] } {
  const refusals: string[] = [];
  const decoder = new ReleaseDecoder({ limits, onRefusal: (reason) => refusals.push(reason) });
  decoders.push(decoder);
  return Object.assign(decoder, { refusals });
}

const { signal } = new AbortController();
const facts = (data: string, group = "blue") => ({ group, data, part: "facts", signal }) as const;
const manifest = (data: string, group = "blue") => ({ group, data, part: "manifest", signal }) as const;
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof DecodeRefused ? error.refusal : error),
  );

describe("ReleaseDecoder", () => {
  it("reads the facts and the manifest", async () => {
    const decoder = aDecoder();
    const data = release('[{"name":"a","data":"eA=="}]');
    expect(await decoder.decode(facts(data))).toMatchObject({
      status: "deployed",
      chart: { version: "1.2.3" },
      manifest: "",
    });
    expect(await decoder.decode(manifest(data))).toMatchObject({ manifest: "kind: ConfigMap" });
  });

  it("hole 3: reads the facts of a revision without unpacking the rest", async () => {
    const decoder = aDecoder({ groupBytesPerMinute: mebibyte });
    const data = release(`"${"x".repeat(30 * mebibyte)}"`);
    for (let at = 0; at < 5; at++) expect(await decoder.decode(facts(data))).toMatchObject({ chart: { name: "web" } });
  });

  it.each<[string, string]>([
    ["unpacks to too much", release(`"${"x".repeat(40 * mebibyte)}"`)],
    ["has too large a manifest", release("[]", "x".repeat(9 * mebibyte))],
    ["is nested too deeply", release("[".repeat(100_000))],
    ["is too large in its Secret", "x".repeat(3 * mebibyte)],
    ["is damaged", packed("nonsense").slice(0, 20)],
  ])("hole 3: rejects one that %s, and reads the next", async (_what, data) => {
    const decoder = aDecoder();
    expect(await refusalOf(decoder.decode(manifest(data)))).toBe("invalid");
    expect(decoder.refusals).toEqual(["invalid"]);
    expect(await decoder.decode(manifest(release("[]")))).toMatchObject({ manifest: "kind: ConfigMap" });
  });

  it("hole 3: ends the process that reads when it takes too much memory, and goes on with another", async () => {
    const small = aDecoder({ residentMiB: 1 });
    const large = release(`"${"x".repeat(20 * mebibyte)}"`, "x".repeat(7 * mebibyte));
    expect(await refusalOf(small.decode(manifest(large)))).toBe("memory");
    // Each of these is an object, many times larger than its text.
    const text = `${head}},"manifest":[${"[],".repeat(2 * mebibyte)}[]],"version":3}`;
    const tight = aDecoder({ heapMiB: 40 });
    expect(await refusalOf(tight.decode(manifest(packed(text))))).toBe("memory");
    expect(await tight.decode(facts(release("[]")))).toMatchObject({ chart: { name: "web" } });
  });

  it("hole 3: ends the process that reads when it takes too long", async () => {
    const decoder = aDecoder({ decodeMs: 1 });
    expect(await refusalOf(decoder.decode(manifest(release(`"${"x".repeat(30 * mebibyte)}"`))))).toBe("timeout");
  });

  it("hole 3: gives each cluster a budget of its own", async () => {
    const decoder = aDecoder({ groupBytesPerMinute: 20 * mebibyte });
    const data = release(`"${"x".repeat(25 * mebibyte)}"`);
    await decoder.decode(manifest(data, "hostile"));
    expect(await refusalOf(decoder.decode(manifest(data, "hostile")))).toBe("budget");
    expect(await decoder.decode(manifest(data, "other"))).toMatchObject({ manifest: "kind: ConfigMap" });
  });

  it("hole 3: takes turns among clusters", async () => {
    const decoder = aDecoder();
    const ended: string[] = [];
    const groups = ["hostile", "hostile", "hostile", "hostile", "other"];
    await Promise.all(groups.map((group) => decoder.decode(facts(release("[]"), group)).then(() => ended.push(group))));
    // One was being read and one was next when it came.
    expect(ended.indexOf("other")).toBeLessThanOrEqual(2);
  });

  it("rejects what waits when it closes or is canceled", async () => {
    const decoder = aDecoder();
    const canceled = decoder.decode({
      ...facts(release("[]")),
      signal: AbortSignal.abort(new Error("no longer wanted")),
    });
    await expect(canceled).rejects.toThrow("no longer wanted");
    const waiting = [1, 2].map(() => decoder.decode(facts(release("[]"))).catch((error: Error) => error.message));
    decoder.close();
    expect((await Promise.all(waiting))[1]).toBe("the process is shutting down");
  });
});
