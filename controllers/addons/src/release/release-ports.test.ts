import { describe, expect, it } from "vitest";
import { shareOf } from "./release-ports.ts";

const cluster = {
  kind: "tenant",
  cluster: { name: "shop", namespace: "payments" },
  team: "blue",
  kubeconfig: { name: "k", namespace: "payments" },
} as const;
const ofTeam = { team: "blue", group: "payments/shop" };

describe("the share of a job", () => {
  it.each<[string, Parameters<typeof shareOf>[0], ReturnType<typeof shareOf>]>([
    ["an add-on", { cluster, action: "upgrade", isBaseline: false }, { ...ofTeam, isReserved: false }],
    ["a baseline add-on", { cluster, action: "upgrade", isBaseline: true }, { ...ofTeam, isReserved: true }],
    [
      "the uninstall of an add-on",
      { cluster, action: "uninstall", isBaseline: false },
      { ...ofTeam, isReserved: true },
    ],
    [
      "an add-on of the management cluster",
      { cluster: { kind: "management" }, action: "install", isBaseline: true },
      { team: "", group: "", isReserved: true },
    ],
  ])("hole 5: of %s", (_what, effect, share) => expect(shareOf(effect)).toEqual(share));
});
