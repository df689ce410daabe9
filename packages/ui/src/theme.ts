/** Which colours somebody wants; `system` is what their device says. */
export type Theme = "light" | "dark" | "system";

const place = "butler.theme";

/** The theme that was chosen in this browser. */
export function storedTheme(): Theme {
  const text = localStorage.getItem(place);
  return text === "light" || text === "dark" ? text : "system";
}

/** Shows a theme, and remembers it. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(place);
  else localStorage.setItem(place, theme);
  show(theme);
}

/**
 * Shows the theme that was chosen, and goes with the device for as long as that is what was chosen. The root says which of
 * the two it is: when only the device changes, Chromium leaves some elements in the colours of before.
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
