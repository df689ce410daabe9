import { describe, expect, it } from "vitest";
import { anchorsOf, linksOf } from "./links.ts";

describe("linksOf", () => {
  it("finds links, images and HTML attributes, and skips code and other sites", () => {
    const page = [
      "See [the guide](docs/guide.md#first-step), [here](#below) and [there](https://example.com/x.md).",
      '<img src="a.svg" alt="x"> ![b](<b.png> "title") `[no](code.md)`',
      "```",
      "[no](fenced.md)",
      "```",
    ].join("\n");
    expect(linksOf(page)).toEqual([
      { line: 1, path: "docs/guide.md", anchor: "first-step" },
      { line: 1, path: "", anchor: "below" },
      { line: 2, path: "b.png", anchor: undefined },
      { line: 2, path: "a.svg", anchor: undefined },
    ]);
  });
});

describe("anchorsOf", () => {
  it("names headings as GitHub does", () => {
    const page = "# Add a `kind`\n## Why, and how?\n## [Linked](x.md) heading\n## Twice\n## Twice\n```\n# code\n```\n";
    expect([...anchorsOf(page)]).toEqual(["add-a-kind", "why-and-how", "linked-heading", "twice", "twice-1"]);
  });
});
