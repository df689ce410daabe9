import { Composer, LineCounter, Lexer, Parser, type ScalarTag, type Tags } from "yaml";

/** How deep maps and lists may be nested. Schemas in CRDs are the deepest there is, with some sixty levels. */
const deepestNesting = 200;

/** Number of aliases above which a document counts as an attempt to exhaust memory. */
const mostAliases = 200;

/** No cluster stores an object larger than this: aliases or a mistake made it so large. */
const longestJson = 8 * 1024 * 1024;

/** The same for all documents of a manifest together. */
const longestTotal = 16 * 1024 * 1024;

/** Adds up what the documents of a manifest have become, because aliases can make each of them large. */
export class DocumentTotal {
  #length = 0;

  /** The result, or a fault when all results together are too large. */
  add(result: DocumentResult): DocumentResult {
    if ("json" in result) this.#length += result.json.length;
    return this.#length > longestTotal ? { fault: "with it, the manifest is too large" } : result;
  }
}

/** The result of reading a document: its data as JSON text, or what is wrong with it, without any of its content. */
export type DocumentResult = { readonly json: string } | { readonly fault: string };

/**
 * Reads one YAML document in the dialect that Helm and kubectl read: YAML 1.1, without its times and its numbers to
 * base 60, and with octal numbers of YAML 1.2. Never throws: the text comes from an untrusted chart.
 */
export function documentJson(text: string): DocumentResult {
  try {
    return readDocument(text);
  } catch (error) {
    return { fault: error instanceof ReferenceError ? "undefined alias, or too many aliases" : "invalid YAML" };
  }
}

function readDocument(text: string): DocumentResult {
  const lines = new LineCounter();
  const tokens = tokensOf(text, lines);
  if (tokens === undefined) return { fault: `nested more than ${deepestNesting} levels deep` };
  const composer = new Composer({ version: "1.1", uniqueKeys: false, logLevel: "silent", customTags: dialect });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (second !== undefined) return { fault: "more than one document" };
  const [error] = document?.errors ?? [];
  if (error !== undefined) return { fault: `invalid YAML on line ${lines.linePos(error.pos[0]).line} (${error.code})` };
  const json = JSON.stringify(document?.toJS({ maxAliasCount: mostAliases }) ?? null);
  return json.length > longestJson ? { fault: `larger than ${longestJson / 1024 / 1024} MiB` } : { json };
}

type CstToken = Parameters<Composer["next"]>[0];

/**
 * The document as the parser's tokens, or undefined when it is nested too deeply. Depth has to be known before the
 * tokens are put together, which is done recursively: a stack that runs out there can end the whole process.
 */
function tokensOf(text: string, lines: LineCounter): CstToken[] | undefined {
  const parser = new Parser(lines.addNewLine);
  const tokens: CstToken[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    // A level takes up to three entries on the parser's stack.
    if (parser.stack.length > deepestNesting * 2) return undefined;
  }
  tokens.push(...parser.end());
  return tokens;
}

const octal: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => {
    const digits = text.replace(/^[-+]?0o|_/g, "");
    return Number.parseInt(digits, 8) * (text.startsWith("-") ? -1 : 1);
  },
};

const binary: ScalarTag = {
  tag: "tag:yaml.org,2002:binary",
  resolve: (text) => Buffer.from(text, "base64").toString("utf8"),
};

function dialect(tags: Tags): Tags {
  const kept = tags.filter((tag) => {
    if (typeof tag === "string") return true;
    return tag.format !== "TIME" && !/:(?:timestamp|binary|omap|pairs|set)$/.test(tag.tag);
  });
  return [...kept, octal, binary];
}
