import ts from "typescript";

/** Where a text is read: by users, by people who run tests, by people who read the code. */
export type TextKind = "string" | "test name" | "comment" | "page";

export interface FoundText {
  readonly kind: TextKind;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const testFunctions = new Set(["describe", "it", "test"]);

/** Every sentence of a source file: strings and JSX texts with a word in them, and comments. */
export function findTexts(path: string, source: string): FoundText[] {
  if (path.endsWith(".md")) return findParagraphs(source);
  const kind = path.endsWith(".tsx") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const found: FoundText[] = [];
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line + 1;
  const add = (textKind: TextKind, position: number, text: string): void => {
    const flat = text.replace(/\s+/g, " ").trim();
    if (/[a-z]{2}/i.test(flat)) found.push({ kind: textKind, line: lineAt(position), text: flat });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = textOf(node);
    if (text !== undefined) add(isTestName(node) ? "test name" : "string", node.getStart(file), text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const { position, text } of commentsOf(file, source)) add("comment", position, text);
  return found.toSorted((one, other) => one.line - other.line);
}

/** The text of a literal; what a template puts in is written as {}. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("{}");
}

function isTestName(node: ts.Node): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  const named = /^(?:[a-z]+)/i.exec(call.expression.getText())?.[0];
  return named !== undefined && testFunctions.has(named);
}

/** Comments that follow one another on lines of their own are one text. */
function commentsOf(file: ts.SourceFile, source: string): { readonly position: number; readonly text: string }[] {
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []) ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(source, node.getEnd()) ?? []) ranges.set(range.pos, range);
    // Texts between JSX tags look like comments where they hold two slashes.
    for (const child of node.getChildren(file)) if (!ts.isJsxText(child)) visit(child);
  };
  visit(file);
  const comments: { position: number; end: number; text: string }[] = [];
  for (const { pos, end } of [...ranges.values()].toSorted((one, other) => one.pos - other.pos)) {
    const text = source.slice(pos, end).replace(/^\/\*+|\*+\/$|^\s*\*+ ?|^\/+ ?/gm, " ");
    const before = comments.at(-1);
    const follows = before !== undefined && /^\n?[ \t]*$/.test(source.slice(before.end, pos).replace(/\r/g, ""));
    if (follows) Object.assign(before, { end, text: `${before.text} ${text}` });
    else comments.push({ position: pos, end, text });
  }
  return comments;
}

/** Lines of a Markdown page outside of code. */
function findParagraphs(source: string): FoundText[] {
  let isCode = false;
  return source.split("\n").flatMap((text, at): FoundText[] => {
    if (/^\s*(```|~~~)/.test(text)) isCode = !isCode;
    const spoken = text.replace(/`[^`]*`/g, "``").trim();
    return isCode || !/[a-z]{2}/i.test(spoken) ? [] : [{ kind: "page", line: at + 1, text: spoken }];
  });
}
