import type { TenantAddon } from "@butler/api";
import { denied } from "@butler/controller";
import type { Denial } from "@butler/kube";

interface RevisedAddon {
  readonly spec: { readonly rollbackTo?: number | undefined };
  readonly status?: Pick<NonNullable<TenantAddon["status"]>, "history"> | undefined;
}

/** A rollback needs an existing revision. While no revision is known, the add-on controller checks it later. */
export function rollbackDenials({ spec }: RevisedAddon, before: RevisedAddon | undefined): Denial[] {
  const { rollbackTo } = spec;
  if (rollbackTo === undefined || before === undefined || before.spec.rollbackTo === rollbackTo) return [];
  const known = (before.status?.history ?? []).map(({ revision }) => revision);
  if (known.length === 0 || known.includes(rollbackTo)) return [];
  return denied(
    "NOT_FOUND",
    "spec.rollbackTo",
    `revision ${rollbackTo} not found; available revisions: ${known.join(", ")}`,
  );
}
