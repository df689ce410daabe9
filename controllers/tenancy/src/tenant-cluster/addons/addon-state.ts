import type { TenantAddon } from "@butler/api";
import { type Blocker, type Condition, findCondition, isConditionTrue } from "@butler/resource";
import type { Member } from "./member.ts";

/** The state of an add-on of a cluster, and why it is not ready. The message contains the name of the add-on. */
export interface AddonState extends Blocker {
  readonly state: "ready" | "progressing" | "failed";
}

/** The state of an add-on, from its TenantAddon or from what keeps it from being created. */
export function stateOf({ wanted, found, blocker }: Member): AddonState {
  if (blocker !== undefined) return { state: "failed", ...blocker };
  if (found === undefined) return progressing(`${wanted.name} is waiting to be installed`);
  if (found.status === undefined) return progressing(`${wanted.name} is Pending`);
  const { observedGeneration = 0 } = found.status;
  return observedGeneration < (found.metadata.generation ?? 0)
    ? progressing(`${wanted.name} has a change that is not reconciled yet`)
    : stateOfFound(wanted, found);
}

function stateOfFound({ name, slot }: Member["wanted"], { status = {}, spec }: TenantAddon): AddonState {
  const { phase = "Pending", conditions } = status;
  const message = `${name} is ${phase}${because(status.message, findCondition(conditions, "Ready"))}`;
  if (isConditionTrue(conditions, "Ready")) return { state: "ready", reason: "AddonsInstalled", message };
  if (phase === "Failed") {
    return { state: "failed", reason: slot === "cni" ? "CNIInstallFailed" : "AddonInstallFailed", message };
  }
  if (phase === "Degraded") return { state: "failed", reason: "AddonDegraded", message };
  if (spec.paused === true) return { state: "failed", reason: "AddonPaused", message: `${message}; paused` };
  return progressing(message);
}

function because(message: string | undefined, said: Condition | undefined): string {
  const text = message || said?.message;
  return text === undefined || text === "" ? "" : `: ${text}`;
}

function progressing(message: string): AddonState {
  return { state: "progressing", reason: "AddonsInstalling", message };
}
