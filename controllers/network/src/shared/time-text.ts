/** A timestamp as Kubernetes writes it: in seconds, rounded up. */
export function timeText(ms: number): string {
  return new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
}
