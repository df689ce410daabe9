import { describe, expect, it } from "vitest";
import { added, excessiveWrites, managementWrites, ownWrites } from "./write-counts.ts";

const request = (labels: Record<string, string>, value: number): string => {
  const all = { code: "200", dry_run: "", subresource: "", ...labels };
  const text = Object.entries(all).map(([name, content]) => `${name}="${content}"`);
  return `apiserver_request_total{${text.join(",")}} ${value}`;
};

describe("writes counted by the API server", () => {
  it.each([
    ["a Secret", { resource: "secrets", verb: "POST", code: "201" }, { "secrets POST 201": 3 }],
    [
      "a status",
      { resource: "tenantcontrolplanes", subresource: "status", verb: "APPLY" },
      { "tenantcontrolplanes/status APPLY 200": 3 },
    ],
    ["a Deployment", { resource: "deployments", verb: "APPLY" }, { "deployments APPLY 200": 3 }],
    ["a refused write", { resource: "services", verb: "APPLY", code: "409" }, { "services APPLY 409": 3 }],
    ["the user's own creation", { resource: "tenantcontrolplanes", verb: "POST" }, {}],
    ["the status that Kubernetes writes", { resource: "deployments", subresource: "status", verb: "PUT" }, {}],
    ["a read", { resource: "secrets", verb: "LIST" }, {}],
    ["a rehearsal", { resource: "secrets", verb: "POST", dry_run: "All" }, {}],
    ["another component's kind", { resource: "leases", verb: "PUT" }, {}],
  ])("%s", (_what, labels, expected) => {
    expect(managementWrites(`# TYPE apiserver_request_total counter\n${request(labels, 3)}\n`)).toEqual(expected);
  });

  it("are summed over other labels", () => {
    const [first, second] = ["v1", "v2"].map((version) => request({ resource: "secrets", verb: "POST", version }, 2));
    expect(managementWrites(`${first}\n${second}`)).toEqual({ "secrets POST 200": 4 });
  });
});

it("counts a process's own writes and not its reads", () => {
  const own = (method: string, value: number): string =>
    `butler_api_requests_total{method="${method}",code="200"} ${value}`;
  expect(ownWrites(["GET", "POST", "PATCH", "PUT", "DELETE"].map((method) => own(method, 2)).join("\n"))).toBe(8);
});

it("computes the difference of two counts", () => {
  expect(added({ a: 1, b: 2 }, { a: 1, b: 5, c: 1 })).toEqual({ b: 3, c: 1 });
});

describe("excess writes", () => {
  const objects = { secrets: 2, tenantcontrolplanes: 1 };

  it.each([
    ["nothing when each object is written once", { "secrets POST 201": 2, "tenantcontrolplanes PATCH 200": 1 }, 0],
    ["nothing when a status is written four times", { "tenantcontrolplanes/status APPLY 200": 4 }, 0],
    ["an object that is written twice", { "secrets POST 201": 2, "secrets PATCH 200": 1 }, 1],
    ["a status that is written five times", { "tenantcontrolplanes/status APPLY 200": 5 }, 1],
    ["an attempt that was refused", { "secrets POST 201": 2, "secrets POST 409": 1 }, 1],
    ["an object that is not there afterwards", { "configmaps APPLY 201": 1 }, 1],
  ])("%s", (_what, writes, count) => {
    expect(excessiveWrites(writes, objects)).toHaveLength(count);
  });
});
