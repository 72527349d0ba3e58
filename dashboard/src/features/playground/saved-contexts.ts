import { useLocalStorage } from "@mantine/hooks";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { isContext } from "./search-params.ts";

interface SavedContext {
  readonly name: string;
  readonly context: EvaluationContext;
}

/** Local storage is small, and a longer list is no help. */
const MAX_SAVED = 50;

const NONE: readonly SavedContext[] = [];

/** The contexts that were given a name, of this project and in this browser; the newest first. */
export function useSavedContexts(projectId: number) {
  const [saved, setSaved] = useLocalStorage<readonly SavedContext[]>({
    key: `feature-flags.contexts.${projectId}`,
    defaultValue: NONE,
    getInitialValueInEffect: false,
    deserialize: parse,
  });
  const without = (name: string) => saved.filter((one) => one.name !== name);
  return {
    saved,
    /** In the place of one of that name. */
    save: (name: string, context: EvaluationContext) =>
      setSaved([{ name, context }, ...without(name)].slice(0, MAX_SAVED)),
    remove: (name: string) => setSaved(without(name)),
  };
}

/** Anybody may have written there. */
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
