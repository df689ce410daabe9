const remedies: readonly (readonly [RegExp, string])[] = [
  [/address already in use/, "Another process listens on the port; choose another apiServerPort or leave it out."],
  [/no space left on device/, "The disk is full; free some space, or set TMPDIR to a directory with at least 500 MB."],
  [/permission denied/, "The directory must belong to the user who starts the control plane."],
  [/too many open files/, "Raise the limit of open files (ulimit -n), or start fewer control planes at once."],
  [/unknown flag|unrecognized feature gate|invalid argument/, "Check extraArgs and featureGates against this version."],
  [/cannot allocate memory|out of memory/, "The machine is short of memory; a control plane needs about 500 MB."],
  [/exec format error/, "The binary is for another kind of machine; run ensureTools with verify."],
];

/** What to do about a component that did not start, judging by its log. */
export function failureHint(log: string, logFile: string): string {
  const known = remedies.find(([symptom]) => symptom.test(log))?.[1];
  return known ?? `Start again with keep: true and read ${logFile}; if it was only slow, raise startTimeoutMs.`;
}
