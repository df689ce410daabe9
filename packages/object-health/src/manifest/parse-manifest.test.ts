import { describeError, InvalidInput } from "@butler/std";
import { describe, expect, it } from "vitest";
import { parseManifest } from "./parse-manifest.ts";

const configMap = (name: string, data = ""): string =>
  `---\n# Source: chart/templates/${name}.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  text: "${data}"\n`;

/** A definition as large as the largest in charts: some 250 KiB of nested schema. */
function largeDefinition(name: string): string {
  const lines = [
    "---",
    "apiVersion: apiextensions.k8s.io/v1",
    "kind: CustomResourceDefinition",
    `metadata: {name: ${name}}`,
    "spec:",
  ];
  for (let field = 0; field < 2_000; field++) {
    lines.push(
      `  field${field}:`,
      "    properties:",
      "      inner:",
      "        description: What it is for, in some words.",
    );
    lines.push("        type: string", `        default: "${field}"`);
  }
  return `${lines.join("\n")}\n`;
}

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * The longest CPU time of this thread between two turns of the event loop; time spent waiting for a CPU does not count.
 */
function measureTurns(): { stop(): number } {
  let longest = 0;
  let before = usedMs();
  const turn = (): void => {
    const now = usedMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(turn, 1);
  return {
    stop: () => {
      turn();
      clearInterval(timer);
      return longest;
    },
  };
}

describe("a manifest", () => {
  it("returns its objects in order, with Lists expanded and empty documents skipped", async () => {
    const list =
      "---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: c, namespace: ns}}\n";
    const objects = await parseManifest(`${configMap("a")}---\n# nothing\n---\n${list}${configMap("b")}`);
    expect(objects.map(({ kind, name, namespace }) => [kind, name, namespace])).toEqual([
      ["ConfigMap", "a", undefined],
      ["Secret", "c", "ns"],
      ["ConfigMap", "b", undefined],
    ]);
    expect(objects[0]?.object).toMatchObject({ data: { text: "" } });
  });

  it("may be empty", async () => {
    expect(await parseManifest("")).toEqual([]);
    expect(await parseManifest("---\n---\n# only words\n")).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    ["bad YAML", `${configMap("a")}---\na: [hunter2\n`, /document 2: invalid YAML on line \d+/],
    ["no object", `${configMap("a")}${configMap("b")}--- hunter2\n`, /document 3: not an object/],
    ["no name", `${configMap("a")}---\napiVersion: v1\nkind: hunter2\n`, /document 2: .*metadata.name/],
    ["a document without end", `--- ${"hunter2".repeat(700_000)}`, /document 1: larger than 4 MiB/],
    ["no end", "hunter2".repeat(2_500_000), /larger than 16 MiB/],
    ["too many documents", "---\na\n".repeat(6_000), /more than 5000 documents/],
    [
      "too many objects",
      `---\nkind: List\nitems:\n${"- {apiVersion: v1, kind: A, metadata: {name: a}}\n".repeat(5_001)}`,
      /more than 5000 objects/,
    ],
  ])("with %s is rejected, with the document number and without quoting it", async (_what, manifest, message) => {
    const error: unknown = await parseManifest(manifest).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidInput);
    expect(describeError(error)).toMatch(message);
    expect(describeError(error)).not.toContain("hunter2");
    expect((error as InvalidInput).hint).toContain("helm get manifest");
  });

  it("of 5 MiB in 200 documents does not block the event loop", async () => {
    const small = Array.from({ length: 190 }, (_, at) => configMap(`map-${at}`, "x".repeat(12_000)));
    const manifest = [...small, ...Array.from({ length: 10 }, (_, at) => largeDefinition(`large-${at}`))].join("");
    expect(manifest.length).toBeGreaterThan(4 * 1024 * 1024);
    await parseManifest(configMap("first"));
    const turns = measureTurns();
    const objects = await parseManifest(manifest);
    const longestMs = turns.stop();
    expect(objects).toHaveLength(200);
    expect(longestMs).toBeLessThan(20);
  });

  it("stops reading when aborted", async () => {
    const ended = new AbortController();
    const parsing = parseManifest(largeDefinition("large").repeat(10), { signal: ended.signal });
    setTimeout(() => ended.abort(new Error("changed my mind")), 20);
    await expect(parsing).rejects.toThrow("changed my mind");
    await expect(parseManifest(configMap("a"), { signal: ended.signal })).rejects.toThrow("changed my mind");
    expect(await parseManifest(configMap("a"))).toHaveLength(1);
  });
});
