import { InvalidInput, isRecord } from "@butler/std";
import { parseDocument } from "yaml";

/** Selects the clusters of an environment: those that match all conditions. */
export interface Rule {
  readonly environment: string;
  /** Patterns, in which `*` is any text and `?` any character. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly team?: string | undefined;
  /** Labels that the cluster must have, with patterns of their values. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** The properties of a cluster that rules match. */
export interface RuleSubject {
  readonly name: string;
  readonly namespace: string;
  readonly team: string;
  readonly labels: Readonly<Record<string, string>>;
}

const patterns = ["name", "namespace", "team"] as const;
const environmentName = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Whether a rule matches a cluster. */
export function matchesRule(rule: Rule, subject: RuleSubject): boolean {
  const isPlaced = patterns.every((field) => {
    const pattern = rule[field];
    return pattern === undefined || matchesPattern(pattern, subject[field]);
  });
  const isLabelled = Object.entries(rule.labels ?? {}).every(([key, pattern]) => {
    const value = Object.hasOwn(subject.labels, key) ? subject.labels[key] : undefined;
    return value !== undefined && matchesPattern(pattern, value);
  });
  return isPlaced && isLabelled;
}

/** Whether a text matches a pattern. Linear per character, so that no pattern backtracks. */
export function matchesPattern(pattern: string, text: string): boolean {
  let reached = new Set([0]);
  const skipStars = (positions: Iterable<number>): Set<number> => {
    const all = new Set(positions);
    for (const at of all) if (pattern[at] === "*") all.add(at + 1);
    return all;
  };
  reached = skipStars(reached);
  for (const character of text) {
    const next: number[] = [];
    for (const at of reached) {
      const wanted = pattern[at];
      if (wanted === "*") next.push(at);
      else if (wanted === "?" || wanted === character) next.push(at + 1);
    }
    reached = skipStars(next);
  }
  return reached.has(pattern.length);
}

/** Parses `prod=name:prod-*,label:tier=gold`. */
export function parseRuleWord(word: string): Rule {
  const at = word.indexOf("=");
  const conditions = at < 0 ? [] : word.slice(at + 1).split(",");
  const found: Record<string, unknown> = { environment: word.slice(0, Math.max(0, at)) };
  const labels: Record<string, string> = {};
  for (const condition of conditions) {
    const colon = condition.indexOf(":");
    const [field, value] = [condition.slice(0, Math.max(0, colon)), condition.slice(colon + 1)];
    const equals = value.indexOf("=");
    if (field === "label" && equals > 0) labels[value.slice(0, equals)] = value.slice(equals + 1);
    else if (field !== "label" && colon > 0 && !Object.hasOwn(found, field)) found[field] = value;
    else throw badRule(`rule ${JSON.stringify(word)}`, `${JSON.stringify(condition)} is not a valid condition`);
  }
  if (Object.keys(labels).length > 0) found["labels"] = labels;
  return readRule(found, `rule ${JSON.stringify(word)}`);
}

/** Parses a file of rules: `rules`, a list, each with an environment and conditions for its clusters. */
export function parseRulesFile(source: string, text: string): Rule[] {
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw badRule(source, `invalid YAML: ${problem.message.split("\n")[0] ?? ""}`);
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const rules = isRecord(value) ? value["rules"] : undefined;
  if (!Array.isArray(rules) || rules.length === 0) throw badRule(source, 'missing "rules" list');
  return (rules as unknown[]).map((rule, at) => readRule(rule, `rule ${at + 1} of ${source}`));
}

function readRule(value: unknown, where: string): Rule {
  if (!isRecord(value)) throw badRule(where, "not a mapping");
  const { environment, labels, ...rest } = value;
  if (typeof environment !== "string" || !environmentName.test(environment)) {
    throw badRule(where, "missing or invalid environment name");
  }
  const strange = Object.keys(rest).find((key) => !(patterns as readonly string[]).includes(key));
  if (strange !== undefined) throw badRule(where, `unknown condition ${JSON.stringify(strange)}`);
  const given = Object.entries(rest).map(([key, pattern]) => [key, requirePattern(pattern, where)] as const);
  const ofLabels = labels === undefined ? undefined : readLabels(labels, where);
  if (given.length === 0 && ofLabels === undefined) {
    throw badRule(where, "no conditions; use name:* to match every cluster");
  }
  return { environment, ...Object.fromEntries(given), ...(ofLabels === undefined ? {} : { labels: ofLabels }) };
}

function readLabels(labels: unknown, where: string): Record<string, string> {
  if (!isRecord(labels) || Object.keys(labels).length === 0) throw badRule(where, "labels must be a non-empty mapping");
  return Object.fromEntries(Object.entries(labels).map(([key, pattern]) => [key, requirePattern(pattern, where)]));
}

function requirePattern(pattern: unknown, where: string): string {
  if (typeof pattern === "string" && pattern !== "" && pattern.length <= 253) return pattern;
  throw badRule(where, "patterns must be 1 to 253 characters long");
}

function badRule(where: string, fault: string): InvalidInput {
  return new InvalidInput(`${where} is invalid: ${fault}`, {
    hint: "Example: --rule prod=name:prod-*,namespace:payments or --rule dev=label:tier=dev; see docs/guides/administering.md.",
  });
}
