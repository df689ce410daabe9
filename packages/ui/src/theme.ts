/** Color theme; `system` follows the device. */
export type Theme = "light" | "dark" | "system";

const place = "butler.theme";

/** The theme stored in this browser. */
export function storedTheme(): Theme {
  const text = localStorage.getItem(place);
  return text === "light" || text === "dark" ? text : "system";
}

/** Applies and stores a theme. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(place);
  else localStorage.setItem(place, theme);
  show(theme);
}

/**
 * Applies the stored theme and follows the device for `system`. The root element carries the resolved theme: when only
 * the media query changes, Chromium keeps the old colors on some elements.
 */
export function followTheme(): void {
  const device = matchMedia("(prefers-color-scheme: dark)");
  device.addEventListener("change", () => show(storedTheme()));
  show(storedTheme());
}

function show(theme: Theme): void {
  const ofDevice = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset["theme"] = theme === "system" ? ofDevice : theme;
}
