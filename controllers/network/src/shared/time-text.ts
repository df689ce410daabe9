/** A moment as Kubernetes writes it: whole seconds, none too early. */
export function timeText(ms: number): string {
  return new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
}
