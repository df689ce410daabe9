import { describe, expect, it } from "vitest";
import { type DataStoreFacts, validateDataStore } from "./admission.ts";
import { aDataStore, aDedicatedDataStore } from "./testing/objects.ts";

const nothing: DataStoreFacts = { usedBy: [], brokenReferences: [] };
const broken: DataStoreFacts = {
  usedBy: [],
  brokenReferences: [{ path: "spec.tlsConfig", message: "Secret a/b does not exist" }],
};

describe("a DataStore", () => {
  it("that is valid is allowed", () => {
    expect(validateDataStore(aDataStore(), undefined, nothing)).toEqual([]);
    expect(validateDataStore(aDedicatedDataStore(), undefined, nothing)).toEqual([]);
  });

  it.each(["MySQL", "PostgreSQL", "NATS"])("of driver %s is rejected as not supported yet", (driver) => {
    const denials = validateDataStore(aDataStore({ spec: { driver } }), undefined, nothing);
    expect(denials).toEqual([
      { path: "spec.driver", message: `${driver} is not supported yet; use etcd`, code: "NOT_SUPPORTED" },
    ]);
  });

  it("cannot change its driver", () => {
    const [denial] = validateDataStore(aDataStore({ spec: { driver: "NATS" } }), aDataStore(), nothing);
    expect(denial).toMatchObject({ path: "spec.driver", message: "is immutable; the current value is etcd" });
  });

  it("requires its Secrets", () => {
    expect(validateDataStore(aDataStore(), undefined, broken)).toEqual([
      { path: "spec.tlsConfig", message: "Secret a/b does not exist", code: "NOT_FOUND" },
    ]);
    const moved = aDataStore({ spec: { endpoints: ["elsewhere:2379"] } });
    expect(validateDataStore(moved, aDataStore(), broken)).toHaveLength(1);
  });

  it("can be labelled, paused and deleted although it is invalid", () => {
    const [before, after] = [{}, { annotations: { "steward.butlerlabs.dev/paused": "" } }].map((metadata) =>
      aDataStore({ metadata, spec: { driver: "NATS" } }),
    );
    expect(validateDataStore(after, before, broken)).toEqual([]);
  });

  it("cannot be deleted while control planes use it", () => {
    const usedBy = Array.from({ length: 7 }, (_, at) => `team/plane-${at}`);
    const [denial] = validateDataStore(undefined, aDataStore(), { ...nothing, usedBy });
    expect(denial?.code).toBe("IN_USE");
    expect(denial?.message).toMatch(/^7 control plane\(s\).*team\/plane-4 and others; delete them first$/);
    expect(validateDataStore(undefined, aDataStore(), nothing)).toEqual([]);
  });
});
