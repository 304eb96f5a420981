// The script of every exported page except slides.

import { startModels } from "./models.js";
import { startDials } from "./dials.js";
import { startFront } from "./front.js";
import { startLessonPage } from "./lesson_page.js";
import { startNavigation } from "./navigation.js";
import { startPieces } from "./pieces.js";
import { startScrollable } from "./scrollable.js";
import { startSearch } from "./search_box.js";
import { startThemes } from "./theme.js";

startLessonPage();
startThemes();
startNavigation();
startPieces();
startScrollable();
startSearch();
startDials();
startFront();
startModels();
