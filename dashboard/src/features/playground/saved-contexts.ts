import { useLocalStorage } from "@mantine/hooks";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { isContext } from "./search-params.ts";

interface SavedContext {
  readonly name: string;
  readonly context: EvaluationContext;
}

/** Local storage is small, and a longer list is hard to use. */
const MAX_SAVED = 50;

const NONE: readonly SavedContext[] = [];

/** The named contexts of a project, stored in this browser; newest first. */
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
    /** Replaces a saved context of the same name. */
    save: (name: string, context: EvaluationContext) =>
      setSaved([{ name, context }, ...without(name)].slice(0, MAX_SAVED)),
    remove: (name: string) => setSaved(without(name)),
  };
}

/** Local storage may contain anything, so every entry is checked. */
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
