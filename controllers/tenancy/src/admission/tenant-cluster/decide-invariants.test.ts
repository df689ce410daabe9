import { usageOf } from "@butler/access";
import { labels } from "@butler/api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aCluster,
  aConfig,
  aPolicy,
  aProvider,
  aTeam,
  clusterFacts,
  clusterInput,
  noCapacity,
} from "../testing/objects.ts";
import { decideTenantCluster } from "./decide.ts";
import { isGrowing, quotaRefusals } from "./quota.ts";

describe("an existing cluster", () => {
  it("is never rejected without a change, whatever changed on the platform since", () => {
    const word = fc.constantFrom(undefined, "dev", "qa", "web", "payments", "v1.20.0", "v1.35.2", "talos");
    const spec = fc.record({
      kubernetesVersion: fc.constantFrom(undefined, "v1.20.0", "v1.35.2"),
      teamRef: fc.constantFrom(undefined, { name: "payments" }, { name: "web" }),
      providerConfigRef: fc.constantFrom(undefined, { name: "harvester" }, { name: "x", namespace: "web" }),
      workers: fc.constantFrom({}, { machineTemplate: { os: { type: "talos", imageRef: "a/b" } } }),
      addons: fc.constantFrom({}, { gitops: { provider: "argocd" } }),
    });
    const limits = {
      allowedKubernetesVersions: ["v1.1.0"],
      allowedProviders: ["y"],
      deniedAddons: ["argocd", "traefik"],
    };
    const team = fc.constantFrom(undefined, aTeam(), aTeam({ spec: { resourceLimits: { ...limits, ...noCapacity } } }));
    const mode = fc.constantFrom("Enforced", "Optional", "Disabled");
    const provider = fc.constantFrom(
      undefined,
      aProvider(),
      aProvider({ spec: { provider: "aws", aws: { region: "r" } } }),
    );
    fc.assert(
      fc.property(spec, word, fc.record({ team, provider, mode }), (given, environment, known) => {
        const metadata = { labels: { [labels.environment]: environment } as Record<string, string> };
        const cluster = aCluster({ metadata, spec: given });
        const config = aConfig({ multiTenancy: { mode: known.mode } });
        const facts = clusterFacts({
          ...known,
          config,
          policies: [aPolicy({ spec: { options: { image: { mode: "pin", values: ["z"] } } } })],
        });
        const input = clusterInput({
          cluster,
          before: cluster,
          facts,
          requester: { username: "eve", isTrusted: false },
        });
        expect(decideTenantCluster(input)).toEqual([]);
        expect(isGrowing(input)).toBe(false);
        expect(quotaRefusals(input, [{ usage: usageOf(cluster, undefined) }])).toEqual([]);
      }),
    );
  });
});
