import { describe, expect, it } from "vitest";
import { addonChoices, ingressChoice, withIngress } from "./addon-choices.ts";
import { butlerctlCommand, type CommandFacts, kubectlCommand, quoted } from "./commands.ts";
import { type Draft, emptyDraft } from "./draft.ts";
import { requestOf } from "./request.ts";
import { aTeam } from "../../testing/a-team.ts";

const facts = (draft: Draft, manifest = "kind: TenantCluster\n"): CommandFacts => ({
  draft,
  team: "payments",
  namespace: "payments",
  manifest,
  addonManifests: [],
});
const shop: Draft = { ...emptyDraft("dev"), name: "shop" };

describe("butlerctlCommand", () => {
  it("uses flags if they suffice", () => {
    const spec = {
      kubernetesVersion: "v1.35.0",
      providerConfigRef: { name: "dc", namespace: "butler-system" },
      workers: { replicas: 2, machineTemplate: { memory: "8Gi", os: { type: "talos" } } },
    };
    expect(butlerctlCommand(facts({ ...shop, spec, addons: ["cnpg"] }))).toBe(
      "butlerctl cluster create shop --team payments --environment dev --provider butler-system/dc " +
        "--kubernetes-version v1.35.0 --workers 2 --memory 8Gi --os talos\n" +
        "butlerctl addon enable shop cnpg -n payments",
    );
  });

  it("uses the manifest otherwise", () => {
    const spec = { workerPools: [{ name: "gpu", replicas: 1 }] };
    expect(butlerctlCommand(facts({ ...shop, spec }))).toBe(
      "butlerctl cluster create -f - <<'EOF'\nkind: TenantCluster\nEOF",
    );
  });
});

it("picks a here-document delimiter that is not in the manifest", () => {
  expect(kubectlCommand(facts(shop, "a: |\n  x\nEOF\nrm -rf ~\n"))).toMatch(/<<'EOF_'\n[^]*\nEOF_$/);
});

it.each([
  ["plain", "plain"],
  ["a b", "'a b'"],
  ["$(rm)", "'$(rm)'"],
  ["it's", String.raw`'it'\''s'`],
  ["", "''"],
])("quotes %j for a shell", (word, expected) => expect(quoted(word)).toBe(expected));

it("sends only the selected fields", () => {
  expect(requestOf({ ...emptyDraft(), name: "shop" }, aTeam())).toEqual({ name: "shop", teamRef: "payments" });
  expect(requestOf({ ...shop, spec: { workers: { replicas: 2 } } }, aTeam())).toEqual({
    name: "shop",
    teamRef: "payments",
    environment: "dev",
    spec: { workers: { replicas: 2 } },
  });
});

describe("addonChoices", () => {
  const entry = (name: string, parts: object = {}) => ({
    name,
    displayName: "",
    description: `about ${name}`,
    platform: false,
    conflictsWith: [],
    dependsOn: [],
    ...parts,
  });
  const entries = [
    entry("given"),
    entry("denied"),
    entry("rival", { conflictsWith: ["given"] }),
    entry("free", { dependsOn: ["base"] }),
    entry("own", { platform: true }),
  ];
  const team = aTeam({
    clusterDefaults: { defaultAddons: ["given"] },
    resourceLimits: { defaultNodeCount: 3, deniedAddons: ["denied"] },
  });

  it("marks default, denied and conflicting add-ons", () => {
    const choices = addonChoices(entries, { team, environment: "", chosen: ["free"] });
    expect(choices.map(({ name, words, isChosen, isFixed }) => [name, words, isChosen, isFixed])).toEqual([
      ["denied", "Not allowed for this team.", false, true],
      ["free", "about free Requires base.", true, false],
      ["given", "Enabled by team payments.", true, true],
      ["rival", "Conflicts with given.", false, true],
    ]);
  });
});

describe("the choice of ingress", () => {
  it.each(["", "none", "traefik"])("round-trips %j, and keeps custom values", (choice) => {
    const written = { addons: { ingress: { provider: "nginx", enabled: true, values: { a: 1 } } } };
    const spec = withIngress(written, choice);
    expect(ingressChoice(spec)).toBe(choice);
    expect(spec).toMatchObject({ addons: { ingress: { values: { a: 1 } } } });
  });

  it("leaves no empty parts for the default", () => {
    expect(withIngress(withIngress({}, "none"), "")).toEqual({});
  });
});
