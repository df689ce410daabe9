import { Forbidden, NotFound, Unauthenticated, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { requireContext } from "./find-context.ts";
import { changeContext, contextsIn, fileOfCurrent } from "./kubeconfig-contexts.ts";
import { isPlatform, verdictOf } from "./probe.ts";

const first = {
  path: "one",
  text: `# mine
current-context: a
clusters: [{ name: c, cluster: { server: "https://one" } }]
users:
  - name: u
    user:
      exec: { command: butlerctl, args: [credential, --server, "https://butler.example.com"] }
contexts:
  - name: a
    context: { cluster: c, user: u, namespace: payments } # stays
`,
};
const second = {
  path: "two",
  text: `current-context: b
clusters: [{ name: c, cluster: { server: "https://other" } }]
contexts: [{ name: a, context: { cluster: c, user: x } }, { name: b, context: { cluster: nowhere, user: x } }]
`,
};

describe("contexts of kubeconfigs", () => {
  it("come from all files, and the first entry wins", () => {
    expect(contextsIn([first, second])).toEqual([
      {
        name: "a",
        file: "one",
        isCurrent: true,
        server: "https://one",
        user: "u",
        namespace: "payments",
        signedInTo: "https://butler.example.com",
      },
      { name: "b", file: "two", isCurrent: false, server: "", user: "x", namespace: undefined, signedInTo: undefined },
    ]);
    expect(contextsIn([{ path: "x", text: "" }])).toEqual([]);
    expect(fileOfCurrent([{ path: "x", text: "" }, second])?.path).toBe("two");
    expect(fileOfCurrent([{ path: "x", text: "" }])?.path).toBe("x");
  });

  it("are changed without touching anything else", () => {
    const switched = changeContext(first, { current: "b" });
    expect(parse(switched)).toEqual({ ...(parse(first.text) as object), "current-context": "b" });
    expect(switched).toMatch(/^# mine\n[\s\S]*# stays\n$/);
    const changed = changeContext(first, { namespace: { context: "a", name: "search" } });
    expect(contextsIn([{ ...first, text: changed }])[0]).toMatchObject({ namespace: "search" });
    expect(changed).toContain("# stays");
    expect(changeContext(first, {})).toBe(first.text);
  });

  it.each(["[1, 2]", "a: [", "text"])("%s is not a kubeconfig and is not overwritten", (text) => {
    expect(() => contextsIn([{ path: "x", text }])).toThrow("x is not a kubeconfig");
    expect(() => changeContext({ path: "x", text }, { current: "a" })).toThrow("nothing was changed");
  });

  it("are found by name, or the current one is", () => {
    const entries = contextsIn([first, second]);
    expect([requireContext(entries, undefined).name, requireContext(entries, "b").name]).toEqual(["a", "b"]);
    expect(() => requireContext(entries, "c")).toThrow('no context "c"');
    expect(() => requireContext([], undefined)).toThrow("no current context");
  });

  it.each([
    [new NotFound("x"), "other"],
    [new Unauthenticated("x"), "refused"],
    [new Forbidden("x"), "refused"],
    [new Unavailable("x"), "away"],
    [new Error("x"), "away"],
  ])("%s means that the target is %s", (error, leadsTo) => {
    expect(verdictOf(error).leadsTo).toBe(leadsTo);
  });

  it("are listed when they point to Butler or have a sign-in", () => {
    expect(isPlatform({ leadsTo: "away", signedInTo: "https://x" })).toBe(true);
    expect(isPlatform({ leadsTo: "butler", signedInTo: undefined })).toBe(true);
    expect(isPlatform({ leadsTo: "other", signedInTo: undefined })).toBe(false);
  });
});
