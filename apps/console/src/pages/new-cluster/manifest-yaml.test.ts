import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Draft, emptyDraft, withValueAt } from "./draft.ts";
import { draftOfYaml, yamlOf } from "./manifest-yaml.ts";
import { aTeam } from "../../testing/a-team.ts";

const team = aTeam();
const shop: Draft = { ...emptyDraft("dev"), name: "shop", spec: { workers: { replicas: 2 } } };

describe("form and YAML", () => {
  it("round-trip without loss", () => {
    const text = fc.string({ maxLength: 12 });
    const leaf = fc.oneof(text, fc.integer(), fc.boolean());
    const name = fc.stringMatching(/^[a-zA-Z]{1,8}$/).filter((each) => each !== "teamRef");
    const spec = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf), fc.array(leaf)));
    fc.assert(
      fc.property(text, fc.constantFrom("", "dev"), spec, (clusterName, environment, wanted) => {
        const plain = JSON.parse(JSON.stringify(wanted)) as Record<string, unknown>;
        const draft = { ...emptyDraft(environment), name: clusterName, spec: plain };
        const read = draftOfYaml(yamlOf(draft, team), team, draft);
        expect(read).toEqual({ draft: { ...draft, yaml: expect.any(String) as string } });
      }),
    );
  });

  it("keep comments through a form change", () => {
    const written = `# ours\n${yamlOf(shop, team).replace("replicas: 2", "replicas: 2 # enough for now\n    # the end")}`;
    const read = draftOfYaml(written, team, shop);
    if (!("draft" in read)) throw new Error(read.fault);
    const changed = { ...read.draft, spec: withValueAt(read.draft.spec, "kubernetesVersion", "v1.35.0") };
    const after = yamlOf(changed, team);
    expect(after).toContain("# ours");
    expect(after).toContain("replicas: 2 # enough for now");
    expect(after).toContain("kubernetesVersion: v1.35.0");
  });

  it("keep selected add-ons, which are not part of the manifest", () => {
    const before = { ...shop, addons: ["cnpg"] };
    expect(draftOfYaml(yamlOf(before, team), team, before)).toMatchObject({ draft: { addons: ["cnpg"] } });
  });
});

describe("an invalid manifest", () => {
  const good = yamlOf(shop, team);
  it.each([
    ["invalid YAML", "a: [", /./],
    ["a list", "- 1", /one manifest/],
    ["another kind", good.replace("TenantCluster", "Team"), /kind/],
    ["another version", good.replace("v1alpha1", "v9"), /apiVersion/],
    ["another namespace", good.replace("namespace: payments", "namespace: other"), /namespace/],
    ["another team", good.replace("name: payments", "name: other"), /teamRef/],
    ["a status", `${good}status: {}\n`, /status/],
    ["annotations", good.replace("metadata:", "metadata:\n  annotations: {}"), /kubectl/],
    ["labels that are not strings", good.replace("labels:", "labels:\n    a: 1"), /quotes/],
    ["a spec that is a string", `${good.split("spec:")[0]}spec: hello\n`, /spec/],
    ["exponential aliases", billionLaughs(), /./],
  ])("is rejected: %s", (_name, text, fault) => {
    expect(draftOfYaml(text, team, shop)).toEqual({ fault: expect.stringMatching(fault) as string });
  });
});

function billionLaughs(): string {
  const levels = Array.from({ length: 12 }, (_none, at) =>
    at === 0 ? "a0: &a0 [x, x]" : `a${at}: &a${at} [${Array.from({ length: 10 }, () => `*a${at - 1}`).join(", ")}]`,
  );
  return levels.join("\n");
}
