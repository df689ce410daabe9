const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Browser and system from a user agent; the user agent itself if the browser is not recognized. */
export function browserWords(userAgent: string): string {
  const [browser, system] = [browsers, systems].map((known) => known.find(([sign]) => sign.test(userAgent))?.[1]);
  if (browser === undefined) return userAgent === "" ? "Unknown" : userAgent.slice(0, 80);
  return system === undefined ? browser : `${browser} on ${system}`;
}
