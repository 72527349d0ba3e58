import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { JsonProblem } from "./json-problem.ts";
import { rangeOf, syntaxErrorRange } from "./json-range.ts";

/** The parts of an editor that change without the user's typing. */
interface EditorLook {
  readonly label: string;
  readonly description: string;
  readonly isInvalid: boolean;
  /** Undefined if the text is valid JSON. */
  readonly syntaxError: string | undefined;
  /** Problems of a value whose text is valid JSON. */
  readonly problems: readonly JsonProblem[];
}

interface EditorOptions {
  /** The element that will contain the editor. It gets a shadow root. */
  readonly host: HTMLElement;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export interface CodeEditor {
  readonly setText: (text: string) => void;
  readonly setLook: (look: EditorLook) => void;
  readonly destroy: () => void;
}

const color = (name: string) => `var(--json-${name})`;

// The colours are custom properties of the host element, so that they follow the colour scheme.
const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.propertyName, color: color("property") },
  { tag: tags.string, color: color("string") },
  { tag: tags.number, color: color("number") },
  { tag: [tags.bool, tags.null], color: color("keyword") },
]);

const THEME = EditorView.theme({
  "&": { color: "inherit", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    minHeight: "inherit",
    maxHeight: "24rem",
    fontFamily: "var(--mantine-font-family-monospace)",
    lineHeight: "1.6",
  },
  ".cm-content": { padding: "0.5rem 0", caretColor: "currentcolor" },
  ".cm-cursor": { borderLeftColor: "currentcolor" },
  ".cm-gutters": {
    color: "var(--mantine-color-dimmed)",
    backgroundColor: "transparent",
    borderRight: "none",
  },
  "&.cm-focused .cm-scroller .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: color("selection"),
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: color("selection") },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--mantine-color-error)",
    textDecorationSkipInk: "none",
  },
  ".cm-tooltip": {
    color: "var(--mantine-color-text)",
    backgroundColor: "var(--mantine-color-body)",
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "var(--mantine-radius-sm)",
    maxWidth: "min(30rem, 90vw)",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--mantine-color-error)" },
});

const DESCRIPTION_ID = "description";

/**
 * Creates a JSON editor (CodeMirror) inside the host element. The editor is in a shadow root,
 * because only there CodeMirror uses constructed style sheets. In a document, it would write a
 * style element, which the content security policy blocks.
 *
 * The Tab key leaves the editor, as it leaves any other input. So does Escape, which closes no dialog
 * around the editor.
 */
export function createCodeEditor({ host, text, onChange }: EditorOptions): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open", delegatesFocus: true });
  const description = document.createElement("div");
  description.id = DESCRIPTION_ID;
  description.hidden = true;
  const attributes = new Compartment();
  const view: EditorView = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        json(),
        syntaxHighlighting(HIGHLIGHT),
        THEME,
        EditorView.lineWrapping,
        keymap.of([
          ...defaultKeymap,
          ...historyKeymap,
          { key: "F8", run: nextDiagnostic },
          { key: "Escape", run: leave },
        ]),
        attributes.of([]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString());
        }),
      ],
    }),
  });
  root.append(description);

  return {
    setText: (next) => {
      const { doc } = view.state;
      if (next !== doc.toString())
        view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
    },
    setLook: (look) => {
      description.textContent = look.description;
      const content = EditorView.contentAttributes.of({
        "aria-label": look.label,
        "aria-invalid": String(look.isInvalid),
        "aria-describedby": DESCRIPTION_ID,
        tabindex: "0",
      });
      view.dispatch({ effects: attributes.reconfigure(content) });
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(view.state, look)));
    },
    destroy: () => {
      view.destroy();
      description.remove();
    },
  };
}

function leave({ contentDOM }: EditorView): boolean {
  contentDOM.blur();
  return true;
}

function diagnosticsOf(state: EditorState, { syntaxError, problems }: EditorLook): Diagnostic[] {
  const severity = "error";
  if (syntaxError !== undefined)
    return [{ ...syntaxErrorRange(state), severity, message: syntaxError }];
  return problems.map(({ pointer, message }) => ({
    ...rangeOf(state, pointer),
    severity,
    message,
  }));
}
