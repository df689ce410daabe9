import type { TenantSides } from "../../tenant-side/index.ts";
import type { KeepTenant } from "../effects.ts";

/** Reconciles the objects inside tenants. */
export type TenantReconciler = Pick<TenantSides, "keep" | "forget">;

/** Remembers which tenants this process keeps, and in which state, so that each is updated only after changes. */
export class KeptTenants {
  readonly #tenants: TenantReconciler;
  readonly #digests = new Map<string, string>();

  constructor(reconciler: TenantReconciler) {
    this.#tenants = reconciler;
  }

  /** The applied digest of a tenant; undefined when it is not reconciled. */
  digestOf(uid: string): string | undefined {
    return this.#digests.get(uid);
  }

  /** Keeps a tenant. */
  async keep({ uid, objects, rules, digest }: KeepTenant, { kubeconfig, signal }: KeepHow): Promise<void> {
    await this.#tenants.keep({ ...rules, key: uid, kubeconfig, objects }, signal);
    this.#digests.set(uid, digest);
  }

  /** Keeps a tenant no longer. */
  async forget(uid: string): Promise<void> {
    this.#digests.delete(uid);
    await this.#tenants.forget(uid);
  }
}

interface KeepHow {
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
}
