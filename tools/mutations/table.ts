import type { Verdict } from "./judge.ts";
import type { Mutation } from "./mutation.ts";

/** One line about the result of a mutation. */
export function verdictLine({ file, harm, test, fails }: Mutation, verdict: Verdict, seconds: number): string {
  const time = `${seconds.toFixed(0).padStart(4)} s`;
  switch (verdict.kind) {
    case "killed":
      return `${time}  killed    ${file}: ${harm}; by ${test}: ${verdict.by} (${verdict.because})`;
    case "survived":
      return `${time}  SURVIVED  ${file}: ${harm}; not detected by ${test}: ${fails}`;
    case "invalid":
      return `${time}  COULD NOT RUN  ${file}: ${harm}; ${test}: ${verdict.because}`;
  }
}

/** The last line: totals by result. */
export function sumLine(verdicts: readonly Verdict[], seconds: number): string {
  const count = (kind: Verdict["kind"]): number => verdicts.filter((verdict) => verdict.kind === kind).length;
  return `${count("killed")} killed, ${count("survived")} survived, ${count("invalid")} could not run, in ${seconds.toFixed(0)} s`;
}

/** The page of all mutations. */
export function mutationsPage(mutations: readonly Mutation[]): string {
  const rows = mutations.map(({ harm, file, line, broken, test, fails }) => {
    const cells = [harm, `${file}<br>${code(line)}`, broken === "" ? "removed" : code(broken), `${test}<br>${fails}`];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  return [
    "<!-- Generated from mutations.ts by npm run mutations -- --write. Do not edit. -->",
    "",
    "# Lines guarded by tests",
    "",
    "`npm run mutations` breaks each of these lines of the product in a copy of the repository and checks that the named test fails;",
    "words after `--` select lines (`npm run mutations -- steward deletion`), and `--write` updates this page.",
    "",
    "| Effect | Product line | Mutation | Failing test |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function code(text: string): string {
  const inner = text.replaceAll(/\s+/g, " ").trim();
  // A text with backticks needs a longer delimiter.
  return inner.includes("`") ? `\`\` ${inner} \`\`` : `\`${inner}\``;
}

/** A pipe ends a cell, even inside code. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
