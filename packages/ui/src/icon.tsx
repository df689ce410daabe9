const paths = {
  activity: "M2 8h3l2-5 3 10 2-5h2",
  addons: "M3 3h4v4H3zM9 3h4v4H9zM3 9h4v4H3zM11 9v4M9 11h4",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1 1H3zM7 14h2",
  check: "M3 8.5 6.5 12 13 4.5",
  chevron: "M4 6l4 4 4-4",
  close: "M4 4l8 8M12 4l-8 8",
  clusters: "M8 2l5 3v6l-5 3-5-3V5zM8 8l5-3M8 8v6M8 8 3 5",
  copy: "M6 6h7v7H6zM3 10V3h7",
  eye: "M1.5 8S4 4 8 4s6.5 4 6.5 4-2.5 4-6.5 4-6.5-4-6.5-4zM8 9.6a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2z",
  fleet: "M2 12h12M3 12V6l5-3 5 3v6M6 12V8h4v4",
  identity: "M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 14c0-3 2-4.5 5-4.5s5 1.5 5 4.5",
  menu: "M2 4h12M2 8h12M2 12h12",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  network: "M8 5V2M8 14v-3M5 8H2M14 8h-3M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  overview: "M2 2h5v6H2zM9 2h5v4H9zM9 8h5v6H9zM2 10h5v4H2z",
  plus: "M8 3v10M3 8h10",
  provider: "M4 12a3 3 0 0 1-.3-6A4 4 0 0 1 11.5 6 3 3 0 0 1 12 12z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3",
  settings:
    "M2 5h7M12 5h2M10.5 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM2 11h2M7 11h7M5.5 12.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z",
  shield: "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6 13 13M13 3l-1.4 1.4M4.4 11.6 3 13",
  team: "M6 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM2 13c0-2.5 1.5-4 4-4s4 1.5 4 4M11 4a2 2 0 0 1 0 4M12 9.5c1.4.5 2 1.7 2 3.5",
  terminal: "M3 4l4 4-4 4M8 12h5",
} as const;

/** Names of the icons. */
export type IconName = keyof typeof paths;

/** An icon beside a label, or alone in a button with an `aria-label`. Hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="b-icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
