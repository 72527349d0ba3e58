/** Texts of the service that name a field of the request, and the same with the option of the program. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\bpruneLimit\b/g, "--prune-limit"],
  [/\bname them in overwrite\b/g, "name them with --overwrite"],
  [/; prune archives it$/, "; --prune archives it"],
  [/\bmust be false with environments\b/g, "does not go with --only"],
  [/\bmust be false with protectedEnvironments\b/g, "does not go with --protected"],
  [/\bprotectedEnvironments\b/g, "--protected"],
];

/** Returns a text of the service with the options of the program instead of fields of the request. */
export const withOptionNames = (text: string): string =>
  TEXTS.reduce((result, [pattern, option]) => result.replace(pattern, option), text);

/** Returns the option of the program for a field of the request, or the field itself. */
export const optionOf = (field: string): string =>
  field.replace(/^(prune|overwrite)\b/, "--$1").replace(/^environments\b.*/, "--only");
