import { effectiveRanges, type IPAllocation, type NetworkPool } from "@butler/api";
import type { Paint, Style } from "@butler/cli-kit";
import { type CellStyle, type DrawnBlock, drawingLines, drawPool, poolShapeOf } from "@butler/ipam";
import { parseIpAddress } from "@butler/std";

/** The colors of a drawn pool. */
const styles: Readonly<Record<CellStyle, Style | undefined>> = {
  free: "good",
  partial: "busy",
  full: "bad",
  reserved: "faint",
  quarantined: "leaving",
  infrastructure: "strong",
  unmanaged: "faint",
};

/** Size and colors of a drawing. */
export interface MapRoom {
  readonly width: number;
  readonly height: number;
  readonly paint: Paint;
}

/** A pool as a map of its addresses, line by line. */
export function poolMap(
  { spec, status }: NetworkPool,
  claims: readonly IPAllocation[],
  { width, height, paint }: MapRoom,
): string[] {
  const { cidr, reserved, tenantAllocation } = spec;
  const shape = poolShapeOf({ cidr, reserved, ranges: effectiveRanges(tenantAllocation) });
  const infrastructure = (status?.infrastructureAllocations ?? []).flatMap(({ ip }) =>
    blockOf({ from: ip, to: ip, kind: "infrastructure" }),
  );
  const blocks = [...claims.flatMap(claimedBlock), ...infrastructure];
  const drawing = drawPool({ shape, blocks, width, height });
  return drawingLines(drawing, (style, text) => paint(styles[style], text));
}

function claimedBlock({ status }: IPAllocation): DrawnBlock[] {
  const kinds = { Allocated: "allocated", Released: "quarantined" } as const;
  const kind = status?.phase === "Allocated" || status?.phase === "Released" ? kinds[status.phase] : undefined;
  return kind === undefined ? [] : blockOf({ from: status?.startAddress, to: status?.endAddress, kind });
}

interface Ends {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly kind: DrawnBlock["kind"];
}

/** Invalid addresses are not drawn; the list next to the map still shows them. */
function blockOf({ from = "", to = "", kind }: Ends): DrawnBlock[] {
  const [first, last] = [parseIpAddress(from), parseIpAddress(to)];
  if (first === undefined || last === undefined || first.family !== last.family) return [];
  return [{ range: { family: first.family, first: first.value, last: last.value }, kind }];
}
