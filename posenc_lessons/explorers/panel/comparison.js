// Keeps a picture for comparison: it stands below the present one, and above both stand the settings in which they
// differ.

import { write, writeMarkup } from "./dom.js";

/**
 * @import { Figure } from "./elements.js"
 * @import { Control, View } from "./types.js"
 */

export class Comparison {
  /** @param {Figure} present @param {Figure} kept @param {(name: string) => string} text gives a word for the reader */
  constructor(present, kept, text) {
    this.present = present;
    this.kept = kept;
    this.text = text;
    /** @type {Control[]} */
    this.keptControls = [];
  }

  get on() {
    return this.kept.element.isConnected;
  }

  /** Keep the picture that is shown, or drop the kept one. @param {View} view */
  toggle({ stage, axes, data, alt, controls, reading }) {
    const { present, kept } = this;
    present.which.hidden = this.on;
    if (this.on) return kept.element.remove();
    present.element.after(kept.element);
    this.keptControls = controls;
    writeMarkup(kept.words, reading);
    kept.picture.show({ stage, axes, data, alt });
    this.name(controls);
  }

  /** Write above both pictures the settings in which they differ. @param {Control[]} controls the present ones */
  name(controls) {
    if (!this.on) return;
    const earlier = new Map(this.keptControls.map((control) => [control.name, control]));
    const differing = controls.filter(({ name, value }) => JSON.stringify(value) !== JSON.stringify(earlier.get(name)?.value));
    const settings = (/** @type {(control: Control) => Control | undefined} */ from) => differing.map((control) => `${control.label} ${from(control)?.text ?? ""}`).join(", ");
    write(this.present.which, sentence(this.text("present"), settings((control) => control)));
    write(this.kept.which, sentence(this.text("pinned"), settings((control) => earlier.get(control.name)) || this.text("noDifference")));
  }
}

/** @param {string} name @param {string} settings */
const sentence = (name, settings) => (settings ? `${name}: ${settings}` : name);
