import { evaluateTemplate } from "./evaluate.ts";
import { parseTemplate } from "./parse-template.ts";

export { TemplateError } from "./text-reader.ts";

/** Compiles a template of `-o jsonpath=...`; throws a TemplateError with the position of a syntax error. */
export function jsonPath(template: string): (value: unknown) => string {
  const parts = parseTemplate(template);
  return (value) => evaluateTemplate(parts, value);
}
