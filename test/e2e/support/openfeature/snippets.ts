import { readFileSync } from "node:fs";
import path from "node:path";

const DOCUMENT = path.resolve(import.meta.dirname, "../../../../docs/use/openfeature.md");

interface Values {
  readonly url: string;
  readonly apiKey: string;
  readonly flagKey: string;
}

/**
 * Returns the program in a section of `docs/use/openfeature.md`, with a URL, an API key and a flag
 * key in place of those of the document. Throws: an Error when the section lacks the program or a
 * value.
 */
export function snippetOf(section: string, { url, apiKey, flagKey }: Values): string {
  const [, text = ""] = readFileSync(DOCUMENT, "utf8").split(`\n## ${section}\n`);
  const [, program] = /```tsx?\n(.*?)```/s.exec(text.split("\n## ")[0] ?? "") ?? [];
  if (program === undefined) throw new Error(`The section ${section} has no program`);
  return [
    ["https://flags.example.com", url],
    ["YOUR-API-KEY", apiKey],
    ["new-checkout", flagKey],
  ].reduce((all, [from = "", to = ""]) => {
    if (!all.includes(from)) throw new Error(`The program of ${section} does not name ${from}`);
    return all.replaceAll(from, to);
  }, program);
}
