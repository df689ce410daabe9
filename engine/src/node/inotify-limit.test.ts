import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { raiseInotifyLimit } from "./inotify-limit.ts";

describe("raiseInotifyLimit", () => {
  it.each([
    ["raises a low limit", "128\n", "8192", ["raised fs.inotify.max_user_instances from 128 to 8192"]],
    ["keeps a sufficient limit", "8192\n", "8192\n", []],
    ["keeps a higher limit", "65536\n", "65536\n", []],
  ])("%s", async (_what, present, after, messages) => {
    const file = join(await temporaryDirectory(), "max_user_instances");
    await writeFile(file, present);
    const said: string[] = [];
    await raiseInotifyLimit((sentence) => said.push(sentence), file);
    expect(await readFile(file, "utf8")).toBe(after);
    expect(said).toEqual(messages);
  });

  it("ignores a kernel without the setting", async () => {
    const said: string[] = [];
    await raiseInotifyLimit((sentence) => said.push(sentence), join(await temporaryDirectory(), "missing"));
    expect(said).toEqual([]);
  });
});
