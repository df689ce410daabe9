import { clientParts } from "@butler/contract";
import type { ESTree, Plugin } from "vite";

/**
 * Leaves out of the built console what no page uses of the packages: schemas, texts for the reference, rules of the audit
 * log. The server judges every request anyway, so pages need a schema only where a form is judged before it is sent.
 */
export function leanPackages(): Plugin {
  return {
    name: "butler:lean-packages",
    apply: "build",
    enforce: "post",
    transform: {
      filter: { id: /\/packages\/[^/]+\/src\/.*\.tsx?$/ },
      handler(code) {
        return { code: leanModule(code, this.parse(code)), map: null };
      },
    },
  };
}

/** The module with routes as clients need them, and with every other constant made so that it can be left out. */
export function leanModule(code: string, program: ESTree.Program): string {
  const edits: Edit[] = [];
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== "Identifier" || init === null || !doesSomething(init)) continue;
      const text = leanRoute(code, init) ?? code.slice(init.start, init.end);
      // Nothing happens at import in our packages; bundlers believe that of a call only when they are told.
      edits.push({ start: init.start, end: init.end, text: `/* @__PURE__ */ (() => (${text}))()` });
    }
  }
  return applyEdits(code, edits);
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  let [at, text] = [0, ""];
  for (const edit of edits) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}

/** A declaration of a route, without what only servers and documents need; undefined when it is none. */
function leanRoute(code: string, call: ESTree.Expression): string | undefined {
  if (call.type !== "CallExpression" || call.callee.type !== "Identifier" || call.callee.name !== "defineRoute") return;
  const [definition] = call.arguments;
  if (definition?.type !== "ObjectExpression") return;
  const kept = definition.properties.filter(
    (part) => part.type === "Property" && part.key.type === "Identifier" && wanted.has(part.key.name),
  );
  const parts = kept.map(({ start, end }) => code.slice(start, end));
  return `{ contentType: "application/json", ${parts.join(", ")} }`;
}

const wanted: ReadonlySet<string> = new Set(clientParts);

/** What a bundler cannot know to be without effect: calls, and reading what might be worked out on reading. */
const effects: ReadonlySet<string> = new Set([
  "CallExpression",
  "NewExpression",
  "TaggedTemplateExpression",
  "MemberExpression",
  "SpreadElement",
]);

/** Whether working the expression out could have an effect; what functions would do later does not count. */
function doesSomething(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(doesSomething);
  if (typeof node !== "object" || node === null || !("type" in node)) return false;
  const { type } = node;
  if (typeof type === "string" && effects.has(type)) return true;
  if (type === "ArrowFunctionExpression" || type === "FunctionExpression") return false;
  return Object.values(node).some(doesSomething);
}
