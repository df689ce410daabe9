import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { entriesOf, type IndexEntry, scanIndex } from "./chart-index.ts";
import { ChartUnavailable } from "./chart-unavailable.ts";

const { signal } = new AbortController();
const digest = "ab".repeat(32);

async function read(text: string | Buffer, name = "web", version?: string): Promise<readonly IndexEntry[]> {
  const index = await scanIndex(typeof text === "string" ? Buffer.from(text) : text, "charts.example.com", signal);
  return entriesOf(index, { name, version, signal });
}

const asHelmWrites = `apiVersion: v1
entries:
  other:
  - apiVersion: v2
    name: other
    urls:
    - other-9.9.9.tgz
    version: 9.9.9
  web:
  - annotations:
      long: |
        version: 6.6.6
        entries:
      # a comment
    apiVersion: v2
    created: "2026-01-01T00:00:00Z"
    dependencies:
    - name: part
      version: 7.7.7
    description: |-
      urls:
        - nothing
    digest: ${digest}
    name: web
    urls:
    - https://charts.example.com/web-1.10.tgz
    - second.tgz
    version: 1.10
  - digest: ""
    urls: [web-1.0.0.tgz]
    version: "1.0.0"
generated: "2026-01-01T00:00:00Z"
`;
const expected: readonly IndexEntry[] = [
  { version: "1.10", urls: ["https://charts.example.com/web-1.10.tgz", "second.tgz"], digest: `sha256:${digest}` },
  { version: "1.0.0", urls: ["web-1.0.0.tgz"], digest: undefined },
];

describe("an index", () => {
  it("is read in the format of helm", async () => {
    expect(await read(asHelmWrites)).toEqual(expected);
    expect(await read(asHelmWrites, "other")).toHaveLength(1);
    expect(await read(asHelmWrites, "none")).toEqual([]);
    expect(await read(asHelmWrites, "web", "v1.0.0")).toEqual([expected[1]]);
  });

  it.each<[string, string]>([
    ["with line ends of Windows", asHelmWrites.replaceAll("\n", "\r\n")],
    ["with a mark of its encoding", `\uFEFF${asHelmWrites}`],
    ["after a document's beginning and comments", `# charts\n---\n${asHelmWrites}`],
    ["with the entries last", asHelmWrites.replace(/^generated.*\n/m, "").replace("apiVersion: v1\n", "a: 1\n")],
    [
      "with lists indented",
      asHelmWrites.replaceAll(/^ {2}(- | {2})/gm, "      $1").replaceAll(/^ {2}(\w+:)$/gm, "   $1"),
    ],
    [
      "with keys in quotes",
      asHelmWrites.replace("  web:", '  "web":').replace("    version: 1.10", "    'version': 1.10"),
    ],
  ])("is read %s", async (_what, text) => expect(await read(text)).toEqual(expected));

  it("is read as JSON", async () => {
    const entries = {
      other: [{ version: "2.0.0", urls: ["a"] }],
      'we"b': [{ version: "3.0.0", urls: ["b"] }],
      web: [{ nested: { web: [{ version: "6.6.6" }] }, text: '\\"]}', version: "1.0.0", urls: ["c"], digest }],
    };
    const text = JSON.stringify({ apiVersion: "v1", decoy: { web: [] }, entries, generated: "now" });
    expect(await read(text)).toEqual([{ version: "1.0.0", urls: ["c"], digest: `sha256:${digest}` }]);
    expect(await read(text, 'we"b')).toHaveLength(1);
    expect(await read(JSON.stringify({ entries }, undefined, 2))).toHaveLength(1);
  });

  it("without charts has none", async () => {
    for (const text of ["apiVersion: v1\nentries: {}\n", "entries:\n", '{"entries":{}}']) {
      expect(await read(text)).toEqual([]);
    }
  });

  it("skips invalid entries", async () => {
    const text =
      "entries:\n  web:\n  - version: [\n  - urls: [a]\n  - *nothing\n  - version: 1.0.0\n    urls: [b]\n  - text\n  -\n";
    expect(await read(text)).toEqual([{ version: "1.0.0", urls: ["b"], digest: undefined }]);
  });

  it.each<[string, string]>([
    ["nothing", ""],
    ["a page", "<!doctype html>\n<html>\n  <body>\n"],
    ["another YAML", "kind: List\nitems: []\n"],
    ["a list", "- entries:\n  - web:\n"],
    ["JSON that ends early", '{"entries":{"web":[{"version":"1.0.0"'],
    ["JSON with a text that does not end", '{"entries'],
    ["other JSON", '{"errors":[]}'],
    ["entries in one line", "entries: {web: []}\n"],
    ["indentation that makes no sense", "entries:\n    web:\n    - version: 1\n  other:\n"],
    ["bytes", Buffer.from([0, 1, 2, 255, 254, 10, 0]).toString("latin1")],
  ])("that is %s is rejected", async (_what, text) => {
    const error: unknown = await read(text).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ChartUnavailable);
    expect(error).toMatchObject({ reason: "RepositoryInvalid" });
  });

  it("matches a full YAML parser", async () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/);
    const entry = fc.record({
      description: fc.string(),
      annotations: fc.dictionary(word, fc.string({ unit: "grapheme" })),
      version: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map((parts) => parts.join(".")),
      urls: fc.array(
        word.map((path) => `https://charts.example.com/${path}`),
        { minLength: 1, maxLength: 2 },
      ),
      dependencies: fc.array(fc.record({ name: word, version: word }), { maxLength: 2 }),
    });
    const indexes = fc.dictionary(word, fc.array(entry, { minLength: 1, maxLength: 3 }), { minKeys: 1, maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(indexes, fc.boolean(), async (entries, isJson) => {
        const whole = { apiVersion: "v1", entries, generated: "x" };
        const text = isJson ? JSON.stringify(whole) : stringify(whole, { lineWidth: 0 });
        for (const [name, list] of Object.entries(entries)) {
          const wanted = list.map(({ version, urls }) => ({ version, urls, digest: undefined }));
          expect(await read(text, name)).toEqual(wanted);
        }
      }),
    );
  });

  it("is read or rejected, for any content", async () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map((rest) => `entries:\n  web:\n  - ${rest}`),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const error: unknown = await read(text).catch((caught: unknown) => caught);
        if (!Array.isArray(error)) expect(error).toBeInstanceOf(ChartUnavailable);
      }),
    );
  });
});

