import { describe, expect, it } from "vitest";
import { providedDataStore } from "./data-store-flags.ts";

const namespace = "butler-system";
const minimal = { "provide-data-store": namespace };

describe("providedDataStore", () => {
  it("is undefined without a namespace, whatever other flags are set", () => {
    expect(providedDataStore({}, "default")).toBeUndefined();
    expect(providedDataStore({ "data-store-members": "7" }, "default")).toBeUndefined();
  });

  it.each([
    [{}, {}],
    [{ "data-store-members": "1" }, { members: 1 }],
    [{ "data-store-members": "3" }, { members: 3 }],
    [{ "data-store-size": "2Gi" }, { storage: { size: "2Gi" } }],
    [{ "data-store-storage-class": "ssd" }, { storage: { size: "10Gi", storageClassName: "ssd" } }],
    [
      { "data-store-size": "2Gi", "data-store-storage-class": "ssd" },
      { storage: { size: "2Gi", storageClassName: "ssd" } },
    ],
    [{ "data-store-image": "registry.example/etcd:3" }, { image: "registry.example/etcd:3" }],
    [
      { "data-store-resources": '{"requests":{"cpu":1,"memory":"1Gi"},"limits":{"memory":"2Gi"}}' },
      { resources: { requests: { cpu: 1, memory: "1Gi" }, limits: { memory: "2Gi" } } },
    ],
  ])("parses %j", (flags, settings) => {
    expect(providedDataStore({ ...minimal, ...flags }, "default")).toEqual({ namespace, name: "default", ...settings });
  });

  it.each([
    ["provide-data-store", ""],
    ["provide-data-store", "a/b"],
    ["data-store-members", "2"],
    ["data-store-members", ""],
    ["data-store-size", "large"],
    ["data-store-size", "0"],
    ["data-store-size", ""],
    ["data-store-resources", "much"],
    ["data-store-resources", "[]"],
    ["data-store-resources", '{"request":{}}'],
    ["data-store-resources", '{"requests":{"cpu":{}}}'],
    ["data-store-resources", '{"requests":"1"}'],
  ])("rejects --%s=%j and names the flag", (flag, text) => {
    expect(() => providedDataStore({ ...minimal, [flag]: text }, "default")).toThrow(
      expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(`--${flag} `) }),
    );
  });

  it("rejects a name that is too long for pods", () => {
    expect(providedDataStore(minimal, "a".repeat(40))?.name).toHaveLength(40);
    expect(() => providedDataStore(minimal, "a".repeat(41))).toThrow("--default-data-store");
  });
});
