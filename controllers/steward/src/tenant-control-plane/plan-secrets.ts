import type { Blocker } from "@butler/resource";
import type { SecretOrder } from "./effects.ts";
import type { Observed, SeenSecret } from "./observed.ts";
import { ownEtcdPlace } from "./own-etcd.ts";
import { earliest, judgeSecret, type SecretVerdict } from "./secrets/judge-secret.ts";
import {
  type ApiServerReach,
  type SecretBlueprint,
  secretBlueprints,
  type SecretContent,
  type Signer,
} from "./secrets/secret-blueprint.ts";
import { pairIn } from "./secrets/secret-data.ts";
import type { SecretId } from "./secrets/secret-names.ts";

/** The plan for the Secrets of a control plane. */
export interface SecretsPlan {
  /** Secrets to create, in dependency order. */
  readonly orders: readonly SecretOrder[];
  /** Existing valid Secrets, each with its verdict. */
  readonly verdicts: Readonly<Partial<Record<SecretId, SecretVerdict>>>;
  /** When the first of them has to be renewed. */
  readonly renewAt: Date | undefined;
  /** Why one cannot be created now. */
  readonly blocker: Blocker | undefined;
}

/** Decides which Secrets to create, and why. */
export function planSecrets(observed: Observed, reach: ApiServerReach | undefined, now: Date): SecretsPlan {
  const { tcp, secrets, store, identity } = observed;
  const dedicated = store.found?.dedicated;
  const ownEtcd = dedicated && ownEtcdPlace(tcp, dedicated);
  const blueprints = secretBlueprints({
    tcp,
    reach,
    store: store.found === undefined ? undefined : { dataStore: store.name, user: identity.user, ownEtcd },
  });
  const orders: SecretOrder[] = [];
  const verdicts: Partial<Record<SecretId, SecretVerdict>> = {};
  let blocker: Blocker | undefined;
  const isOrdered = (id: SecretId | undefined): boolean => orders.some(({ blueprint }) => blueprint.id === id);
  for (const blueprint of blueprints) {
    const seen = secrets[blueprint.id];
    if (seen?.ownership === "other") blocker ??= secretIsTaken(blueprint);
    else if (seen === undefined) orders.push({ blueprint });
    // A certificate whose signer is being created can only be judged once the signer exists.
    else if (!isOrdered(signerOf(blueprint.content)?.id)) {
      const verdict = judgeSeen(observed, blueprint, { seen, now });
      if (verdict.fault === undefined) verdicts[blueprint.id] = verdict;
      else orders.push(orderFor(blueprint, seen, now));
    }
  }
  const renewAt = earliest(Object.values(verdicts).map((verdict) => verdict.renewAt));
  return { orders, verdicts, renewAt, blocker };
}

function judgeSeen(
  observed: Observed,
  { content, labels = {} }: SecretBlueprint,
  { seen, now }: { seen: SeenSecret; now: Date },
): SecretVerdict {
  if (seen.isRotationWanted) return { fault: "rotation was requested" };
  if (seen.ownership === "none") return { fault: "the owner reference is missing" };
  if (Object.entries(labels).some(([label, value]) => seen.labels[label] !== value)) {
    return { fault: "a required label is missing" };
  }
  if (content.kind === "storeClient" && seen.dataStore !== content.dataStore)
    return { fault: "the certificate was issued for another DataStore" };
  return judgeSecret(content, seen.data, { authority: authorityOf(observed, content), now });
}

function orderFor(blueprint: SecretBlueprint, seen: SeenSecret, now: Date): SecretOrder {
  return {
    blueprint,
    seen: { resourceVersion: seen.resourceVersion },
    rotatedAt: seen.isRotationWanted ? now.toISOString().replace(/\.\d+Z$/, "Z") : undefined,
  };
}

function signerOf(content: SecretContent): Signer | undefined {
  return "signer" in content ? content.signer : undefined;
}

/** The certificate of the expected signer. */
function authorityOf({ secrets, store }: Observed, content: SecretContent): string | undefined {
  const signer = signerOf(content);
  if (signer !== undefined) return pairIn(secrets[signer.id]?.data ?? {}, signer.files).cert;
  return content.kind === "storeClient" ? store.found?.authority : undefined;
}

function secretIsTaken({ name }: SecretBlueprint): Blocker {
  return {
    reason: "SecretNameTaken",
    message: `Secret ${name} belongs to another owner. If it is not needed, delete it; Steward then creates a new one.`,
  };
}
