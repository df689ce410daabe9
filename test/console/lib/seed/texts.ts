/** Hostile and international texts for all text fields. */
export const hostile = {
  /** Changes the page title and sets a global if rendered as markup. */
  markup: `<img src=x onerror="document.title='owned';window.owned=1"><b id=owned>bold</b>`,
  /** Reverses the text direction without resetting it. */
  turned: "evil\u202Egnp.exe and a note that goes on",
  rightToLeft: "عنقود للاختبارات مع وصف طويل",
  emoji: "🦀🏳️‍🌈 ship it 🚢👩‍👩‍👧‍👦",
  script: `"><script>window.owned=1</script>'-alert(1)-'`,
  /** One long unbreakable word. */
  long: `unbreakable-${"x".repeat(180)}-end`,
  link: "javascript:window.owned=1",
} as const;

/** All of them, for fields with sentences. */
export const hostileSentence = [hostile.markup, hostile.script, hostile.emoji, hostile.turned, hostile.long].join(" ");

/** The longest valid cluster name. */
export const longestName = "a-cluster-whose-name-takes-all-room-that-names-have";
