import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { cacheFolder } from "./cache-folder.ts";

describe("cacheFolder", () => {
  it.each<[string | undefined, readonly string[], string]>([
    ["/cache", [], "/cache/butler"],
    ["/cache", ["engine", "1"], "/cache/butler/engine/1"],
    ["", ["engine"], `${homedir()}/.cache/butler/engine`],
    [undefined, ["engine"], `${homedir()}/.cache/butler/engine`],
  ])("with XDG_CACHE_HOME=%s and %j is %s", (given, parts, expected) => {
    expect(cacheFolder({ XDG_CACHE_HOME: given }, ...parts)).toBe(expected);
  });
});
