// The look of the book: VitePress's own theme without its fonts, in the colours and types of Gradus.
import DefaultTheme from "vitepress/theme-without-fonts";
import "../../kit/tokens.css";
import "./code.css";
import "./style.css";
import "./formula.css";
import "./figure.css";
import "./path.css";
import "./print.css";
import "./widget.css";
import "./exercises.css";
import "./programs.css";
import { start_exercises } from "./exercises/start.mjs";
import { start_folds } from "./folds.mjs";
import { start_live } from "./live.mjs";
import { start_path } from "./path.mjs";
import { start_print } from "./print.mjs";
import { start_programs } from "./programs/start.mjs";
import { start_terms } from "./terms.mjs";
import { start_wide } from "./wide.mjs";
import { start_widgets } from "./widgets/start.mjs";

export default {
  extends: DefaultTheme,
  enhanceApp({ router, siteData }) {
    if (import.meta.env.SSR) return;
    start_folds(window, router);
    start_path(window, siteData.value.themeConfig.path);
    start_terms(document);
    start_live(document);
    start_print(window);
    start_wide(document);
    const { exercises, programs } = siteData.value.themeConfig;
    if (exercises) start_exercises(window, exercises, siteData.value.base);
    if (programs) start_programs(window, programs, siteData.value.base);
    if (siteData.value.themeConfig.widgets) start_widgets(window, siteData.value.base);
  },
};
