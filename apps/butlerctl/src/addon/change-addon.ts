import { TenantAddon } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { keyOf } from "@butler/resource";
import { Conflict } from "@butler/std";
import { explainRefusal } from "@butler/changes";
import { addonTitle } from "./find-addon.ts";

type Spec = TenantAddon["spec"];

/** Changes to fields of the spec: a new value, or undefined to remove the field. */
export type SpecChange = { readonly [F in keyof Spec]?: Spec[F] | undefined };

/** Changes fields of an add-on's spec atomically, unless another client changed the spec in the meantime. */
export async function changeAddon(
  { client, signal }: Session,
  addon: TenantAddon,
  change: SpecChange,
): Promise<TenantAddon> {
  const patch = [
    { op: "test", path: "/metadata/generation", value: addon.metadata.generation },
    ...Object.entries(change).flatMap(([field, value]) => operation(addon, field, value)),
  ];
  try {
    return await client.patch(TenantAddon, keyOf(addon), { type: "json", patch, fieldManager: "butlerctl", signal });
  } catch (error) {
    if (error instanceof Conflict) {
      throw new Conflict(`${addonTitle(addon)} was modified by another client; nothing was changed`, {
        hint: "Check the add-on's current state, then run the command again.",
      });
    }
    throw explainRefusal(`changing ${addonTitle(addon)}`, error);
  }
}

function operation(addon: TenantAddon, field: string, value: unknown): readonly object[] {
  const path = `/spec/${field}`;
  if (value !== undefined) return [{ op: "add", path, value }];
  return Object.hasOwn(addon.spec, field) ? [{ op: "remove", path }] : [];
}
