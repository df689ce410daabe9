/** A path or text of a template, and where in the template it begins. */
export type TemplatePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "path"; readonly path: Path }
  | { readonly type: "range"; readonly path: Path; readonly body: readonly TemplatePart[] };

/** A way through a value: from the root or from the value that a range or filter is at, step by step. */
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

/** Places in a list; those below 0 count from its end. */
export interface Slice {
  readonly from?: number;
  readonly to?: number;
  readonly by: number;
}

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** What a filter compares: a path that is there, or two operands. */
export interface Condition {
  readonly left: Operand;
  readonly comparison?: { readonly operator: Operator; readonly right: Operand };
}

export type Operand = { readonly path: Path } | { readonly value: string | number | boolean | null };
