/**
 * The colours of variants, light theme first. Each reaches the contrast of 3:1 to the background
 * that WCAG 2.2 AA requires for graphics. Neighbours differ in hue and, for colour-blind users, in
 * lightness where possible.
 */
const COLORS = [
  "light-dark(var(--mantine-color-blue-7), var(--mantine-color-blue-5))",
  "light-dark(var(--mantine-color-orange-8), var(--mantine-color-orange-4))",
  "light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-6))",
  "light-dark(var(--mantine-color-pink-6), var(--mantine-color-pink-4))",
  "light-dark(var(--mantine-color-violet-8), var(--mantine-color-violet-4))",
  "light-dark(var(--mantine-color-lime-9), var(--mantine-color-lime-4))",
  "light-dark(var(--mantine-color-cyan-8), var(--mantine-color-cyan-7))",
  "light-dark(var(--mantine-color-red-9), var(--mantine-color-red-6))",
] as const;

/** The colour of the variant `off` of a boolean flag, and of variants that the flag does not have. */
const GREY = "light-dark(var(--mantine-color-gray-6), var(--mantine-color-dark-2))";

/**
 * Returns a function that gives each variant of a flag its colour, as a CSS value. The colour
 * depends on the place of the variant in the flag's list. After eight variants the colours repeat,
 * so a text must always name the variant, too.
 */
export function variantColors(
  variants: readonly { readonly key: string; readonly value?: unknown }[],
): (key: string) => string {
  const colors = new Map(
    variants.map(({ key, value }, index) => [
      key,
      value === false ? GREY : COLORS[index % COLORS.length],
    ]),
  );
  return (key) => colors.get(key) ?? GREY;
}
