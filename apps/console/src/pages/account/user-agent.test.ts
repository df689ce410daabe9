import { expect, it } from "vitest";
import { browserWords } from "./user-agent.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0`, "Edge on Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 15.1; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on macOS"],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Mobile Safari/604.1`,
    "Safari on iOS",
  ],
  ["curl/8.5.0", "curl/8.5.0"],
  ["<script>", "<script>"],
  ["", "Unknown"],
])("%s is %s", (userAgent, words) => expect(browserWords(userAgent)).toBe(words));
