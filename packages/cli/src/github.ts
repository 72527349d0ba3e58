export interface Annotation {
  readonly level: "error" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

const escapeText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeField = (text: string): string =>
  escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Returns a workflow command with which GitHub Actions shows a message at a line. */
export function annotation({ level, title, message, file, line, column }: Annotation): string {
  const fields = [
    `file=${escapeField(file)}`,
    line === undefined ? [] : `line=${line}`,
    column === undefined ? [] : `col=${column}`,
    `title=${escapeField(title)}`,
  ].flat();
  return `::${level} ${fields.join(",")}::${escapeText(message)}`;
}
