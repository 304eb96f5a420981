// The page of all explorers begins: with their first views, before Python is there.

import { TABLE } from "./made.js";
import { begin } from "./page.js";
import { firstViews } from "./runtime.js";

firstViews().then((still) => begin({ ...TABLE, still }));
