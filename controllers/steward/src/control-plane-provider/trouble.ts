/** What blocks progress or is waited for: a reason for programs and a message for people. */
export interface Trouble {
  readonly reason: string;
  readonly message: string;
}
