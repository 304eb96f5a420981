// Starts the page of all explorers, with their first views, before Python has loaded.

import { TABLE } from "./made.js";
import { begin } from "./page.js";
import { firstViews } from "./runtime.js";

firstViews().then((still) => begin({ ...TABLE, still }));
