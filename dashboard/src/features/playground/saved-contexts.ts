import { useLocalStorage } from "@mantine/hooks";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { isContext } from "./search-params.ts";

interface SavedContext {
  readonly name: string;
  readonly context: EvaluationContext;
}

/**
 * A browser keeps at most this many contexts per project, because local storage is small and a
 * longer list is hard to use.
 */
const MAX_SAVED = 50;

const NONE: readonly SavedContext[] = [];

/**
 * Reads and changes the contexts that the user has saved for a project in this browser, newest
 * first.
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
    /** Saves a context. Replaces an existing context of the same name. */
    save: (name: string, context: EvaluationContext) =>
      setSaved([{ name, context }, ...without(name)].slice(0, MAX_SAVED)),
    remove: (name: string) => setSaved(without(name)),
  };
}

/**
 * Parses the contexts in local storage. Anybody with access to the browser may have changed them,
 * so every entry is checked.
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
