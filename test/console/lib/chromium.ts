import { ensureProgram } from "../../lib/ensure-program.ts";

/** Finds Chromium, or installs the package of the distribution. Without a user interface, it needs a tenth less CPU time. */
export function ensureChromium(): Promise<string> {
  return ensureProgram({
    name: "Chromium",
    variable: "BUTLER_CHROMIUM",
    places: [
      "/usr/bin/chromium-headless-shell",
      "/usr/bin/chromium",
      "/usr/bin/chromium-browser",
      "/usr/bin/google-chrome",
    ],
    package: "chromium-headless-shell",
  });
}
