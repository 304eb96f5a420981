// What Python sends to a panel, and what a panel needs from the page around it. explorers/host.py is Python's side.

export type Language = "zh" | "en" | "both";
export type Words = { zh: string; en: string };
export type Layer = { shape: number[]; bytes: Uint8Array; texts?: string[]; order?: number[]; whole?: Layer; places?: number[]; columns?: number[] };
export type Data = Record<string, Layer>;
export type Axis = { start: number; end: number; ticks: [number, string][] };
export type Axes = Record<string, { x: Axis; y: Axis; ends: number[] }>;
export type Box = [number, number, number, number]; // left, top, width, height
export type Theme = { paper: string; ink: string; rule: string; quiet: string; type: number; enlarged: number };
export type StillPanel = {
  box: Box;
  words: boolean;
  slanted: boolean;
  equal: boolean;
  hero: boolean;
  asked: string[];
  title: string;
  x: string;
  y: string;
  beside: number;
  below: number;
  places: [number, number];
  ends: [string, string][];
  right: number;
  legend: [string, string][];
  bar: null | { table: Uint8Array; low: number; high: number; ticks: [number, string][] };
  layers: Record<string, any>;
};
export type Stage = { width: number; height: number; theme: Theme; panels: Record<string, StillPanel> };
export type Scene = { stage: Stage; axes: Axes; data: Data; alt: string };

export type Control = {
  name: string;
  label: string;
  disabled: boolean;
  hidden: boolean;
  rare: boolean;
  kind: "slider" | "log" | "choice" | "tick" | "text";
  value: any;
  text: string;
  min?: number;
  max?: number;
  step?: number;
  options?: string[];
};
export type View = Scene & {
  explorer: string;
  title: string;
  language: Language;
  mode: string;
  controls: Control[];
  tries: { name: string; look_for: string }[];
  first: string | null;
  drag: string;
  door: number;
  hover: boolean;
  takes: Record<string, string>;
  reading: string;
  alert: string;
  link: string;
  left_out: string[];
};
/** `pages`: the names of the panels on each page; all pages have the same width. */
export type Layout = { width: number; height: number; scale: number; type: number; thin: boolean; panels: Record<string, any>; pages?: string[][] };
/** Where a number comes from. Each line has a name, a computation and its value; texts may contain formulas (`$…$`). */
export type Card = { title: string; places: string[]; formula: string; lines: [string, string, string, "" | "term" | "total"][] };
export type Answer = Partial<View> & { code?: string; card?: Card | null };
export type Place = { panel: string; x: number; y: number; kind: string };

export interface Surroundings {
  /** Ask Python a question about the explorer at `place`. */
  ask(place: string, call: string, args: unknown[]): Promise<Answer>;
  words: Record<string, Words>;
  /** The reader's language until the first view arrives. */
  language: Language;
  /** The text of the tip while Python is starting; "" afterwards. */
  starting?: string;
  /** Whether the panel shows its title. */
  titled?: boolean;
  /** Return how many CSS pixels high a panel may be; left out if the page sets its height. */
  height?(panel: HTMLElement): number;
  /** Return how many CSS pixels high the picture is; undefined if it is as high as the panel allows. */
  pictureHeight?(): number | undefined;
  linkChanged?(): void;
  /** Called with the view when its language or theme has changed. */
  shown?(view: View): void;
  /** Return what the button "Link" copies and says; left out if there is no such button. */
  linkTo?(view: View): { address: string; said: string };
}
