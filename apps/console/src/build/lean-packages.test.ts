import { clientParts, listClusters } from "@butler/contract";
import { build, parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { leanModule, leanPackages } from "./lean-packages.ts";

const lean = (code: string): string => leanModule(code, parseSync("module.js", code).program);

describe("leanModule", () => {
  it.each([
    ["a call", "const a = make(1);", "const a = /* @__PURE__ */ (() => (make(1)))();"],
    ["a property access", "export const b = a.shape;", "export const b = /* @__PURE__ */ (() => (a.shape))();"],
    ["a value", "const c = 'text', d = [1];", "const c = 'text', d = [1];"],
    ["a function", "const e = () => make(1);", "const e = () => make(1);"],
    ["a statement", "function f() { const g = make(1); }", "function f() { const g = make(1); }"],
    [
      "a route",
      'const h = defineRoute({ id: "a.b", summary: "A", path: "/b", responses: { 200: make() } });',
      'const h = /* @__PURE__ */ (() => ({ contentType: "application/json", id: "a.b", path: "/b" }))();',
    ],
  ])("%s", (_what, code, wanted) => {
    expect(lean(code)).toBe(wanted);
  });
});

describe("leanPackages", () => {
  it("keeps only the client parts of a route in the build", async () => {
    const code = await built('export { listClusters as route } from "@butler/contract";');
    const page: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    expect(page).toMatchObject({ route: Object.fromEntries(clientParts.map((part) => [part, listClusters[part]])) });
    expect(code.length).toBeLessThan(1_000);
  });

  it("keeps schemas used for form validation", async () => {
    expect(await built('export { newMember } from "@butler/contract";')).toContain("must be a valid email address");
  });
});

async function built(code: string): Promise<string> {
  const name = "virtual:page";
  const page = {
    name: "page",
    resolveId: (id: string) => (id === name ? `\0${name}` : undefined),
    load: (id: string) => (id === `\0${name}` ? code : undefined),
  };
  const result = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: "silent",
    plugins: [page, leanPackages()],
    build: { write: false, rolldownOptions: { input: name, preserveEntrySignatures: "strict" } },
  });
  const [output] = [result].flat();
  if (output === undefined || !("output" in output)) throw new Error("the build has no output");
  return output.output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("\n");
}
