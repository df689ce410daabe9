// `npm run voice`: finds banned phrases (docs/voice.md) in strings, test names, comments and pages, and fails when there are
// any. `npm run voice -- apps/console` reads what is below a path; `--sample 200` prints random user-visible strings instead.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repositoryRoot } from "./steps.ts";
import { findBanned } from "./voice/find-banned.ts";
import { findTexts } from "./voice/find-texts.ts";
import { bannedPhrases } from "./voice/phrases.ts";
import { chooseSample, isData, isUserVisible } from "./voice/sample.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "string" }, seed: { type: "string" }, visible: { type: "boolean" } },
});

/** These pages quote what they ban, and the reference is generated from strings that are checked. */
const exempt = [
  /^tools\/voice\//,
  /^docs\/voice\.md$/,
  /^docs\/reference\//,
  /^test\/mutations\/README\.md$/,
  /^deploy\//,
  // The accounts of /etc/passwd.
  /^engine\/src\/images\/base-files\.ts$/,
];
const files = execFileSync("git", ["ls-files", "--", "*.ts", "*.tsx", "*.md"], {
  cwd: repositoryRoot,
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => path !== "" && !exempt.some((pattern) => pattern.test(path)))
  .filter((path) => positionals.length === 0 || positionals.some((wanted) => path.startsWith(wanted)));

const texts = files.flatMap((path) =>
  findTexts(path, readFileSync(join(repositoryRoot, path), "utf8"))
    .filter((text) => !isData(path, text))
    .map((text) => ({ ...text, path })),
);

if (values.sample !== undefined) {
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const visible = texts.filter((text) => isUserVisible(text.path, text));
  for (const { path, line, text } of chooseSample(visible, Number(values.sample), seed))
    console.log(`${path}:${line}: ${text}`);
} else {
  const judged = values.visible === true ? texts.filter((text) => isUserVisible(text.path, text)) : texts;
  const uses = judged.flatMap((text) => findBanned([text], bannedPhrases).map((use) => ({ ...use, path: text.path })));
  for (const { path, found, phrase, instead } of uses)
    console.log(`${path}:${found.line}: ${found.kind}: “${phrase}” (${instead}): ${found.text.slice(0, 200)}`);
  console.log(`${uses.length} banned phrases in ${files.length} files`);
  process.exitCode = uses.length > 0 ? 1 : 0;
}
