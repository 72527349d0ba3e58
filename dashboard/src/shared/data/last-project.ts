const KEY = "feature-flags.project";

/** Returns the id of the project that was last open in this browser. Undefined if there is none. */
export function lastProjectId(): number | undefined {
  const id = Number(localStorage.getItem(KEY));
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

export const storeLastProjectId = (id: number): void => localStorage.setItem(KEY, String(id));

export const clearLastProjectId = (): void => localStorage.removeItem(KEY);
