// Search through the lessons; the entries stand in the page, so that it works from a file as well.
const entries = JSON.parse(document.getElementById("entries").textContent);
const box = document.querySelector(".search input");
const found = document.querySelector(".search ol");
const count = document.querySelector(".search [role=status]");
const MOST = 40;
const AROUND = 60;

function snippet(text, at, length) {
  const line = document.createElement("div");
  const from = Math.max(0, at - AROUND);
  const mark = document.createElement("mark");
  mark.textContent = text.slice(at, at + length);
  const rest = text.slice(at + length, at + length + AROUND);
  line.append(from > 0 ? "…" : "", text.slice(from, at), mark, rest, "…");
  return line;
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.length === 0 ? [] : entries.filter(({ title, text }) => {
    const all = `${title} ${text}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  found.replaceChildren(...hits.slice(0, MOST).map(({ page, title, text }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = page;
    link.textContent = title;
    item.append(link);
    const at = text.toLowerCase().indexOf(words[0]);
    if (at >= 0) item.append(snippet(text, at, words[0].length));
    return item;
  }));
  count.textContent = words.length === 0 ? "" : count.dataset.said.replaceAll("{n}", hits.length);
}

box.addEventListener("input", search);
search(); // a page that is loaded again may keep what was typed
