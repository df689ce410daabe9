import type { TenantSides } from "../../tenant-side/index.ts";
import type { KeepTenant } from "../effects.ts";

/** Reconciles the objects inside tenants. */
export type TenantKeeper = Pick<TenantSides, "keep" | "forget">;

/** Remembers which tenants this process keeps, and in which state, so that each is updated only after changes. */
export class KeptTenants {
  readonly #keeper: TenantKeeper;
  readonly #digests = new Map<string, string>();

  constructor(keeper: TenantKeeper) {
    this.#keeper = keeper;
  }

  /** The applied digest of a tenant; undefined when it is not reconciled. */
  digestOf(uid: string): string | undefined {
    return this.#digests.get(uid);
  }

  /** Keeps a tenant. */
  async keep({ uid, objects, rules, digest }: KeepTenant, { kubeconfig, signal }: KeepHow): Promise<void> {
    await this.#keeper.keep({ ...rules, key: uid, kubeconfig, objects }, signal);
    this.#digests.set(uid, digest);
  }

  /** Keeps a tenant no longer. */
  async forget(uid: string): Promise<void> {
    this.#digests.delete(uid);
    await this.#keeper.forget(uid);
  }
}

interface KeepHow {
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
}
