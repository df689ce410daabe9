import { expect, it } from "vitest";
import { webAddress } from "./safe-link.ts";

it.each([
  ["https://example.com/docs", true],
  ["http://example.com", true],
  ["javascript:alert(1)", false],
  ["JAVASCRIPT:alert(1)", false],
  ["data:text/html,x", false],
  ["/relative", false],
  ["", false],
])("%s may become a link: %s", (text, isLink) => expect(webAddress(text) !== undefined).toBe(isLink));
