import { clientParts } from "@butler/contract";
import type { ESTree, Plugin } from "vite";

/**
 * Removes what no page uses of the packages from the build: schemas, reference texts, audit rules. The server validates
 * every request, so pages need a schema only for client-side form validation.
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

/** Reduces routes to the parts that clients need, and marks all other constants as removable. */
export function leanModule(code: string, program: ESTree.Program): string {
  const edits: Edit[] = [];
  for (const statement of program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== "Identifier" || init === null || !doesSomething(init)) continue;
      const text = leanRoute(code, init) ?? code.slice(init.start, init.end);
      // Importing our packages has no side effects; bundlers assume that of calls only when annotated.
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

/**
 * A route definition without the parts that only servers and docs need. Undefined if the call does not define a route.
 */
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

/** Nodes that a bundler must assume to have side effects: calls and property access. */
const effects: ReadonlySet<string> = new Set([
  "CallExpression",
  "NewExpression",
  "TaggedTemplateExpression",
  "MemberExpression",
  "SpreadElement",
]);

/** Whether evaluating the expression could have a side effect. Function bodies do not count. */
function doesSomething(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(doesSomething);
  if (typeof node !== "object" || node === null || !("type" in node)) return false;
  const { type } = node;
  if (typeof type === "string" && effects.has(type)) return true;
  if (type === "ArrowFunctionExpression" || type === "FunctionExpression") return false;
  return Object.values(node).some(doesSomething);
}
