import {
  buildCrd,
  builtinKinds,
  type Condition,
  type DynamicObject,
  isConditionTrue,
  type Resource,
} from "@butler/resource";
import { type Clock, sleep, systemClock, Timeout } from "@butler/std";
import type { KubeClient } from "./client.ts";

export interface InstallCrdsOptions {
  readonly fieldManager?: string;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Applies the CRDs of kinds and waits until the API server serves them all. */
export async function installCrds(
  client: KubeClient,
  resources: readonly Resource[],
  options: InstallCrdsOptions = {},
): Promise<void> {
  const { fieldManager = "butler-install", clock = systemClock, timeoutMs = 60_000, signal } = options;
  const kind = builtinKinds.CustomResourceDefinition;
  for (const resource of resources) await client.apply(kind, buildCrd(resource), { fieldManager, signal });
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (const { plural, group } of resources) {
    const name = `${plural}.${group}`;
    while (!isEstablished(await client.get(kind, { name }, signal))) {
      if (clock.monotonicMs() > deadlineMs) throw new Timeout(`the API server does not serve ${name} yet`);
      await sleep(clock, 50, signal);
    }
  }
}

function isEstablished(crd: DynamicObject): boolean {
  const { conditions } = (crd["status"] ?? {}) as { conditions?: readonly Condition[] };
  return isConditionTrue(conditions, "Established");
}
