import { labels } from "@butler/api";
import { describe, expect, it } from "vitest";
import { someAddon, someCluster } from "../testing/index.ts";
import { isOfBaseline } from "./is-of-baseline.ts";

const context = { cluster: someCluster(), providerType: "harvester" } as const;
const of = (...addon: Parameters<typeof someAddon>): boolean => isOfBaseline(someAddon(...addon), context);

describe("an add-on of the baseline", () => {
  it("is one of the slots of its cluster", () => {
    expect([of("cilium"), of("argocd")]).toEqual([true, false]);
  });

  it("hole 5: is not one by its label, or by the name of a chart", () => {
    expect(of("argocd", { metadata: { labels: { [labels.baseline]: "true" } } })).toBe(false);
    const helm = { repository: "oci://example.com", chart: "cilium", createNamespace: true };
    expect(of("cilium", { spec: { helm } })).toBe(false);
  });
});
