import { InvalidInput } from "@butler/std";

/** Why a revision could not be read: by its content, or because reading it took more than it may. */
export type DecodeRefusal = "invalid" | "budget" | "memory" | "timeout";

/** A revision that cannot be read, without any of its content. */
export class DecodeRefused extends InvalidInput {
  readonly refusal: DecodeRefusal;

  constructor(refusal: DecodeRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
