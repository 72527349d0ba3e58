/** Returns the JSON Pointer (RFC 6901) of a place. */
export const pointer = (...names: readonly (string | number)[]): string => {
  let text = "";
  for (const name of names) text += `/${escaped(String(name))}`;
  return text;
};

/** Most names have nothing to escape, and a comparison of files makes tens of thousands of pointers. */
const escaped = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
