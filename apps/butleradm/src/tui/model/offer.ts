import type { ObjectKey } from "@butler/resource";

/** A change of one object, ready to be sent. */
export interface Change {
  readonly kind: "TenantCluster" | "TenantAddon";
  readonly key: ObjectKey;
  readonly how:
    | { readonly verb: "patch"; readonly type: "merge" | "json"; readonly patch: unknown }
    | { readonly verb: "delete"; readonly uid: string | undefined };
  /** What is being done, as the beginning of a sentence: `scaling blue`. */
  readonly what: string;
  /** What is said when it is done. */
  readonly done: string;
}

/** What a question comes to: a change to make, something else to ask, or what is wrong with the answer. */
export type Outcome =
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "ask"; readonly question: Question }
  | { readonly kind: "fault"; readonly fault: string };

/** Something to be answered before a change is made. */
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
      /** What stands there at first. */
      readonly initial: string;
      readonly answered: (text: string) => Outcome;
      /** The same question about something else, which Tab leads to. */
      readonly next?: (() => Question) | undefined;
    };

/** Something that can be done with an object. */
export interface Offer {
  /** The key that is pressed for it. */
  readonly key: string;
  readonly title: string;
  /** What has to be answered; a text says why it cannot be done now. */
  readonly begin: () => Question | string;
}
