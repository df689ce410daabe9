import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { entryNames, mergeKubeconfig, renameEntries } from "./kubeconfig-file.ts";
import { kubeconfigIn } from "./kubeconfig.ts";

const own = renameEntries(
  `apiVersion: v1
kind: Config
current-context: admin@c
contexts: [{ name: admin@c, context: { cluster: c, user: admin } }]
clusters: [{ name: c, cluster: { server: "https://10.0.0.1:6443", certificate-authority-data: Y2E= } }]
users: [{ name: admin, user: { token: t1 } }]
`,
  entryNames({ name: "blue", namespace: "payments" }),
);
const names = entryNames({ name: "blue", namespace: "payments" });

const existing = `# my own file
apiVersion: v1
kind: Config
current-context: home # keep
clusters:
  - name: home
    cluster: { server: "https://home:6443" }
contexts:
  - name: home
    context: { cluster: home, user: me }
users:
  - name: me
    user: { token: secret }
`;

describe("renameEntries", () => {
  it("names everything after the cluster", () => {
    expect(parse(own)).toEqual({
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        { name: "payments/blue", cluster: { server: "https://10.0.0.1:6443", "certificate-authority-data": "Y2E=" } },
      ],
      users: [{ name: "payments/blue-admin", user: { token: "t1" } }],
      contexts: [{ name: "payments/blue", context: { cluster: "payments/blue", user: "payments/blue-admin" } }],
      "current-context": "payments/blue",
    });
  });

  it.each(["", "[]", "contexts: []", "current-context: a\ncontexts: [{ name: a, context: {} }]"])(
    "refuses %j",
    (text) => {
      expect(() => renameEntries(text, names)).toThrow("the cluster's kubeconfig");
    },
  );
});

describe("mergeKubeconfig", () => {
  it("adds the cluster and leaves everything else, including comments, unchanged", () => {
    const merged = mergeKubeconfig(existing, { added: own, names, isCurrent: false });
    expect(merged).toContain("# my own file");
    expect(merged).toContain("current-context: home # keep");
    const { clusters, users, contexts } = parse(merged) as Record<string, { name: string }[]>;
    expect([clusters, users, contexts].map((list) => list?.map(({ name }) => name))).toEqual([
      ["home", "payments/blue"],
      ["me", "payments/blue-admin"],
      ["home", "payments/blue"],
    ]);
  });

  it("replaces older entries of the same cluster", () => {
    const once = mergeKubeconfig(existing, { added: own, names, isCurrent: true });
    const again = mergeKubeconfig(once, { added: own.replace("t1", "t2"), names, isCurrent: true });
    expect((parse(again) as { users: unknown[] }).users).toEqual([
      { name: "me", user: { token: "secret" } },
      { name: "payments/blue-admin", user: { token: "t2" } },
    ]);
    expect(mergeKubeconfig(again, { added: own.replace("t1", "t2"), names, isCurrent: true })).toBe(again);
    expect(parse(again)).toMatchObject({ "current-context": "payments/blue" });
  });

  it.each(["", "apiVersion: v1\nkind: Config\nclusters: null\n"])("begins a file from %j", (text) => {
    const merged = parse(mergeKubeconfig(text, { added: own, names, isCurrent: false })) as Record<string, unknown>;
    expect(merged).toMatchObject({
      kind: "Config",
      "current-context": "payments/blue",
      clusters: [{ name: "payments/blue" }],
    });
  });

  it.each(["- a list", "a: [1"])("does not touch %j", (text) => {
    expect(() => mergeKubeconfig(text, { added: own, names, isCurrent: false })).toThrow("nothing was changed");
  });
});

describe("kubeconfigIn", () => {
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  it.each([
    [{ value: encoded("a"), "admin.conf": encoded("b") }, "a"],
    [{ "admin.conf": encoded("b") }, "b"],
    [{ other: encoded("c") }, undefined],
    [undefined, undefined],
  ])("%o", (data, text) => {
    expect(kubeconfigIn(data)).toBe(text);
  });
});
