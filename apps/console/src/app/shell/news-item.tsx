import { Moment, StatusBadge } from "@butler/ui";
import { type Notification, toneOf } from "./news.ts";

/** A notification in a list. */
export function NewsItem({ title, message, severity, timestamp }: Notification) {
  return (
    <li>
      <div className="b-line">
        <StatusBadge tone={toneOf(severity)}>{title}</StatusBadge>
        <Moment at={timestamp} />
      </div>
      {message !== "" && (
        <p className="b-brief" dir="auto" title={message}>
          {message}
        </p>
      )}
    </li>
  );
}
