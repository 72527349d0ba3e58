/** Easy to distinguish, and visible in the light and in the dark theme. */
export const COLORS = {
  gray: "#868e96",
  red: "#e03131",
  pink: "#c2255c",
  grape: "#9c36b5",
  violet: "#7048e8",
  indigo: "#3b5bdb",
  blue: "#1971c2",
  cyan: "#0c8599",
  teal: "#099268",
  green: "#2f9e44",
  yellow: "#f08c00",
  orange: "#e8590c",
} as const;

export type ColorName = keyof typeof COLORS;

export const COLOR_NAMES = Object.keys(COLORS) as ColorName[];

/** Whether the text is a colour in the format that the API accepts, such as `#2f9e44`. */
export const isHex = (text: string): boolean => /^#(?:[0-9a-f]{3}){1,2}$/i.test(text);
