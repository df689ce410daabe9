import { describe, expect, it } from "vitest";
import { parseSourceOrder } from "./source.ts";

describe("parseSourceOrder", () => {
  it.each([
    [undefined, ["archive", "go"]],
    ["", ["archive", "go"]],
    ["go", ["go"]],
    ["go, archive", ["go", "archive"]],
    ["archive,archive,", ["archive"]],
  ])("reads %o", (text, expected) => {
    expect(parseSourceOrder(text)).toEqual(expected);
  });

  it("rejects an unknown source", () => {
    expect(() => parseSourceOrder("go,brew")).toThrow("unknown source in BUTLER_ENGINE_SOURCES: brew");
  });
});
