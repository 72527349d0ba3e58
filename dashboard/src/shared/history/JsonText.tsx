import { formatJson } from "../json/parse-json.ts";
import { JsonLines } from "./JsonLines.tsx";
import { exactPart } from "./shortened.ts";
import { WithOmitted } from "./WithOmitted.tsx";

/** A JSON value from an audit record: on one line if it is short. */
export function JsonText({ recorded }: { recorded: unknown }) {
  const { value, omitted } = exactPart(recorded);
  const shown = isShort(value) ? (
    <code>{JSON.stringify(value)}</code>
  ) : (
    <JsonLines
      lines={formatJson(value)
        .split("\n")
        .map((text) => ({ sign: " ", text }))}
    />
  );
  return <WithOmitted omitted={omitted}>{value !== undefined && shown}</WithOmitted>;
}

/** The most characters of a JSON value on one line. */
const MAX_CHARACTERS = 80;

/** Whether a JSON value is shown on one line. */
export const isShort = (value: unknown): boolean =>
  value === undefined || JSON.stringify(value).length <= MAX_CHARACTERS;
