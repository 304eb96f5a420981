// Keys in a plain editor for Python: Tab and Enter indent, Shift+Enter runs. After Escape, Tab leaves the editor.

const INDENT = "    ";

/** @param {HTMLTextAreaElement} editor @param {() => void} run */
export function addKeys(editor, run) {
  let leaving = false;
  editor.addEventListener("keydown", (event) => {
    const { key, shiftKey, isComposing } = event;
    if (isComposing) return;
    if (key === "Enter" && shiftKey) {
      event.preventDefault();
      run();
    } else if (key === "Enter") {
      event.preventDefault();
      insert(editor, `\n${indentAfter(editor)}`);
    } else if (key === "Tab" && !shiftKey && !leaving) {
      event.preventDefault();
      insert(editor, INDENT);
    }
    leaving = key === "Escape";
  });
}

// Insert text by the old `execCommand`, because only that can be undone.
/** @param {HTMLTextAreaElement} editor @param {string} text */
function insert(editor, text) {
  if (document.execCommand("insertText", false, text)) return;
  editor.setRangeText(text, editor.selectionStart, editor.selectionEnd, "end");
  editor.dispatchEvent(new Event("input"));
}

/** @param {HTMLTextAreaElement} editor */
function indentAfter({ value, selectionStart }) {
  const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
  const indent = /^ */.exec(line)?.[0] ?? "";
  return line.trimEnd().endsWith(":") ? indent + INDENT : indent;
}
