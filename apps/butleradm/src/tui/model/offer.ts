import type { ObjectKey } from "@butler/resource";

/** A change of one object, ready to be sent. */
export interface Change {
  readonly kind: "TenantCluster" | "TenantAddon";
  readonly key: ObjectKey;
  readonly how:
    | { readonly verb: "patch"; readonly type: "merge" | "json"; readonly patch: unknown }
    | { readonly verb: "delete"; readonly uid: string | undefined };
  /** The action, as the beginning of a sentence: `scaling blue`. */
  readonly what: string;
  /** The message on success. */
  readonly done: string;
}

/** Result of a question: a change to make, another question, or an error in the answer. */
export type Outcome =
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "fault"; readonly fault: string };

/** A question to answer before a change is made. */
export type Question =
  | {
      readonly kind: "confirm";
      readonly title: string;
      readonly lines: readonly string[];
      readonly change: Change;
    }
  | {
      readonly kind: "type";
      readonly title: string;
      readonly lines: readonly string[];
      readonly label: string;
      /** The initial text. */
      readonly initial: string;
      readonly answered: (text: string) => Outcome;
      /** The same question about another object, on Tab. */
      readonly next?: (() => Question) | undefined;
    };

/** An action on an object. */
export interface Offer {
  /** The key that starts it. */
  readonly key: string;
  readonly title: string;
  /** The first question; a string is the reason why the action is not possible now. */
  readonly begin: () => Question | string;
}
