import { Button, Dialog, EmptyState, Icon } from "@butler/ui";
import { useState } from "react";
import { useLiveList } from "../../data/live.tsx";
import { LiveView } from "../../parts/live-view.tsx";
import { NewsItem } from "./news-item.tsx";
import { newestFirst, type Notification, unreadOf } from "./news.ts";

const place = "butler.news-read-at";

/** Notification list behind a bell that counts the unread ones. */
export function Notifications() {
  const [isOpen, setOpen] = useState(false);
  const [readAt, setReadAt] = useState(() => localStorage.getItem(place) ?? "");
  const list = useLiveList<Notification>("notifications", {});
  const unread = unreadOf(list.items ?? [], readAt);
  const open = (): void => {
    const now = new Date().toISOString();
    localStorage.setItem(place, now);
    setReadAt(now);
    setOpen(true);
  };
  return (
    <>
      <Button
        kind="quiet"
        shape="square"
        className="c-news"
        aria-label={unread === 0 ? "Notifications" : `Notifications, ${unread} new`}
        onClick={open}
      >
        <Icon name="bell" />
        {unread > 0 && <span className="c-count">{unread > 99 ? "99+" : unread}</span>}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Notifications" place="right">
        <LiveView list={list}>
          {(items) =>
            items.length === 0 ? (
              <EmptyState
                title="No notifications"
                sentence="Failures, limit warnings and expiring certificates appear here."
              />
            ) : (
              <ul className="b-list">
                {newestFirst(items).map((news) => (
                  <NewsItem key={news.id} {...news} />
                ))}
              </ul>
            )
          }
        </LiveView>
      </Dialog>
    </>
  );
}
