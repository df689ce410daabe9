/** A manifest with one mistake, and the part of the API server's refusal that says where it is and what would be right. */
export interface BadManifest {
  readonly name: string;
  readonly manifest: Record<string, unknown>;
  readonly expect: string;
  /** Created first, for rules that compare an object with what it was. */
  readonly before?: Record<string, unknown>;
}
