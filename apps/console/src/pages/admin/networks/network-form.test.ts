import { describe, expect, it } from "vitest";
import { networkChange, networkFaults, networkForm, newNetworkBody } from "./network-form.ts";

const form = { ...networkForm(), name: "datacenter", cidr: "10.40.0.0/16" };

describe("the network form", () => {
  it.each([
    [{}, {}],
    [{ name: "Data Center" }, { name: expect.any(String) }],
    [{ cidr: "10.40.0.0" }, { cidr: expect.any(String) }],
    [
      { reserved: "10.40.0.0/24 gateways\n\n10.41.0.0/24" },
      { reserved: "10.41.0.0/24 is not a subnet of 10.40.0.0/16." },
    ],
    [{ start: "10.40.1.0" }, { end: expect.any(String) }],
    [{ start: "10.40.1.0", end: "10.41.0.0" }, { end: expect.any(String) }],
    [{ nodesPerTenant: "0" }, { nodesPerTenant: expect.any(String) }],
  ])("validates %j", (change, faults) => {
    expect(networkFaults({ ...form, ...change })).toEqual(faults);
  });

  it("omits empty fields from the request", () => {
    expect(newNetworkBody(form)).toEqual({ name: "datacenter", cidr: "10.40.0.0/16" });
    const full = {
      ...form,
      reserved: "10.40.0.0/24 gateways and switches",
      start: "10.40.1.0",
      end: "10.40.2.0",
      nodesPerTenant: "3",
    };
    expect(newNetworkBody(full)).toEqual({
      name: "datacenter",
      cidr: "10.40.0.0/16",
      reserved: [{ cidr: "10.40.0.0/24", description: "gateways and switches" }],
      tenantAllocation: { start: "10.40.1.0", end: "10.40.2.0", defaults: { nodesPerTenant: 3 } },
    });
  });

  it("keeps settings without a field when updating a pool", () => {
    const spec = {
      cidr: "10.40.0.0/16",
      quarantine: "5m",
      reserved: [{ cidr: "10.40.0.0/24", description: "switches" }],
      tenantAllocation: {
        ranges: [{ start: "10.40.1.0", end: "10.40.1.9" }],
        defaults: { nodesPerTenant: 9, lbPoolPerTenant: 4 },
      },
    };
    const pool = { metadata: { name: "datacenter", resourceVersion: "7" }, spec };
    expect(networkChange(networkForm("datacenter", spec), pool)).toEqual({
      reserved: spec.reserved,
      tenantAllocation: spec.tenantAllocation,
      resourceVersion: "7",
    });
  });
});
