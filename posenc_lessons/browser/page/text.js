// Words of the page, as words.py has them, in the reader's language.

// "both" stands for one after the other; `values` fill what is in braces.
export function inWords({ zh, en }, language, values = {}) {
  const filled = (text) => text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
  if (language !== "both" || zh === en) return filled(language === "en" ? en : zh);
  return `${filled(zh)} · ${filled(en)}`;
}
