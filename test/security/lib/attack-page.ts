import { basename } from "node:path";
import type { Attack } from "./attacks.ts";

const opening = `<!-- Generated from test/security/lib/attacks.ts by test/security/cases.test.ts. Do not edit. -->

# Attacks and their tests

Each attack that Butler is designed to resist, and the tests that carry it out or verify the rule that prevents it. Where an
attack does not apply, the reason is given. [Security](security.md) describes the trust boundaries behind this list.

| Attack | Tests |
|---|---|
`;

/** The page that lists every attack with its tests. */
export function attackPage(attacks: readonly Attack[]): string {
  return opening + attacks.map(rowOf).join("");
}

function rowOf({ title, here = [], because, elsewhere = [] }: Attack): string {
  const paths = [...here.map((name) => `test/security/${name}.cluster.test.ts`), ...elsewhere];
  const links = paths.map((path) => `[${basename(path)}](../${path})`).join("<br>");
  const cell = [because, links].filter((text) => text !== undefined && text !== "").join("<br>");
  return `| ${title} | ${cell} |\n`;
}
