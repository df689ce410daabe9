/** Texts that people with bad intentions, or with a language of their own, put wherever something takes text. */
export const hostile = {
  /** Would change the title of the page, and leave a mark, if any page took it for markup. */
  markup: `<img src=x onerror="document.title='owned';window.owned=1"><b id=owned>bold</b>`,
  /** Turns the direction of what follows, and does not turn it back. */
  turned: "evil\u202Egnp.exe and a note that goes on",
  rightToLeft: "عنقود للاختبارات مع وصف طويل",
  emoji: "🦀🏳️‍🌈 ship it 🚢👩‍👩‍👧‍👦",
  script: `"><script>window.owned=1</script>'-alert(1)-'`,
  /** One word without a place to break it. */
  long: `unbreakable-${"x".repeat(180)}-end`,
  link: "javascript:window.owned=1",
} as const;

/** All of it at once, for fields that hold sentences. */
export const hostileSentence = [hostile.markup, hostile.script, hostile.emoji, hostile.turned, hostile.long].join(" ");

/** Names of objects follow rules; this one uses all the room that they leave. */
export const longestName = "a-cluster-whose-name-takes-all-room-that-names-have";
