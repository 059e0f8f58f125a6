// Where code is written: CodeMirror, in the colours of the book.
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { coloured } from "../code.mjs";

const colours = HighlightStyle.define(coloured.map(({ name, tags }) => ({ tag: tags, color: `var(--code-${name})` })));

const look = EditorView.theme({
  "&": { fontSize: "14px", backgroundColor: "var(--panel)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--value)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "21px" },
  ".cm-content": { caretColor: "var(--ink)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none" },
  ".cm-wrong": { backgroundColor: "color-mix(in srgb, var(--wrong) 16%, transparent)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--lit)" },
  ".cm-content ::selection": { backgroundColor: "var(--m1)" },
});

// The line of an error, until something is typed.
const mark = StateEffect.define();
const wrong_line = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    if (transaction.docChanged) marks = Decoration.none;
    for (const effect of transaction.effects) {
      if (!effect.is(mark)) continue;
      const wrong = () => Decoration.set([Decoration.line({ class: "cm-wrong" }).range(effect.value)]);
      marks = effect.value === null ? Decoration.none : wrong();
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// `changed` hears the text; `check` is called by Ctrl-Enter. Tab indents; after Escape it leaves, as everywhere in CodeMirror.
export class Editor {
  constructor(text, label, { changed, check }) {
    const keys = [
      { key: "Mod-Enter", run: () => (check(), true) },
      { key: "Tab", run: indentMore, shift: indentLess },
    ];
    const extensions = [
      lineNumbers(),
      history(),
      bracketMatching(),
      cpp(),
      EditorView.lineWrapping,
      indentUnit.of("  "),
      EditorState.tabSize.of(2),
      wrong_line,
      look,
      syntaxHighlighting(colours),
      keymap.of([...keys, ...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
      EditorView.updateListener.of((update) => update.docChanged && changed(this.text)),
    ];
    this.view = new EditorView({ doc: text, extensions });
  }

  focus() {
    this.view.focus();
  }

  get element() {
    return this.view.dom;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // As one step, which can be undone.
  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  // The line with this number, or none.
  mark(line) {
    const { doc } = this.view.state;
    this.view.dispatch({ effects: mark.of(line >= 1 && line <= doc.lines ? doc.line(line).from : null) });
  }
}
