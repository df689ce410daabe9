import type { Kind } from "@butler/resource";
import { NotFound, Unavailable } from "@butler/std";
import { FakeClock } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { clusterNetworks, type ClusterNetworksOptions } from "./cluster-networks.ts";

const nodes = [
  { metadata: { name: "a" }, spec: { podCIDR: "10.244.0.0/24", podCIDRs: ["10.244.0.0/24", "fd00:10:244::/64"] } },
  { metadata: { name: "without" }, spec: {} },
];

function aClient(answers: { readonly node: () => readonly object[]; readonly service?: () => readonly object[] }) {
  const { node, service = () => [{ spec: { cidrs: ["10.96.0.0/16"] } }] } = answers;
  const list = async (kind: Kind) => ({ items: kind.kind === "Node" ? node() : service() });
  return { list } as unknown as ClusterNetworksOptions["client"];
}

describe("the networks of a cluster", () => {
  it("are those of its nodes' pods, of its Services, and those that are set", async () => {
    const read = clusterNetworks({ client: aClient({ node: () => nodes }), known: ["10.50.0.0/16"] });
    expect(await read()).toEqual(["10.50.0.0/16", "10.244.0.0/24", "fd00:10:244::/64", "10.96.0.0/16"]);
  });

  it("are read without ServiceCIDRs where they are not served, and again after a minute", async () => {
    const clock = new FakeClock();
    let reads = 0;
    const client = aClient({
      node: () => {
        reads++;
        return nodes.slice(0, 1);
      },
      service: () => {
        throw new NotFound("not served");
      },
    });
    const read = clusterNetworks({ client, clock });
    expect(await read()).toEqual(["10.244.0.0/24", "fd00:10:244::/64"]);
    await read();
    expect(reads).toBe(1);
    clock.advance(60_000);
    await read();
    expect(reads).toBe(2);
  });

  it("are the last known ones while the API does not respond, and never empty for that reason", async () => {
    const clock = new FakeClock();
    let isDown = true;
    const client = aClient({
      node: () => {
        if (isDown) throw new Unavailable("down");
        return nodes.slice(0, 1);
      },
    });
    const read = clusterNetworks({ client, clock });
    await expect(read()).rejects.toThrow("down");
    isDown = false;
    expect(await read()).toContain("10.244.0.0/24");
    isDown = true;
    clock.advance(60_000);
    expect(await read()).toContain("10.244.0.0/24");
  });
});
