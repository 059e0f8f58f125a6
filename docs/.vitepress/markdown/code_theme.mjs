// The colours of code are variables of theme/code.css, one set for light and dark: each text is read once.
import { createCssVariablesTheme } from "shiki";

export const code_theme = createCssVariablesTheme({ name: "css-variables", variablePrefix: "--shiki-", fontStyle: true });
