import { useLocalStorage } from "@mantine/hooks";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { isContext } from "./search-params.ts";

interface SavedContext {
  readonly name: string;
  readonly context: EvaluationContext;
}

/**
 * The maximum number of evaluation contexts that a browser saves per project, because local storage
 * is small and a longer list is hard to use. Saving one more drops the oldest evaluation context.
 */
const MAX_SAVED = 50;

const NONE: readonly SavedContext[] = [];

/**
 * A hook that returns the evaluation contexts which the user has saved for a project in this
 * browser, newest first, and functions that change them.
 */
export function useSavedContexts(projectId: number) {
  const [saved, setSaved] = useLocalStorage<readonly SavedContext[]>({
    key: `feature-flags.contexts.${projectId}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
    deserialize: parse,
  });
  const without = (name: string) => saved.filter((entry) => entry.name !== name);
  return {
    saved,
    /** Saves an evaluation context. Replaces the saved evaluation context of the same name. */
    save: (name: string, context: EvaluationContext) =>
      setSaved([{ name, context }, ...without(name)].slice(0, MAX_SAVED)),
    remove: (name: string) => setSaved(without(name)),
  };
}

/**
 * Parses the evaluation contexts in local storage. Anybody with access to the browser may have
 * changed this text, so invalid entries are dropped.
 */
function parse(text: string | undefined): SavedContext[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter(isSaved) : [];
  } catch {
    return [];
  }
}

const isSaved = (value: unknown): value is SavedContext =>
  isContext(value) && typeof value["name"] === "string" && isContext(value["context"]);
