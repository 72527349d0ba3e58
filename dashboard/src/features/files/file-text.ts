import { checkFile } from "@feature-flags/file/check";
import { normalForm } from "@feature-flags/file/normal";
import { stringify } from "yaml";
import { formatJson } from "../../shared/json/parse-json.ts";

/** The format of a download, which is also the ending of its name. */
export type Format = "yaml" | "json";

/** The most characters of a line of YAML. A longer text is folded. */
const LINE_WIDTH = 100;

/**
 * Returns the file of a project as a text. Quotes texts that YAML 1.1 reads as something else, such as
 * `on`. Throws: Error for a value that is not a file with flags.
 */
export function fileText(value: unknown, format: Format): string {
  if (format === "json") return `${formatJson(value)}\n`;
  const checked = checkFile(value);
  if (!("file" in checked)) throw new Error("The export must be a file with flags");
  const options = { lineWidth: LINE_WIDTH, version: "1.2", compat: "yaml-1.1" } as const;
  return stringify(normalForm(checked.file), options);
}
