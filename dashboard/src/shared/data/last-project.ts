const KEY = "feature-flags.project";

/** Returns the id of the project that was last open in this browser. */
export function rememberedProject(): number | undefined {
  const id = Number(localStorage.getItem(KEY));
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

export const rememberProject = (id: number): void => localStorage.setItem(KEY, String(id));

export const forgetProject = (): void => localStorage.removeItem(KEY);
