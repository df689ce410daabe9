import {
  buildCrd,
  builtinKinds,
  type Condition,
  type DynamicObject,
  isConditionTrue,
  type KubeObject,
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
export function installCrds(
  client: KubeClient,
  resources: readonly Resource[],
  options: InstallCrdsOptions = {},
): Promise<void> {
  return applyCrds(client, resources.map(buildCrd), options);
}

/** The same for CRDs of other projects. */
export async function applyCrds(
  client: KubeClient,
  definitions: readonly KubeObject[],
  options: InstallCrdsOptions = {},
): Promise<void> {
  const { fieldManager = "butler-install", clock = systemClock, timeoutMs = 60_000, signal } = options;
  const kind = builtinKinds.CustomResourceDefinition;
  for (const definition of definitions) await client.apply(kind, definition, { fieldManager, signal });
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (const {
    metadata: { name },
  } of definitions) {
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
