/** What stands in the way, or is waited for: a word for programs and a sentence for people. */
export interface Trouble {
  readonly reason: string;
  readonly message: string;
}
