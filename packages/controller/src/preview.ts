import { kindId, keyText, type ObjectOf, type Resource } from "@butler/resource";
import { redact } from "@butler/telemetry";
import type { ControllerDefinition } from "./define-controller.ts";
import { desiredStatus } from "./desired-status.ts";
import { ownedKindOf, withOwner } from "./owned-objects.ts";
import { Pass, type PassContext } from "./pass.ts";
import type { Effect, Plan } from "./plan.ts";

/** What a pass would do, for display: objects in sync are left out, secrets are redacted. */
export interface PlanPreview {
  readonly apply: readonly {
    readonly target: string;
    readonly action: "create" | "change";
    readonly object: unknown;
  }[];
  readonly remove: readonly string[];
  readonly effects: readonly unknown[];
  readonly status: unknown;
  readonly finalizer: "hold" | "release" | "none";
  /** True when there is nothing to do. */
  readonly isSettled: boolean;
}

export interface PreviewInput<R extends Resource, Observed, E extends Effect, Ports> {
  readonly definition: ControllerDefinition<R, Observed, E, Ports>;
  readonly context: PassContext<Ports>;
  readonly primary: ObjectOf<R>;
  readonly plan: Plan<E>;
}

/** Computes what a plan would change. */
export function previewPlan<R extends Resource, Observed, E extends Effect, Ports>(
  input: PreviewInput<R, Observed, E, Ports>,
): PlanPreview {
  const { definition, context, primary, plan } = input;
  const pass = new Pass(definition, context);
  const apply = (plan.apply ?? [])
    .filter((object) => !pass.isInPlace(primary, object))
    .map((object) => {
      const kind = ownedKindOf(definition, object);
      const exists = context.read.get(kind, object.metadata) !== undefined;
      return {
        target: `${kindId(kind)} ${keyText(object.metadata)}`,
        action: exists ? ("change" as const) : ("create" as const),
        object: redact(withOwner(object, primary)),
      };
    });
  const remove = (plan.remove ?? [])
    .filter((removal) => context.read.get(removal.kind, removal) !== undefined)
    .map((removal) => `${kindId(removal.kind)} ${keyText(removal)}`);
  const effects = (plan.effects ?? []).map(redact);
  const { hasConditions } = definition.primary;
  const status = redact(desiredStatus({ primary, plan, failure: undefined, now: context.clock.now(), hasConditions }));
  const isSettled = apply.length === 0 && remove.length === 0 && effects.length === 0 && status === undefined;
  return { apply, remove, effects, status, finalizer: plan.finalizer, isSettled };
}

/** A preview as lines of text. */
export function renderPreview(preview: PlanPreview): string {
  if (preview.isSettled) return "No changes: all objects are in sync.";
  const lines = [
    ...preview.apply.map(({ action, target }) => `${action.padEnd(8)}${target}`),
    ...preview.remove.map((target) => `remove  ${target}`),
    ...preview.effects.map((effect) => `perform ${JSON.stringify(effect)}`),
    ...(preview.status === undefined ? [] : [`status  ${JSON.stringify(preview.status)}`]),
  ];
  return lines.join("\n");
}
