const KEY = "feature-flags.project";

/** The project that was last worked on in this browser. */
export function rememberedProject(): number | undefined {
  const id = Number(localStorage.getItem(KEY));
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

export const rememberProject = (id: number): void => localStorage.setItem(KEY, String(id));

export const forgetProject = (): void => localStorage.removeItem(KEY);
