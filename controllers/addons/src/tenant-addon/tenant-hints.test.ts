import type { TenantAddon } from "@butler/api";
import type { Kind, KubeObject, ObjectKey } from "@butler/resource";
import type { Following, FollowOptions, TenantListener } from "@butler/tenant-clients";
import { anObject } from "@butler/testkit";
import { builtinKinds } from "@butler/resource";
import { beforeEach, describe, expect, it } from "vitest";
import { TenantHints } from "./tenant-hints.ts";

const cluster = { name: "shop", namespace: "payments" };
const kubeconfig = { name: "shop-kubeconfig", namespace: "payments" };
const access = { kind: "tenant", cluster, team: "shop", kubeconfig } as const;

let objects: Map<string, KubeObject[]>;
let tell: Map<string, () => void>;
let stopped: string[];
let listener: TenantListener;
let hinted: string[];
let hints: TenantHints;

beforeEach(() => {
  [objects, tell, stopped, hinted] = [new Map(), new Map(), [], []];
  const follow = (_key: ObjectKey, { kind, onChange }: FollowOptions<Kind>): Following<Kind> => {
    tell.set(kind.kind, onChange);
    const list = (): KubeObject[] => objects.get(kind.kind) ?? [];
    return { list, stop: () => Promise.resolve(void stopped.push(kind.kind)) } as unknown as Following<Kind>;
  };
  hints = new TenantHints({
    tenants: {
      follow: follow as never,
      subscribe: (given) => {
        listener = given;
        return () => undefined;
      },
    },
    addonsOf: () => ["web", "blog"].map(anAddon),
    onHint: ({ name }) => hinted.push(name),
  });
});

function anAddon(name: string): TenantAddon {
  return {
    metadata: { name, namespace: "payments" },
    status: { helmRelease: { name, namespace: "apps" } },
  } as TenantAddon;
}

function aDeployment(release: string, version: number): KubeObject {
  const annotations = { "meta.helm.sh/release-name": release, "meta.helm.sh/release-namespace": "apps" };
  return anObject(builtinKinds.Deployment, { name: release, version, annotations });
}

describe("TenantHints", () => {
  it("wakes only the add-on whose workload has changed", () => {
    hints.attend(access);
    objects.set("Deployment", [aDeployment("web", 1), aDeployment("blog", 1)]);
    tell.get("Deployment")?.();
    expect(hinted.splice(0)).toEqual(["web", "blog"]);
    objects.set("Deployment", [aDeployment("web", 2), aDeployment("blog", 1)]);
    tell.get("Deployment")?.();
    expect(hinted.splice(0)).toEqual(["web"]);
    tell.get("Deployment")?.();
    expect(hinted).toEqual([]);
    objects.set("Deployment", [aDeployment("web", 2)]);
    tell.get("Deployment")?.();
    expect(hinted).toEqual(["blog"]);
  });

  it("watches a cluster once, and stops when it is released", () => {
    hints.attend(access);
    hints.attend(access);
    expect([hints.size, stopped]).toEqual([1, []]);
    hints.release("payments/shop");
    expect([hints.size, stopped.length]).toEqual([0, 3]);
  });

  it("restarts with another kubeconfig", () => {
    hints.attend(access);
    hints.attend({ ...access, kubeconfig: { ...kubeconfig, name: "other" } });
    expect([hints.size, stopped.length]).toEqual([1, 3]);
  });

  it("wakes all add-ons when the tenant is reachable again, and releases a deleted one", () => {
    hints.attend(access);
    listener({ type: "reachable", key: kubeconfig });
    expect(hinted.splice(0)).toEqual(["web", "blog"]);
    listener({ type: "unreachable", key: kubeconfig, cause: undefined } as never);
    expect(hinted).toEqual([]);
    listener({ type: "gone", key: kubeconfig });
    expect(hints.size).toBe(0);
  });
});
