import { ensureProgram } from "../../lib/ensure-program.ts";

/** Finds Chromium, or installs the package of the distribution. */
export function ensureChromium(): Promise<string> {
  return ensureProgram({
    name: "Chromium",
    variable: "BUTLER_CHROMIUM",
    places: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
    package: "chromium",
  });
}
