import "./address-map.css";
import { Button } from "@butler/ui";
import { type MapPart, partCounts, partWords, rangeText, sizeOf } from "./address-map.ts";
import { isInside, type MapRow, mapRows } from "./map-rows.ts";

/** The parts of a network and the current zoom. */
export interface AddressMapProps {
  readonly cidr: string;
  readonly parts: readonly MapPart[];
  /** The subnet in view; the whole network if undefined. */
  readonly zoom: string | undefined;
  readonly onZoom: (cidr: string | undefined) => void;
}

/** A network drawn as bands of addresses. Each band can be zoomed into, down to single addresses. */
export function AddressMap({ cidr, parts, zoom, onZoom }: AddressMapProps) {
  const seen = zoom !== undefined && isInside(zoom, cidr) ? zoom : cidr;
  const rows = mapRows(seen, parts);
  return (
    <div className="a-map">
      <div className="b-form-actions">
        <span className="b-mono">{seen}</span>
        {seen !== cidr && <Button onClick={() => onZoom(undefined)}>Show all of {cidr}</Button>}
      </div>
      <ol className="a-map-rows" aria-label={`Addresses in ${seen}`}>
        {rows.map((row) => (
          <li key={row.cidr}>
            <Band row={row} {...(rows.length > 1 && { onOpen: () => onZoom(row.cidr) })} />
          </li>
        ))}
      </ol>
      <Legend parts={parts} />
    </div>
  );
}

function Band({ row, onOpen }: { readonly row: MapRow; readonly onOpen?: () => void }) {
  const { cidr, pieces } = row;
  const words = summaryOf(row);
  const drawing = (
    <svg className="a-map-band" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={words}>
      {pieces.map(({ part, at, width }) => (
        <rect key={String(part.first)} data-kind={part.kind} x={at} y="0" width={Math.max(width, 0.3)} height="10">
          <title>{`${rangeText(part)} · ${partWords[part.kind]}${part.label === "" ? "" : ` · ${part.label}`}`}</title>
        </rect>
      ))}
    </svg>
  );
  if (onOpen === undefined) return drawing;
  return (
    <button type="button" className="a-map-row" aria-label={`Zoom into ${cidr}: ${words}`} onClick={onOpen}>
      <span className="b-mono b-soft">{cidr}</span>
      {drawing}
    </button>
  );
}

function summaryOf({ range, pieces }: MapRow): string {
  const own = pieces.map(({ part }) => ({
    ...part,
    first: part.first > range.first ? part.first : range.first,
    last: part.last < range.last ? part.last : range.last,
  }));
  return partCounts(own)
    .map(([kind, count]) => `${partWords[kind]} ${count}`)
    .join(", ");
}

function Legend({ parts }: { readonly parts: readonly MapPart[] }) {
  const total = parts.reduce((sum, part) => sum + sizeOf(part), 0n);
  return (
    <ul className="a-map-legend">
      {partCounts(parts).map(([kind, count]) => (
        <li key={kind}>
          <svg className="a-map-sign" viewBox="0 0 10 10" aria-hidden="true">
            <rect data-kind={kind} width="10" height="10" />
          </svg>
          {partWords[kind]} <span className="b-numbers b-soft">{count.toLocaleString("en")}</span>
        </li>
      ))}
      <li className="b-soft b-numbers">{total.toLocaleString("en")} total</li>
    </ul>
  );
}
