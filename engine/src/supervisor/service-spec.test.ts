import { describe, expect, it } from "vitest";
import { parseServices } from "./service-spec.ts";
import { aServiceSpec } from "./testing/service-spec-builder.ts";

const a = aServiceSpec("a");

describe("parseServices", () => {
  it("accepts a valid list", () => {
    const full = aServiceSpec("full", {
      dependsOn: ["a"],
      readiness: { type: "http", url: "https://127.0.0.1:6443/readyz", caFile: "/ca.crt", status: 200 },
      stopSignal: "SIGINT",
      stopGraceMs: 0,
      restart: { initialMs: 10 },
      logMaxBytes: 1,
      logFiles: 1,
      oomScoreAdj: -999,
      everyMs: 1,
    });
    const probes = [
      { type: "tcp", port: 1 } as const,
      { type: "unix", path: "/s" } as const,
      { type: "exec", command: "/bin/true", args: [] } as const,
      { type: "file", path: "/f" } as const,
    ].map((readiness) => aServiceSpec(`by-${readiness.type}`, { readiness }));
    expect(parseServices([a, full, ...probes])).toEqual([a, full, ...probes]);
    expect(parseServices(JSON.parse(JSON.stringify([a, full])))).toEqual([a, full]);
  });

  it.each<[string, unknown, string]>([
    ["no list", {}, "services must be a list"],
    ["no object", [1], "services[0] must be an object"],
    ["a name twice", [a, { ...a }], "duplicate service name a"],
    ["a bad name", [{ ...a, name: "A b" }], "services[0].name must be a lowercase DNS label"],
    ["a relative command", [{ ...a, command: "sh" }], "services[0].command must be an absolute path"],
    ["a number for an argument", [{ ...a, args: [1] }], "services[0].args must be a list of strings"],
    ["a zero byte", [{ ...a, args: ["\0"] }], "services[0].args must be a list of strings"],
    [
      "a missing field",
      [{ ...a, environment: undefined }],
      "services[0].environment must be an object with string values",
    ],
    ["an unknown field", [{ ...a, image: "x" }], "services[0] has an unknown field image"],
    [
      "an unknown probe",
      [{ ...a, readiness: { type: "icmp" } }],
      "services[0].readiness.type must be one of http, tcp",
    ],
    ["a bad port", [{ ...a, readiness: { type: "tcp", port: 0 } }], "port must be an integer from 1 to 65535"],
    ["a bad URL", [{ ...a, readiness: { type: "http", url: "ftp://x" } }], "url must be an http or https URL"],
    ["an unknown signal", [{ ...a, stopSignal: "SIGNOT" }], "services[0].stopSignal must be a signal's name"],
    ["a negative time", [{ ...a, stopGraceMs: -1 }], "services[0].stopGraceMs must be an integer of at least 0"],
    ["an unknown dependency", [{ ...a, dependsOn: ["b"] }], "a depends on b, which is not a service"],
    ["no time between two runs", [{ ...a, everyMs: 0 }], "services[0].everyMs must be an integer of at least 1"],
    [
      "a dependency on a chore",
      [
        { ...a, dependsOn: ["b"] },
        { ...a, name: "b", everyMs: 1 },
      ],
      "a depends on b, which is not a service",
    ],
    [
      "a circle",
      [
        a,
        aServiceSpec("b", { dependsOn: ["d", "a"] }),
        ...["c", "d"].map((name, at) => aServiceSpec(name, { dependsOn: ["bc"[at] ?? ""] })),
      ],
      "services have a dependency cycle: b -> d -> c -> b",
    ],
  ])("refuses %s", (_case, value, message) => {
    expect(() => parseServices(value)).toThrow(message);
  });
});
