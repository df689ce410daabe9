import { TenantCluster } from "@butler/api";
import { type AdmissionRequest, judgeAdmission, type KubeClient } from "@butler/kube";
import type { DynamicObject, Resource } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { platformAdmission, platformAdmissionPermissions } from "./platform-admission.ts";

const away = () => Promise.reject(new Unavailable("the API server is away"));
const client = { find: away, list: away, create: away, replace: away } as unknown as KubeClient;
const handlers = platformAdmission({ client });
/** Kinds whose examples can be validated on create without other objects. */
const standingAlone = ["NetworkPool", "ProviderConfig"];

function request(handler: (typeof handlers)[number], operation: "CREATE" | "DELETE"): AdmissionRequest {
  const object = (handler.kind as Resource).example as unknown as DynamicObject;
  return {
    uid: "1",
    kind: handler.kind,
    subResource: undefined,
    name: "shop",
    namespace: "payments",
    operation,
    userInfo: { username: "ada@example.com", uid: "", groups: [] },
    object: operation === "DELETE" ? undefined : object,
    oldObject: operation === "CREATE" ? undefined : object,
    dryRun: false,
  };
}

describe("the handlers", () => {
  it("have unique paths, and only one mutates", () => {
    const paths = handlers.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => path.startsWith("/mutate"))).toEqual([
      "/mutate-butler-butlerlabs-dev-v1alpha1-tenantcluster",
    ]);
    for (const handler of handlers) expect(Object.hasOwn(handler, "mutate")).toBe(handler.path.startsWith("/mutate"));
  });

  it.each(
    handlers
      .filter(({ kind }) => !standingAlone.includes(kind.kind))
      .map((handler) => [handler.path, handler] as const),
  )("%s rejects what it cannot validate", async (_path, handler) => {
    await expect(judgeAdmission(handler, request(handler, "CREATE"), AbortSignal.timeout(5_000))).rejects.toThrow(
      "away",
    );
  });

  it.each(["addondefinition", "managementaddon", "networkpool", "providerconfig", "team"])(
    "reject the deletion of every %s while its users cannot be read",
    async (kind) => {
      const handler = handlers.find(({ path }) => path.endsWith(`-${kind}`));
      if (handler === undefined) throw new Error(`no handler for ${kind}`);
      await expect(judgeAdmission(handler, request(handler, "DELETE"), AbortSignal.timeout(5_000))).rejects.toThrow(
        "away",
      );
    },
  );

  it("allow a deletion although the ledger cannot be read", async () => {
    const handler = handlers.find(({ path }) => path === "/validate-butler-butlerlabs-dev-v1alpha1-tenantcluster");
    if (handler === undefined) throw new Error("no handler for clusters");
    const userInfo = { username: "system:serviceaccount:kube-system:namespace-controller", uid: "", groups: [] };
    const deletion = { ...request(handler, "DELETE"), userInfo };
    const verdict = await judgeAdmission(handler, deletion, AbortSignal.timeout(5_000));
    expect(verdict.allowed).toBe(true);
  });

  it.each(
    handlers.filter(({ path }) => path.startsWith("/validate")).map((handler) => [handler.path, handler] as const),
  )("%s rejects users whose account cannot be read", async (_path, handler) => {
    const judged = judgeAdmission(handler, request(handler, "DELETE"), AbortSignal.timeout(5_000));
    await expect(judged).rejects.toThrow("away");
  });

  it("validate the requester for every kind that users write", () => {
    const kinds = handlers.map(({ kind }) => kind.kind);
    expect(kinds).toEqual(expect.arrayContaining(["ButlerConfig", "IdentityProvider", "User", "Team", "Workspace"]));
  });

  it("need no more permissions than they use", () => {
    const verbs = platformAdmissionPermissions.flatMap((rule) => rule.verbs);
    expect(new Set(verbs)).toEqual(new Set(["get", "list", "create", "update"]));
    const resources = platformAdmissionPermissions.flatMap((rule) => rule.resources);
    expect(resources).not.toContain("secrets");
    expect(resources).toContain(TenantCluster.plural);
  });
});
