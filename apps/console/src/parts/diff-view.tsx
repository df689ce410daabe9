import { hasChange, lineDiff } from "./line-diff.ts";
import "./diff-view.css";

const signs = { same: " ", gone: "−", new: "+" } as const;
const words = { same: "", gone: "Removed: ", new: "Added: " } as const;

/** Line diff of two texts. */
export function DiffView({
  before,
  after,
  label,
}: {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}) {
  const lines = lineDiff(before, after);
  if (!hasChange(lines)) return <p className="b-soft">No changes.</p>;
  return (
    <pre className="c-diff b-mono" tabIndex={0} aria-label={label}>
      {lines.map(({ kind, text }, index) => (
        <span key={index} data-kind={kind}>
          <span aria-hidden="true">{signs[kind]} </span>
          <span className="b-unseen">{words[kind]}</span>
          {text}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