/** How long this thread works without a pause, in time of its own, so that a busy machine does not count. */
function watchBlocking(): { longestMs(): Promise<number> } {
  const over = new AbortController();
  const used = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const watching = (async () => {
    let longest = 0;
    for (let before = used(); !over.signal.aborted;) {
      await setImmediate();
      const now = used();
      longest = Math.max(longest, now - before);
      before = now;
    }
    return longest;
  })();
  return {
    longestMs: () => {
      over.abort();
      return watching;
    },
  };
}

describe("an index of the largest size", () => {
  const entryText = asHelmWrites.slice(asHelmWrites.indexOf("  - annotations"), asHelmWrites.indexOf('  - digest: ""'));
  const block = Array.from({ length: 1000 }, (_, at) => entryText.replace("1.10\n", `1.0.${at}\n`)).join("");
  const chart = (at: number): string => `  chart-${at}:\n${block}`;
  const mebibytes = 48;
  const count = Math.ceil((mebibytes * 1024 * 1024) / block.length);

  it.each<[string, () => Buffer]>([
    ["many charts", () => Buffer.from(`entries:\n${Array.from({ length: count }, (_, at) => chart(at)).join("")}`)],
    ["one line", () => Buffer.concat([Buffer.from("entries:\n  a: "), Buffer.alloc(mebibytes * 1024 * 1024, "a")])],
    [
      "spaces",
      () => Buffer.concat([Buffer.from("entries:\n  chart-7:\n  - a"), Buffer.alloc(mebibytes * 1024 * 1024, " ")]),
    ],
    ["brackets", () => Buffer.concat([Buffer.from('{"entries":'), Buffer.alloc(mebibytes * 1024 * 1024, "[")])],
    ["a JSON text", () => Buffer.concat([Buffer.from('{"entries":"'), Buffer.alloc(mebibytes * 1024 * 1024, "\\a")])],
    [
      "empty items",
      () => Buffer.concat([Buffer.from("entries:\n  chart-7:\n"), Buffer.alloc(8 * 1024 * 1024, "  -\n")]),
    ],
  ])("of %s does not block the event loop", async (what, make) => {
    const bytes = make();
    const watch = watchBlocking();
    const found = await read(bytes, "chart-7").catch(() => []);
    const exact = await read(bytes, "chart-7", "1.0.77").catch(() => []);
    // Those that mention it are read: 1.0.77 and 1.0.770 to 1.0.779.
    if (what === "many charts") expect([found.length, exact.length]).toEqual([1000, 11]);
    expect(await watch.longestMs()).toBeLessThan(40);
  });

  it("does not block the event loop when many charts are searched at once", async () => {
    const text = `entries:\n${Array.from({ length: 30 }, (_, at) => chart(at)).join("")}`;
    const index = await scanIndex(Buffer.from(text), "charts.example.com", signal);
    const watch = watchBlocking();
    const names = Array.from({ length: 30 }, (_, at) => `chart-${at}`);
    const found = await Promise.all(names.map((name) => entriesOf(index, { name, signal })));
    expect(found.every((entries) => entries.length === 1000)).toBe(true);
    expect(await watch.longestMs()).toBeLessThan(40);
  });
});
