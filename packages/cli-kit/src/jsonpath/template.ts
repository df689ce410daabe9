/** A path, text or range of a template. */
export type TemplatePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "path"; readonly path: Path }
  | { readonly type: "range"; readonly path: Path; readonly body: readonly TemplatePart[] };

/** A path through a value, from the root or from the current value of a range or filter. */
export interface Path {
  readonly isFromRoot: boolean;
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly type: "field"; readonly name: string }
  | { readonly type: "anywhere"; readonly name: string }
  | { readonly type: "all" }
  | { readonly type: "union"; readonly members: readonly Step[] }
  | { readonly type: "slice"; readonly slice: Slice }
  | { readonly type: "filter"; readonly condition: Condition };

/** Indexes in a list; negative indexes count from its end. */
export interface Slice {
  readonly from?: number;
  readonly to?: number;
  readonly by: number;
}

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** The condition of a filter: a path that exists, or a comparison of two operands. */
export interface Condition {
  readonly left: Operand;
  readonly comparison?: { readonly operator: Operator; readonly right: Operand };
}

export type Operand = { readonly path: Path } | { readonly value: string | number | boolean | null };
