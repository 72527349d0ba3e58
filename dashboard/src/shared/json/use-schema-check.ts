import { isObject } from "@feature-flags/file/json";
import { useEffect, useMemo, useState } from "react";
import { parseJson } from "./parse-json.ts";
import type { SchemaCheck } from "./schema-check.ts";

/**
 * A hook that returns a function, which checks values against the JSON Schema in `text`. Returns
 * undefined while the code of the check loads, and for a text that is not a JSON Schema. Then only
 * the API checks the values.
 */
export function useSchemaCheck(text: string): SchemaCheck | undefined {
  const isUsed = text !== "";
  const [loaded, setLoaded] = useState<typeof import("./schema-check.ts")>();
  useEffect(() => {
    if (isUsed) import("./schema-check.ts").then(setLoaded, () => undefined);
  }, [isUsed]);
  return useMemo(() => {
    if (!loaded || text === "") return undefined;
    const { value } = parseJson(text);
    return isObject(value) ? loaded.schemaCheck(value) : undefined;
  }, [loaded, text]);
}
