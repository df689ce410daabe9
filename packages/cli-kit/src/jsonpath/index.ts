import { evaluateTemplate } from "./evaluate.ts";
import { parseTemplate } from "./parse-template.ts";

export { TemplateError } from "./text-reader.ts";

/** Reads a template of `-o jsonpath=...`, and gives what fills it in; throws a TemplateError that names the place. */
export function jsonPath(template: string): (value: unknown) => string {
  const parts = parseTemplate(template);
  return (value) => evaluateTemplate(parts, value);
}
