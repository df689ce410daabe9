/** The spellings of a name that scaffolds use. */
export interface Names {
  /** `backup-plan`: files, folders, commands and paths. */
  readonly kebab: string;
  /** `backupPlan`: variables. */
  readonly camel: string;
  /** `BackupPlan`: kinds and components. */
  readonly pascal: string;
  /** `backup plan`: sentences. */
  readonly words: string;
  readonly plural: { readonly kebab: string; readonly camel: string; readonly pascal: string; readonly words: string };
}

const form = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;
const maximumLength = 40;

/** Why a name is invalid, with a remedy; undefined when it is valid. */
export function nameProblem(name: string): string | undefined {
  if (form.test(name) && name.length <= maximumLength) return undefined;
  const suggestion = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "")
    .slice(0, maximumLength);
  const remedy = form.test(suggestion) ? suggestion : "backup-plan";
  return `"${name}" is not a valid name: use lower-case words with dashes, at most ${maximumLength} characters, such as ${remedy}`;
}

/** All spellings of a valid name. */
export function namesOf(kebab: string): Names {
  const plural = pluralOf(kebab);
  return { ...spellings(kebab), plural: spellings(plural) };
}

function spellings(kebab: string): Names["plural"] {
  const pascal = kebab
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return { kebab, camel, pascal, words: kebab.replaceAll("-", " ") };
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

/** A text with a capital first letter. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A word with its indefinite article. */
export function withArticle(text: string): string {
  return `${/^[aeiou]/i.test(text) ? "an" : "a"} ${text}`;
}
