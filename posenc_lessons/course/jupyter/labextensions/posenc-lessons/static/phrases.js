// A phrase in both languages, `中文 · English`, as one language says it: the rules of
// posenc_lessons/export/phrases.py, for what is read in JupyterLab. A test holds the two against each other,
// and the characters against those of posenc_lessons/language.py.

const HAN = /[\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
const CHINESE = /[\u3000-\u303f\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}\uff00-\uffef]/u;
export const DOT = " · ";
const BRACKETS = /\[[^[\]]*\]/g;
const COUNT = new RegExp(`^(?:[\\d{}\\w.]+ )?(?=${HAN.source})`, "u");
const LESSON = new RegExp(`^(\\d\\d) (?=.*${HAN.source})`, "u");
const LEAD = /(?:→ |✘ |✔ |, |，|: |：|\} |\]|\] )$/;
const HALFWIDTH = Object.entries({
  "，": ", ", "、": ", ", "。": ". ", "：": ": ", "；": "; ", "（": " (", "）": ") ", "！": "! ",
  "？": "? ", "《": " “", "》": "” ", "　": " ",
});

/** `text` (one line) in `language`, "zh", "en" or "both". */
export function phrase(text, language) {
  if (language === "both" || !CHINESE.test(text)) return text;
  const inside = text.replace(BRACKETS, (found) => inBrackets(found, language));
  if (!HAN.test(inside)) return language === "en" ? halfwidth(inside) : inside;
  const [zh, en] = sidesOf(inside, CHINESE);
  if (language === "zh") return zh + valueOfTheOther(zh, en);
  if (!en) return "";
  const lead = halfwidth(sharedLead(zh));
  return lead && !en.startsWith(lead.trim().slice(0, 4)) ? lead + en : en;
}

/** A printed text, line by line; a line that has nothing for this reader is left out. */
export function lines(text, language) {
  if (language === "both" || !CHINESE.test(text)) return text;
  const kept = [];
  for (const line of text.split("\n")) {
    const said = phrase(line, language);
    if (language === "zh" && HAN.test(line) && !line.includes(DOT) && kept.length && isEnglish(kept.at(-1)))
      kept[kept.length - 1] = nameOfError(kept.at(-1)) + line;
    else if (said || !line) kept.push(said);
  }
  return kept.join("\n");
}

/** The number, the Chinese and the English of a heading; no Chinese where it has none. */
export function headingSides(words) {
  const parts = words.split(DOT);
  let number = parts.length > 1 && /^\d+$/.test(parts[0]) ? parts.shift() : "";
  const lesson = LESSON.exec(parts[0]);
  if (lesson) {
    number = lesson[1];
    parts[0] = parts[0].slice(lesson[0].length);
  }
  const last = parts.findLastIndex((part) => HAN.test(part));
  return [number, parts.slice(0, last + 1).join(DOT), parts.slice(last + 1).join(DOT)];
}

/** A heading without its marks, in `language`. */
export function heading(words, language) {
  const [number, zh, en] = headingSides(words);
  if (language === "both" || !zh || !en) return words;
  const shared = number && (words.startsWith(number + DOT) ? number + DOT : `${number} `);
  return shared + (language === "zh" ? zh : en);
}

/**
 * What of a comment `# 中文 · English` is not for this reader: [start, end) in `text`, or null. Only what can
 * be left out without changing a letter of the rest, so a comment is never other than its author wrote it.
 */
export function leftOut(text, language) {
  if (language === "both" || !HAN.test(text) || !text.includes(DOT)) return null;
  const bare = text.replace(BRACKETS, (found) => "-".repeat(found.length)); // a shape stays whole
  if (!HAN.test(bare) || !bare.includes(DOT)) return null;
  const [zh, en] = sidesOf(bare, CHINESE);
  if (!en) return null;
  if (language === "zh") return [zh.length, text.length];
  const mark = /^#+ */.exec(zh)?.[0].length ?? 0;
  const lead = sharedLead(zh);
  const kept = lead && !CHINESE.test(lead) && !en.startsWith(lead.slice(mark, mark + 4)) ? lead.length : mark;
  return [kept, zh.length + DOT.length];
}

function sidesOf(text, chinese) {
  const parts = text.split(DOT);
  const last = parts.findLastIndex((part) => chinese.test(part));
  return [parts.slice(0, last + 1).join(DOT), parts.slice(last + 1).join(DOT)];
}

function inBrackets(text, language) {
  if (!HAN.test(text) || !text.includes(DOT)) return text;
  return `[${text.slice(1, -1).split(", ").map((part) => counted(part, language)).join(", ")}]`;
}

function counted(part, language) {
  const dot = part.indexOf(DOT);
  if (dot < 0) return part;
  const [zh, en] = [part.slice(0, dot), part.slice(dot + DOT.length)];
  return language === "zh" ? zh : (COUNT.exec(zh)?.[0] ?? "") + en;
}

function sharedLead(zh) {
  const found = zh.search(HAN);
  const before = found < 0 ? "" : zh.slice(0, found);
  return LEAD.test(before) ? before : "";
}

function valueOfTheOther(zh, en) {
  const value = /:( *\{.*| *)$/s.exec(en);
  return value && !zh.includes("：") && !zh.trimEnd().endsWith(":") ? value[0] : "";
}

function halfwidth(text) {
  for (const [wide, plain] of HALFWIDTH) text = text.replace(new RegExp(` *${wide} *`, "g"), plain);
  text = text.replace(/\) +(?=[,.:;)])/g, ")");
  text = text.replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0));
  return text.replace(new RegExp(CHINESE, "gu"), "");
}

function isEnglish(line) {
  return !CHINESE.test(line) && (line.match(/[A-Za-z]{2,}/g)?.length ?? 0) >= 5;
}

function nameOfError(line) {
  return /^(?:[✘✔] )?(?:\w+(?:Error|Warning): )?/.exec(line)[0];
}
