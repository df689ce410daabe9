const remedies: readonly (readonly [RegExp, string])[] = [
  [/address already in use/, "The port is in use by another process; choose another apiServerPort or omit it."],
  [/no space left on device/, "The disk is full; free disk space, or set TMPDIR to a directory with at least 500 MB."],
  [/permission denied/, "The directory must be owned by the user that starts the control plane."],
  [/too many open files/, "Raise the open file limit (ulimit -n), or start fewer control planes at once."],
  [
    /unknown flag|unrecognized feature gate|invalid argument/,
    "Check that this version supports all extraArgs and featureGates.",
  ],
  [/cannot allocate memory|out of memory/, "Not enough memory: a control plane needs about 500 MB."],
  [/exec format error/, "The binary is for another platform; run ensureTools with verify."],
];

/** A remedy for a component that did not start, based on its log. */
export function failureHint(log: string, logFile: string): string {
  const known = remedies.find(([symptom]) => symptom.test(log))?.[1];
  return (
    known ??
    `Start the control plane again with keep: true and check ${logFile}; if startup is only slow, raise startTimeoutMs.`
  );
}
