import { useCallback, useEffect, useState } from "react";

/** The state of the forms of a flag, which the tabs show while another tab is open. */
export type DraftState = "unchanged" | "unsaved" | "conflict";

type Form = "strategy" | "variants" | "prerequisites";

export type OnDraft = (form: Form, state: DraftState) => void;

/** Returns the state of all forms, and a function with which a form reports its state. */
export function useDrafts(): { draft: DraftState; onDraft: OnDraft } {
  const [drafts, setDrafts] = useState<Readonly<Partial<Record<Form, DraftState>>>>({});
  const onDraft = useCallback<OnDraft>(
    (form, state) => setDrafts((known) => ({ ...known, [form]: state })),
    [],
  );
  const states = Object.values(drafts);
  const draft = (["conflict", "unsaved"] as const).find((state) => states.includes(state));
  return { draft: draft ?? "unchanged", onDraft };
}

/** Reports to the flag page whether a form has unsaved changes, until the form closes. */
export function useReportDraft(
  onDraft: OnDraft,
  form: Form,
  { isDirty, isOutdated }: { isDirty: boolean; isOutdated: boolean },
): void {
  const state = !isDirty ? "unchanged" : isOutdated ? "conflict" : "unsaved";
  useEffect(() => {
    onDraft(form, state);
    return () => onDraft(form, "unchanged");
  }, [onDraft, form, state]);
}
