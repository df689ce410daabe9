// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { applyTheme, followTheme, storedTheme } from "./theme.ts";

const device = { isDark: false, listeners: new Set<() => void>() };
const shown = (): string | undefined => document.documentElement.dataset["theme"];

beforeEach(() => {
  device.isDark = false;
  device.listeners.clear();
  localStorage.clear();
  vi.stubGlobal("matchMedia", () => ({
    get matches() {
      return device.isDark;
    },
    addEventListener: (_name: string, listener: () => void) => device.listeners.add(listener),
  }));
});

afterEach(() => vi.unstubAllGlobals());

function turn(isDark: boolean): void {
  device.isDark = isDark;
  for (const listener of device.listeners) listener();
}

describe("the theme", () => {
  it("follows the device until a theme is selected, and again for system", () => {
    followTheme();
    expect(shown()).toBe("light");
    turn(true);
    expect(shown()).toBe("dark");
    applyTheme("light");
    expect([shown(), storedTheme()]).toEqual(["light", "light"]);
    turn(false);
    turn(true);
    expect(shown()).toBe("light");
    applyTheme("system");
    expect([shown(), storedTheme()]).toEqual(["dark", "system"]);
  });
});
